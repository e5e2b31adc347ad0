package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"ballast/service"
)

func serveCommand() *cobra.Command {
	c := service.Default()
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service: interface, queue and sandbox in one process",
		Long: `Runs the service on a data folder. Without --database-url it starts a private
PostgreSQL in the folder and stops it on exit; without --bucket-url, bars and
results are files in the folder.

When the service is ready, it prints one line of JSON with its url on standard
output. A stop signal lets requests and runs finish first.`,
		Example: `  ballast serve --data-dir data
  ballast serve --listen 127.0.0.1:0                  # any free port
  ballast serve --database-url postgres://db/ballast --bucket-url 's3://models?region=eu-central-1'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := service.NewLogger(c.Log, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return service.Serve(cmd.Context(), c, log, func(url string) {
				_ = json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]string{"url": url})
			})
		},
	}
	service.Bind(cmd.Flags(), c.ForService()...)
	return cmd
}
