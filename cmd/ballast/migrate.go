package main

import (
	"context"

	"github.com/spf13/cobra"

	"ballast/service"
)

func migrateCommand() *cobra.Command {
	c := service.Default()
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "Bring the database's tables up to date; serve and worker do so themselves, unless migrate is off",
		Example: "  ballast migrate --database-url postgres://db/ballast",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c.Storage.Migrate = true
			return withStorage(cmd, c, func(context.Context, *service.Storage) error { return nil })
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	return cmd
}
