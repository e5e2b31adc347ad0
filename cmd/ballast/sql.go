package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ballast/query"
	"ballast/query/engine"
	"ballast/service"
)

// asking is what the command line of an SQL statement says.
type asking struct {
	config     service.Config
	account    string
	parameters []string
	runs       []string
	limit      int64
	csv, json  bool
	parquet    string
}

func sqlCommand() *cobra.Command {
	a := &asking{config: service.Default()}
	a.config.Log.Level = "warn"
	cmd := &cobra.Command{
		Use:   "sql [STATEMENT]",
		Short: "Ask in SQL over models, results, bars and the catalog",
		Long: `Answers one SELECT over the tables of the data folder, also beside a running
service: as a table in a terminal, as CSV, JSON or Parquet otherwise. docs/sql.md
lists the tables and their columns; so does DESCRIBE of a table.

With --account the tables have what belongs to that account, without it what belongs
to all accounts. Without a statement the command reads statements, each up to its
semicolon, from the terminal or standard input.`,
		Example: `  ballast sql "select symbol, cagr, max_drawdown from metrics join models using (run_id) order by cagr desc"
  ballast sql --account acme --csv "select * from fees('SIXTY40', 0.01)"
  ballast sql --param day=2024-01-02 "select * from allocations where date = cast(\$day as date)"
  ballast sql`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd, args) },
	}
	f := cmd.Flags()
	service.Bind(f, append(a.config.ForStorage(), &a.config.Query, a.config.Sandbox.Mode())...)
	f.StringVar(&a.account, "account", "", "account whose rows the tables have (default: all accounts)")
	f.StringArrayVar(&a.parameters, "param", nil, "value of a parameter of the statement, name=value; may be repeated")
	f.StringArrayVar(&a.runs, "run", nil, "id of a run whose results the tables have besides the live ones; may be repeated")
	f.Int64Var(&a.limit, "limit", 0, "rows after which the answer ends")
	f.BoolVar(&a.csv, "csv", false, "write CSV")
	f.BoolVar(&a.json, "json", false, "write JSON")
	f.StringVar(&a.parquet, "parquet", "", "write a Parquet file of this name")
	return cmd
}

func (a *asking) run(cmd *cobra.Command, args []string) error {
	forms := 0
	for _, set := range []bool{a.csv, a.json, a.parquet != ""} {
		if set {
			forms++
		}
	}
	switch {
	case forms > 1:
		return usage("choose one of --csv, --json and --parquet")
	case a.parquet != "" && len(args) == 0:
		return usage("--parquet needs a statement")
	case a.limit < 0:
		return usage("--limit must not be below 0")
	}
	parameters, err := a.values()
	if err != nil {
		return err
	}
	return withStorage(cmd, a.config, func(ctx context.Context, s *service.Storage) (err error) {
		scope := query.Scope{All: a.account == ""}
		if a.account != "" {
			account, err := s.DB.AccountByName(ctx, a.account)
			if err != nil {
				return err
			}
			scope.AccountID = account.ID
		}
		warm := 0
		if len(args) == 0 {
			warm = 1
		}
		queries, err := s.Queries(a.config, warm, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, queries.Close()) }()
		ask := func(ctx context.Context, statement string, out io.Writer) error {
			answer, err := queries.Ask(ctx, scope, query.Request{SQL: statement, Parameters: parameters, Limit: a.limit, RunIDs: a.runs})
			if err != nil {
				return err
			}
			defer answer.Close()
			return a.write(answer, out)
		}
		if len(args) == 1 {
			return ask(ctx, args[0], cmd.OutOrStdout())
		}
		return converse(ctx, cmd, ask)
	})
}

// values reads the parameters: numbers, true, false and null are such, all else is text.
func (a *asking) values() ([]engine.Parameter, error) {
	var out []engine.Parameter
	for _, p := range a.parameters {
		name, text, found := strings.Cut(p, "=")
		if !found || name == "" {
			return nil, usage("--param %q: give name=value", p)
		}
		var value any = text
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			value = n
		} else if x, err := strconv.ParseFloat(text, 64); err == nil {
			value = x
		} else if text == "true" || text == "false" {
			value = text == "true"
		} else if text == "null" {
			value = nil
		}
		out = append(out, engine.Parameter{Name: name, Value: value})
	}
	return out, nil
}

// write writes an answer in the form that was asked for, or as suits the output.
func (a *asking) write(answer *query.Answer, out io.Writer) error {
	switch {
	case a.parquet != "":
		return writeWhole(a.parquet, func(w io.Writer) error { return query.WriteParquet(w, answer) })
	case a.json:
		if err := query.WriteJSON(out, answer); err != nil {
			return err
		}
		_, err := fmt.Fprintln(out)
		return err
	case a.csv || !isTerminal(out):
		return query.WriteCSV(out, answer)
	}
	return writeTable(out, answer)
}

// writeWhole writes a file, which is there only when it is whole.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	part := name + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, name)
}
