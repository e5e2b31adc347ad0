package main

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func historyCommand() *cobra.Command {
	var p printing
	var start, end, runID string
	cmd := &cobra.Command{
		Use:   "history MODEL",
		Short: "Print the daily returns of a model at a running service",
		Long: `Prints the daily returns of a model and its growth of 1, as a running service has them,
which BALLAST_URL and BALLAST_KEY name. --json prints every figure of the metrics as well.`,
		Example: "  ballast history SIXTY40 --start 2020-01-01\n  ballast history SIXTY40 --csv > sixty.csv",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := p.client()
			if err != nil {
				return err
			}
			q := url.Values{"include": {"returns"}}
			if p.json {
				q.Set("include", "returns,metrics")
			}
			for name, value := range map[string]string{"start_date": start, "end_date": end, "run_id": runID} {
				if value != "" {
					q.Set(name, value)
				}
			}
			var answer json.RawMessage
			if err := c.do(cmd.Context(), "GET", "/v1/models/"+url.PathEscape(args[0])+"/history?"+q.Encode(), nil, &answer); err != nil {
				return err
			}
			var h struct {
				Dates   []string
				Returns []float64
			}
			if err := json.Unmarshal(answer, &h); err != nil {
				return err
			}
			rows, growth := make([]map[string]any, len(h.Dates)), 1.0
			for i, date := range h.Dates {
				growth *= 1 + h.Returns[i]
				rows[i] = map[string]any{"date": date, "return": h.Returns[i], "growth": growth}
			}
			return p.print(cmd.OutOrStdout(), answer, rows, field("date", "date"), field("return", "return"), field("growth", "growth"))
		},
	}
	cmd.Flags().StringVar(&start, "start", "", "first date, YYYY-MM-DD")
	cmd.Flags().StringVar(&end, "end", "", "last date, YYYY-MM-DD")
	cmd.Flags().StringVar(&runID, "run", "", "id of a run, instead of what the model serves")
	p.flags(cmd)
	return cmd
}

func simCommand() *cobra.Command {
	var p printing
	cmd := &cobra.Command{
		Use:   "sim WORDS",
		Short: "Simulate a plan of saving or spending at a running service",
		Long: `Creates a simulation from words at a running service, which BALLAST_URL and BALLAST_KEY
name, waits for its result and prints its figures. docs/prompts.md says which words are
understood.`,
		Example: `  ballast sim "Retire with 1000000 in 60% SPY and 40% AGG, withdraw 4% a year for 30 years"`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := p.client()
			if err != nil {
				return err
			}
			var s struct {
				ID, Status string
				Run        json.RawMessage
				Error      *struct{ Message string }
			}
			err = c.do(cmd.Context(), "POST", "/v1/simulations", map[string]string{"prompt": strings.Join(args, " ")}, &s)
			for err == nil && s.Status == "building" {
				select {
				case <-cmd.Context().Done():
					return cmd.Context().Err()
				case <-time.After(200 * time.Millisecond):
				}
				err = c.do(cmd.Context(), "GET", "/v1/simulations/"+s.ID, nil, &s)
			}
			if err != nil {
				return err
			}
			if s.Error != nil {
				cmd.PrintErrln(s.Error.Message)
				return exitCode(codeFailure)
			}
			var answer json.RawMessage
			if err := c.do(cmd.Context(), "GET", "/v1/simulations/"+s.ID+"/result", nil, &answer); err != nil {
				return err
			}
			var result struct {
				Scalars map[string]map[string]any
			}
			if err := json.Unmarshal(answer, &result); err != nil {
				return err
			}
			cmd.PrintErrln(s.ID)
			return p.print(cmd.OutOrStdout(), answer, scalarRows(result.Scalars), field("figure", "title"), field("value", "value"), field("unit", "unit"), field("name", "name"))
		},
	}
	p.flags(cmd)
	return cmd
}

func shareCommand() *cobra.Command {
	var p printing
	var expires string
	cmd := &cobra.Command{
		Use:   "share MODEL | share RUN",
		Short: "Make a link to a result at a running service that anybody may open",
		Long: `Makes a link under which anybody sees what a model serves, or a run that never changes, at
a running service, which BALLAST_URL and BALLAST_KEY name, and prints its address, this
once. /v1/shares of the service lists links, and pauses and ends them.`,
		Example: "  ballast share SIXTY40\n  ballast share run_0192f3a4b5c67d8e9f0a1b2c3d4e5f60 --expires 2027-01-31T00:00:00Z",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := p.client()
			if err != nil {
				return err
			}
			body := map[string]string{"model": args[0]}
			if strings.HasPrefix(args[0], "run_") {
				body = map[string]string{"run_id": args[0]}
			}
			if expires != "" {
				body["expires_at"] = expires
			}
			var answer json.RawMessage
			if err := c.do(cmd.Context(), "POST", "/v1/shares", body, &answer); err != nil {
				return err
			}
			return p.one(cmd, answer, field("url", "url"), field("state", "state"), field("expires_at", "expires_at"), field("id", "id"))
		},
	}
	cmd.Flags().StringVar(&expires, "expires", "", "when the link ends by itself, as 2027-01-31T00:00:00Z (default: never)")
	p.flags(cmd)
	return cmd
}

// scalarRows are the single numbers of a result, by name.
func scalarRows(scalars map[string]map[string]any) []map[string]any {
	var rows []map[string]any
	for _, name := range slices.Sorted(maps.Keys(scalars)) {
		row := scalars[name]
		row["name"] = name
		rows = append(rows, row)
	}
	return rows
}
