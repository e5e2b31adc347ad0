package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
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
