package main

import (
	"encoding/json"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"
)

// list is a page of the interface.
type list struct {
	Data  []map[string]any `json:"data"`
	Total int              `json:"total"`
}

func modelsCommand() *cobra.Command {
	var p printing
	var query string
	var limit int
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List the models of a running service with their figures",
		Long: `Lists the models of the key's account at a running service, which BALLAST_URL and
BALLAST_KEY name: a table on a terminal, CSV elsewhere.`,
		Example: "  ballast models\n  ballast models --query momentum --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := url.Values{"include": {"figures"}, "limit": {strconv.Itoa(limit)}}
			if query != "" {
				q.Set("q", query)
			}
			return p.list(cmd, "/v1/models?"+q.Encode(),
				field("symbol", "symbol"), field("name", "name"), field("status", "status"), field("as_of", "as_of"),
				field("cagr", "figures.cagr"), field("sharpe", "figures.sharpe"), field("max_drawdown", "figures.max_drawdown"), field("id", "id"))
		},
	}
	cmd.Flags().StringVar(&query, "query", "", "only models with these words in the name or the symbol")
	cmd.Flags().IntVar(&limit, "limit", 100, "how many models at most")
	p.flags(cmd)
	return cmd
}

func runsCommand() *cobra.Command {
	var p printing
	var limit int
	cmd := &cobra.Command{
		Use:   "runs MODEL",
		Short: "List the runs of a model at a running service",
		Long: `Lists the runs of a model at a running service, which BALLAST_URL and BALLAST_KEY name.
ballast runs start starts one; ballast run, without s, backtests a local script.`,
		Example: "  ballast runs SIXTY40\n  ballast runs start SIXTY40 --input equities=0.7",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.list(cmd, "/v1/models/"+url.PathEscape(args[0])+"/runs?limit="+strconv.Itoa(limit),
				field("id", "id"), field("status", "status"), field("live", "live"), field("source", "source"), field("label", "label"),
				field("start", "summary.start_date"), field("end", "summary.end_date"), field("created_at", "created_at"))
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "how many runs at most")
	p.flags(cmd)
	cmd.AddCommand(runsStart())
	return cmd
}

func runsStart() *cobra.Command {
	var p printing
	var inputs []string
	var label string
	cmd := &cobra.Command{
		Use:     "start MODEL",
		Short:   "Run a model with other inputs at a running service, and wait for it",
		Long:    "Starts a run whose result is kept beside what the model serves, waits for it for at most a minute, and prints it.",
		Example: "  ballast runs start SIXTY40 --input equities=0.7 --label bold",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			values, err := parseInputs(inputs)
			if err != nil {
				return err
			}
			c, err := p.client()
			if err != nil {
				return err
			}
			body := map[string]any{"intent": "test", "wait": true, "inputs": values}
			if label != "" {
				body["label"] = label
			}
			var answer json.RawMessage
			if err := c.do(cmd.Context(), "POST", "/v1/models/"+url.PathEscape(args[0])+"/runs", body, &answer); err != nil {
				return err
			}
			var run struct{ Status string }
			if err := json.Unmarshal(answer, &run); err != nil {
				return err
			}
			err = p.one(cmd, answer, field("id", "id"), field("status", "status"), field("label", "label"), field("inputs", "inputs"),
				field("final_value", "summary.final_value"), field("error", "error.message"))
			if err == nil && run.Status == "failed" {
				return exitCode(codeFailure)
			}
			return err
		},
	}
	cmd.Flags().StringArrayVar(&inputs, "input", nil, "value of an input, as name=value with JSON or a text; may be repeated")
	cmd.Flags().StringVar(&label, "label", "", "label of the run")
	p.flags(cmd)
	return cmd
}

// list reads a page and prints it.
func (p *printing) list(cmd *cobra.Command, path string, columns ...column) error {
	c, err := p.client()
	if err != nil {
		return err
	}
	var answer json.RawMessage
	if err := c.do(cmd.Context(), "GET", path, nil, &answer); err != nil {
		return err
	}
	var l list
	if err := json.Unmarshal(answer, &l); err != nil {
		return err
	}
	if l.Total > len(l.Data) {
		cmd.PrintErrf("%d of %d rows; --limit shows more\n", len(l.Data), l.Total)
	}
	return p.print(cmd.OutOrStdout(), answer, l.Data, columns...)
}

// one prints an object.
func (p *printing) one(cmd *cobra.Command, answer json.RawMessage, columns ...column) error {
	var row map[string]any
	if err := json.Unmarshal(answer, &row); err != nil {
		return err
	}
	return p.print(cmd.OutOrStdout(), answer, []map[string]any{row}, columns...)
}
