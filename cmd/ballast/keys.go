package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"ballast/account"
)

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
	var prefix string
	list := &cobra.Command{
		Use:   "list",
		Short: "List an account's keys, or whose a key is that has turned up somewhere",
		Example: `  ballast keys list --account acme
  ballast keys list --prefix bk_3vQ9xT0a    # of any account`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if accountName == "" && prefix == "" {
				return usage("name an account with --account, or the beginning of a key with --prefix")
			}
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				return listKeys(ctx, cmd.OutOrStdout(), s, accountName, account.Prefix(prefix))
			})
		},
	}
	list.Flags().StringVar(&prefix, "prefix", "", "only keys that begin so; a whole key serves as well")
	revoke := &cobra.Command{
		Use:   "revoke KEY_ID",
		Short: "End a key at once",
		Example: "  ballast keys list --account acme       # shows the ids\n" +
			"  ballast keys revoke --account acme key_0192f3a4b5c67d8e9f0a1b2c3d4e5f60",
		Args: cobra.ExactArgs(1),
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
		if sub != list {
			_ = sub.MarkFlagRequired("account") // fails only where the flag does not exist
		}
		cmd.AddCommand(sub)
	}
	return cmd
}

// listKeys writes the keys of an account, or of all, that begin so.
func listKeys(ctx context.Context, out io.Writer, s *storage, accountName, prefix string) error {
	accountID := ""
	if accountName != "" {
		a, err := s.db.AccountByName(ctx, accountName)
		if err != nil {
			return err
		}
		accountID = a.ID
	}
	keys, err := s.db.Keys(ctx, accountID, prefix)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 2, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tPREFIX\tNAME\tCREATED\tLAST USED\tREVOKED\tACCOUNT")
	for _, k := range keys {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Prefix, k.Name, k.CreatedAt.Format(time.RFC3339),
			whenever(k.LastUsedAt), whenever(k.RevokedAt), k.AccountID)
	}
	return w.Flush()
}
