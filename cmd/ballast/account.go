package main

import (
	"context"
	"fmt"
	"os/user"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ballast/account"
	"ballast/audit"
	"ballast/billing"
	"ballast/internal/id"
	"ballast/program"
	"ballast/service"
)

func accountCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "account", Short: "Create, list and close accounts, set their plans and roles, grant credit"}
	c := service.Default()
	c.Log.Level = "warn"
	for _, sub := range []*cobra.Command{
		accountCreate(&c), accountPlan(&c), accountRole(&c), accountGrant(&c), accountList(&c), accountClose(&c),
	} {
		service.Bind(sub.Flags(), c.ForStorage()...)
		cmd.AddCommand(sub)
	}
	return cmd
}

func accountCreate(c *service.Config) *cobra.Command {
	var plan, email string
	var grant int64
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Create an account",
		Example: `  ballast account create acme --plan business
  ballast keys create --account acme`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			known, err := planOf(plan)
			if err != nil {
				return err
			}
			if grant < 0 || grant > mostGrant {
				return usage("--grant-cents %d: accepted is 0 to %d", grant, int64(mostGrant))
			}
			return withStorage(cmd, *c, func(ctx context.Context, s *service.Storage) error {
				a := newAccount(args[0], known, grant)
				a.Email = email
				if err := s.DB.CreateAccount(ctx, a); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), a.ID)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&plan, "plan", string(account.PlanFree), "free, pro or business")
	cmd.Flags().StringVar(&email, "email", "", "address for mails")
	cmd.Flags().Int64Var(&grant, "grant-cents", 0, "credit in addition to the plan's signup grant, in cents")
	return cmd
}

// mostGrant is the largest grant, in cents; it keeps balances far from an overflow.
const mostGrant = 1_000_000_000_000

func planOf(name string) (account.Plan, error) {
	plan := account.Plan(name)
	if !slices.Contains(account.Plans, plan) {
		return "", usage("plan %q: accepted are free, pro and business", name)
	}
	return plan, nil
}

func accountPlan(c *service.Config) *cobra.Command {
	return &cobra.Command{
		Use:     "plan NAME PLAN",
		Short:   "Move an account to a plan, from its next request on; it keeps its credit",
		Example: "  ballast account plan acme pro",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := planOf(args[1])
			if err != nil {
				return err
			}
			return withAccount(cmd, *c, args[0], func(ctx context.Context, s *service.Storage, a *account.Account) error {
				return s.DB.SetPlan(ctx, a.ID, plan)
			})
		},
	}
}

func accountRole(c *service.Config) *cobra.Command {
	return &cobra.Command{
		Use:     "role NAME ROLE",
		Short:   "Set an account's role to member or admin; an admin may read the audit log of every account, and nothing else",
		Example: "  ballast account role acme admin",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			role := account.Role(args[1])
			if role != account.RoleMember && role != account.RoleAdmin {
				return usage("role %q: accepted are member and admin", args[1])
			}
			return withAccount(cmd, *c, args[0], func(ctx context.Context, s *service.Storage, a *account.Account) error {
				return s.DB.SetRole(ctx, a.ID, role)
			})
		},
	}
}

func accountGrant(c *service.Config) *cobra.Command {
	var cents int64
	var note, key string
	cmd := &cobra.Command{
		Use:   "grant NAME --cents N",
		Short: "Grant credit, or take it back with a negative N; prints the remaining credit",
		Example: `  ballast account grant acme --cents 5000 --note "Invoice 17" --key invoice-17
  ballast account grant acme --cents -200 --note "Credited twice"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cents == 0 || cents < -mostGrant || cents > mostGrant {
				return usage("--cents %d: accepted is anything but 0 up to %d, negative to take credit back", cents, int64(mostGrant))
			}
			return withAccount(cmd, *c, args[0], func(ctx context.Context, s *service.Storage, a *account.Account) error {
				left, err := s.DB.Credit(ctx, a.ID, billing.Credit{Cents: cents, Note: note, Key: key})
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), left.RemainingCents)
				return nil
			})
		},
	}
	cmd.Flags().Int64Var(&cents, "cents", 0, "amount in cents")
	cmd.Flags().StringVar(&note, "note", "", "text that the account sees in its charges")
	cmd.Flags().StringVar(&key, "key", "", "idempotency key: the same key grants credit once, however often the command is run")
	_ = cmd.MarkFlagRequired("cents") // only fails if the flag does not exist
	return cmd
}

func accountList(c *service.Config) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List all accounts, including closed ones, with their remaining credit",
		Example: "  ballast account list --data-dir data",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, *c, func(ctx context.Context, s *service.Storage) error {
				accounts, err := s.DB.Accounts(ctx)
				if err != nil {
					return err
				}
				balances, err := s.DB.Balances(ctx)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 2, 8, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tNAME\tPLAN\tROLE\tREMAINING\tHELD\tSPENT\tCREATED\tCLOSED")
				for _, a := range accounts {
					b := balances[a.ID] // the zero value for an account whose billing has not begun
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", a.ID, a.Name, a.Plan, a.Role,
						b.RemainingCents, b.HeldCents, b.SpentCents, a.CreatedAt.Format(time.RFC3339), whenever(a.ClosedAt))
				}
				return w.Flush()
			})
		},
	}
}

func accountClose(c *service.Config) *cobra.Command {
	return &cobra.Command{
		Use:   "close NAME",
		Short: "Close an account: end its keys and work at once, keep its models in the Trash for 30 days",
		Long: `Revokes the account's keys, ends its work in progress and releases what that held,
ends sharing and recurring work, and moves its models to the Trash, which purges
them with their results after 30 days. Its billing history stays. The name is free
for another account. This cannot be undone.`,
		Example: "  ballast account close acme",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withAccount(cmd, *c, args[0], func(ctx context.Context, s *service.Storage, a *account.Account) error {
				return s.DB.CloseAccount(ctx, a.ID, time.Now().Add(program.Retention))
			})
		},
	}
}

// withAccount opens the storage for a command on an open account.
func withAccount(cmd *cobra.Command, c service.Config, name string, do func(context.Context, *service.Storage, *account.Account) error) error {
	return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
		a, err := s.DB.AccountByName(ctx, name)
		if err != nil {
			return err
		}
		return do(ctx, s, a)
	})
}

// withStorage opens the storage for one command and closes it afterwards.
func withStorage(cmd *cobra.Command, c service.Config, do func(context.Context, *service.Storage) error) (err error) {
	log, err := service.NewLogger(c.Log, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	s, err := service.Open(cmd.Context(), c, log, service.SharedDatabase)
	if err != nil {
		return err
	}
	defer func() {
		if closing := s.Close(); err == nil {
			err = closing
		}
	}()
	ctx, _ := audit.With(cmd.Context(), audit.Entry{Actor: audit.Operator, ActorID: operator(), Operation: cmd.CommandPath()})
	return do(ctx, s)
}

// operator returns the name of the system user who runs a command.
func operator() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

func newAccount(name string, plan account.Plan, grantCents int64) *account.Account {
	return &account.Account{
		ID: id.New(id.Account), Name: strings.TrimSpace(name), Plan: plan, Role: account.RoleMember,
		GrantCents: grantCents, CreatedAt: time.Now(),
	}
}

// createKey stores a key with the name, scopes and cap of k, and returns its secret.
func createKey(ctx context.Context, s *service.Storage, accountID string, k account.Key) (string, error) {
	secret := account.NewKey()
	k.ID, k.AccountID, k.Prefix, k.CreatedAt = id.New(id.Key), accountID, account.Prefix(secret), time.Now()
	if err := s.DB.CreateKey(ctx, &k, account.Hash(secret)); err != nil {
		return "", err
	}
	return secret, nil
}

func whenever(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Format(time.RFC3339)
}
