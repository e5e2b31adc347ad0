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
		Short:   "Bring the database's tables up to date; serve does so itself",
		Example: "  ballast migrate --database-url postgres://db/ballast",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStorage(cmd, c, func(context.Context, *service.Storage) error { return nil })
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	return cmd
}
