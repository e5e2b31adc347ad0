package main

import (
	"github.com/spf13/cobra"

	"ballast/query/engine/child"
)

func queryEngineCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "query-engine FOLDER",
		Short:  "Execute one SQL statement for the service, which starts this command itself",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		// The child has no environment: it takes no configuration.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE:              func(_ *cobra.Command, args []string) error { return exitCode(child.Main(args[0])) },
	}
}
