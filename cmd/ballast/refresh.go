package main

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"ballast/service"
)

func refreshCommand() *cobra.Command {
	c := service.Default()
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Queue the models whose bars or members have changed; serve does so after each session",
		Long: `Imports the files that --refresh-bars names, asks the providers for new bars of the
assets that models hold, then queues every model that refreshes automatically
and whose bars or members have changed since its live run, members before the models
that hold them. A running service or worker carries the runs out.`,
		Example: "  ballast refresh --data-dir data --refresh-bars prices.csv.gz",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.Refresh.Check(); err != nil {
				return err
			}
			log, err := service.NewLogger(c.Log, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
				loader, err := service.NewLoader(c, s, log, prometheus.NewRegistry())
				if err != nil {
					return err
				}
				defer loader.Close()
				return service.NewRefresher(c, s, loader, log).Refresh(ctx, true)
			})
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	service.Bind(cmd.Flags(), &c.Refresh, &c.Providers)
	return cmd
}
