package main

import (
	"github.com/spf13/cobra"

	"ballast/script/sandbox"
	"ballast/service"
)

func workerCommand() *cobra.Command {
	c := service.Default()
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Execute runs of a service, on this machine or another",
		Long: `Executes queued runs of a service, alongside the service itself. Any number of workers
may share the work; on other machines they need the service's --database-url and
--bucket-url.`,
		Example: "  ballast worker --database-url postgres://db/ballast --bucket-url 's3://models?region=eu-central-1'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := service.NewLogger(c.Log, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return service.Work(cmd.Context(), c, log)
		},
	}
	service.Bind(cmd.Flags(), c.ForWorker()...)
	return cmd
}

func sandboxCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "sandbox",
		Short:  "Run scripts for the service, which starts this command itself",
		Hidden: true,
		Args:   cobra.NoArgs,
		// The child has no environment and no files, so it takes no configuration.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE:              func(*cobra.Command, []string) error { return exitCode(sandbox.Main(service.Families...)) },
	}
}
