package main

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"ballast/api/agent"
	"ballast/service"
)

func mcpCommand() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an AI agent use a running service, over standard input and output",
		Long: `Speaks the Model Context Protocol on standard input and output, and calls a running
service with a key. An agent that can call the service over HTTP needs no command: it
uses the address /mcp of the service and the key.

Give the agent a key of its own, with the scopes and the daily cap that it needs:

  ballast keys create --account acme --name agent --scopes read,run,write --daily-cap 500`,
		Example: `  BALLAST_URL=http://127.0.0.1:8080 BALLAST_KEY=bk_… ballast mcp`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			origin, key, err := r.resolve()
			if err != nil {
				return err
			}
			s := agent.New(agent.Config{
				Transport: agent.WithKey(http.DefaultTransport, key), Version: service.Version,
				URL: func(context.Context) string { return origin },
			})
			return s.Run(cmd.Context(), &mcp.StdioTransport{})
		},
	}
	r.flags(cmd)
	return cmd
}
