package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ballast/service"
)

func lakeCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var account string
	cmd := &cobra.Command{
		Use:   "lake",
		Short: "Publish results as Apache Iceberg tables in the bucket, for Spark, Trino, Snowflake, DuckDB and pandas",
		Long: `Brings the Iceberg tables of all accounts, or of one, up to date: models, returns,
weights, contributions, trades and diagnostics of what their models serve. Each
account has a folder of its own, lake/ACCOUNT in the bucket. Only what has changed is
written. It may run beside the service; serve --lake 24h does the same periodically.`,
		Example: `  ballast lake --data-dir data
  ballast lake --account acme
  ballast lake --database-url postgres://db/ballast --bucket-url 's3://models?region=eu-central-1'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := service.NewLogger(c.Log, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
				var accounts []string
				if account != "" {
					a, err := s.DB.AccountByName(ctx, account)
					if err != nil {
						return err
					}
					accounts = []string{a.ID}
				}
				published, err := service.NewPublisher(s, log).Publish(ctx, accounts...)
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 2, 8, 2, ' ', 0)
				fmt.Fprintln(w, "ACCOUNT\tMODELS\tTABLES CHANGED\tFOLDER")
				for _, p := range published {
					fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", p.AccountID, p.Models, len(p.Files), p.Folder)
				}
				return errors.Join(err, w.Flush())
			})
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	cmd.Flags().StringVar(&account, "account", "", "name of the account to publish (default: all accounts)")
	return cmd
}
