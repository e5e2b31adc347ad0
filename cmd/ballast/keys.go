package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ballast/account"
	"ballast/service"
)

func keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Create, list and revoke API keys"}
	c := service.Default()
	c.Log.Level = "warn"
	for _, sub := range []*cobra.Command{keysCreate(&c), keysList(&c), keysRevoke(&c)} {
		service.Bind(sub.Flags(), c.ForStorage()...)
		cmd.AddCommand(sub)
	}
	return cmd
}

func keysCreate(c *service.Config) *cobra.Command {
	var accountName, keyName string
	var scopes []string
	var dailyCap int64
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Create a key and print it on standard output; it is not shown again",
		Example: `  KEY=$(ballast keys create --account acme --data-dir data)
  ballast keys create --account acme --name agent --scopes read,run --daily-cap 500`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			k := account.Key{Name: keyName}
			for _, name := range scopes {
				k.Scopes = append(k.Scopes, account.Scope(strings.TrimSpace(name)))
			}
			var unknown account.Scope
			if k.Scopes, unknown = account.Ordered(k.Scopes); unknown != "" || len(k.Scopes) == 0 {
				return usage("--scopes: there is no scope %q; accepted are read, run and write", unknown)
			}
			if cmd.Flags().Changed("daily-cap") {
				if dailyCap < 0 {
					return usage("--daily-cap %d: accepted are 0 cents and above", dailyCap)
				}
				k.DailyCapCents = &dailyCap
			}
			return withAccount(cmd, *c, accountName, func(ctx context.Context, s *service.Storage, a *account.Account) error {
				secret, err := createKey(ctx, s, a.ID, k)
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), secret)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&keyName, "name", "", "what the key is for")
	cmd.Flags().StringSliceVar(&scopes, "scopes", []string{"read", "run", "write"}, "what the key may do: read, run (start work that is charged), write (change what the account keeps)")
	cmd.Flags().Int64Var(&dailyCap, "daily-cap", 0, "the most cents that work started with the key may cost in a day, in UTC (default: no cap)")
	accountFlag(cmd, &accountName)
	return cmd
}

func keysList(c *service.Config) *cobra.Command {
	var accountName, prefix string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the keys of an account, or find the account that a key belongs to",
		Example: `  ballast keys list --account acme
  ballast keys list --prefix bk_3vQ9xT0a    # in any account`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if accountName == "" && prefix == "" {
				return usage("name an account with --account, or the beginning of a key with --prefix")
			}
			return withStorage(cmd, *c, func(ctx context.Context, s *service.Storage) error {
				return listKeys(ctx, cmd.OutOrStdout(), s, accountName, account.Prefix(prefix))
			})
		},
	}
	cmd.Flags().StringVar(&accountName, "account", "", "name of the account")
	cmd.Flags().StringVar(&prefix, "prefix", "", "only keys that begin with this; a whole key works, too")
	return cmd
}

func keysRevoke(c *service.Config) *cobra.Command {
	var accountName string
	cmd := &cobra.Command{
		Use:   "revoke KEY_ID",
		Short: "Revoke a key at once",
		Example: "  ballast keys list --account acme       # shows the ids\n" +
			"  ballast keys revoke --account acme key_0192f3a4b5c67d8e9f0a1b2c3d4e5f60",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withAccount(cmd, *c, accountName, func(ctx context.Context, s *service.Storage, a *account.Account) error {
				_, err := s.DB.RevokeKey(ctx, a.ID, args[0])
				return err
			})
		},
	}
	accountFlag(cmd, &accountName)
	return cmd
}

// accountFlag adds the required flag that names an account.
func accountFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "account", "", "name of the account")
	_ = cmd.MarkFlagRequired("account") // fails only where the flag does not exist
}

// listKeys writes the keys that begin with prefix, of one account or of all.
func listKeys(ctx context.Context, out io.Writer, s *service.Storage, accountName, prefix string) error {
	accountID := ""
	if accountName != "" {
		a, err := s.DB.AccountByName(ctx, accountName)
		if err != nil {
			return err
		}
		accountID = a.ID
	}
	keys, err := s.DB.Keys(ctx, accountID, prefix)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 2, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tPREFIX\tNAME\tSCOPES\tDAILY CAP\tCREATED\tLAST USED\tREVOKED\tACCOUNT")
	for _, k := range keys {
		limit := "-"
		if k.DailyCapCents != nil {
			limit = strconv.FormatInt(*k.DailyCapCents, 10)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Prefix, k.Name, account.List(k.Scopes), limit, k.CreatedAt.Format(time.RFC3339),
			whenever(k.LastUsedAt), whenever(k.RevokedAt), k.AccountID)
	}
	return w.Flush()
}
