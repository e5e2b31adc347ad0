package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ballast/account"
	"ballast/internal/id"
)

func accountCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "account", Short: "Make and list accounts"}
	c := defaultConfig()
	c.LogLevel = "warn"
	var plan, email string
	var grant int64
	create := &cobra.Command{
		Use:   "create NAME",
		Short: "Make an account",
		Example: `  ballast account create acme --plan business
  ballast keys create --account acme`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(account.Plans, account.Plan(plan)) {
				return fmt.Errorf("plan %q: accepted are free, pro and business", plan)
			}
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				a := newAccount(args[0], account.Plan(plan), grant)
				a.Email = email
				if err := s.db.CreateAccount(ctx, a); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), a.ID)
				return nil
			})
		},
	}
	create.Flags().StringVar(&plan, "plan", string(account.PlanFree), "free, pro or business")
	create.Flags().StringVar(&email, "email", "", "where mails go")
	create.Flags().Int64Var(&grant, "grant-cents", 0, "credit beside the plan's signup grant, in cents")
	list := &cobra.Command{
		Use:   "list",
		Short: "List the accounts",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				accounts, err := s.db.Accounts(ctx)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 2, 8, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tNAME\tPLAN\tROLE\tCREATED")
				for _, a := range accounts {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", a.ID, a.Name, a.Plan, a.Role, a.CreatedAt.Format(time.RFC3339))
				}
				return w.Flush()
			})
		},
	}
	for _, sub := range []*cobra.Command{create, list} {
		storageFlags(sub.Flags(), &c)
		cmd.AddCommand(sub)
	}
	return cmd
}

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Make, list and revoke API keys"}
	c := defaultConfig()
	c.LogLevel = "warn"
	var accountName, keyName string
	create := &cobra.Command{
		Use:     "create",
		Short:   "Make a key and print it, alone, on standard output; it is not shown again",
		Example: "  KEY=$(ballast keys create --account acme --data-dir data)",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				a, err := s.db.AccountByName(ctx, accountName)
				if err != nil {
					return err
				}
				secret, err := createKey(ctx, s, a.ID, keyName)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), secret)
				return nil
			})
		},
	}
	create.Flags().StringVar(&keyName, "name", "", "what the key is for")
	list := &cobra.Command{
		Use:   "list",
		Short: "List an account's keys",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				a, err := s.db.AccountByName(ctx, accountName)
				if err != nil {
					return err
				}
				keys, err := s.db.Keys(ctx, a.ID)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 2, 8, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tPREFIX\tNAME\tCREATED\tLAST USED\tREVOKED")
				for _, k := range keys {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Prefix, k.Name, k.CreatedAt.Format(time.RFC3339), whenever(k.LastUsedAt), whenever(k.RevokedAt))
				}
				return w.Flush()
			})
		},
	}
	revoke := &cobra.Command{
		Use:   "revoke KEY_ID",
		Short: "End a key at once",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				a, err := s.db.AccountByName(ctx, accountName)
				if err != nil {
					return err
				}
				_, err = s.db.RevokeKey(ctx, a.ID, args[0])
				return err
			})
		},
	}
	for _, sub := range []*cobra.Command{create, list, revoke} {
		storageFlags(sub.Flags(), &c)
		sub.Flags().StringVar(&accountName, "account", "", "the account's name")
		_ = sub.MarkFlagRequired("account") // fails only where the flag does not exist
		cmd.AddCommand(sub)
	}
	return cmd
}

// withStorage opens the storage for one command and closes it afterwards.
func withStorage(cmd *cobra.Command, c Config, do func(context.Context, *storage) error) (err error) {
	log, err := newLogger(c, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	s, err := openStorage(cmd.Context(), c, log, sharedDatabase)
	if err != nil {
		return err
	}
	defer func() {
		if closing := s.close(); err == nil {
			err = closing
		}
	}()
	return do(cmd.Context(), s)
}

func newAccount(name string, plan account.Plan, grantCents int64) *account.Account {
	return &account.Account{
		ID: id.New(id.Account), Name: strings.TrimSpace(name), Plan: plan, Role: account.RoleMember,
		GrantCents: grantCents, CreatedAt: time.Now(),
	}
}

func createKey(ctx context.Context, s *storage, accountID, name string) (string, error) {
	secret := account.NewKey()
	k := &account.Key{ID: id.New(id.Key), AccountID: accountID, Name: name, Prefix: account.Prefix(secret), CreatedAt: time.Now()}
	if err := s.db.CreateKey(ctx, k, account.Hash(secret)); err != nil {
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
