package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ballast/internal/fault"
	"ballast/query"
	"ballast/query/engine"
	"ballast/service"
)

// asking holds the options of the sql command.
type asking struct {
	config     service.Config
	service    remote // answers instead of the data folder, if it has an address
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
		Short: "Query models, results, bars and the catalog in SQL",
		Long: `Answers one SELECT over the tables of the data folder, even while the service runs.
It prints a table on a terminal and CSV elsewhere; --csv, --json and --parquet choose
another format. docs/sql.md lists the tables and their columns; so does DESCRIBE.

With --account, the tables contain the rows of that account; without it, the rows of
all accounts. With --url or BALLAST_URL, a running service answers for the account of
the key in BALLAST_KEY. Without a statement, the command reads statements from the terminal or
standard input; each ends with a semicolon.`,
		Example: `  ballast sql "select symbol, cagr, max_drawdown from metrics join models using (run_id) order by cagr desc"
  ballast sql --account acme --csv "select * from fees('SIXTY40', 0.01)"
  ballast sql --param day=2024-01-02 "select * from allocations where date = cast(\$day as date)"
  ballast sql`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd, args) },
	}
	f := cmd.Flags()
	service.Bind(f, append(a.config.ForStorage(), &a.config.Query, a.config.Sandbox.Mode())...)
	a.service.flags(cmd)
	f.StringVar(&a.account, "account", "", "name of the account whose rows the tables contain (default: all accounts)")
	f.StringArrayVar(&a.parameters, "param", nil, "value of a statement parameter, as name=value; may be repeated")
	f.StringArrayVar(&a.runs, "run", nil, "id of a run whose results the tables contain in addition to the live ones; may be repeated")
	f.Int64Var(&a.limit, "limit", 0, "return only this many rows (default: all rows)")
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
		return usage("--limit %d: accepted are 0 and above", a.limit)
	}
	if len(args) == 0 && interactive(cmd) {
		// Ctrl-C ends a statement, not the session.
		ctx, stop := signal.NotifyContext(context.WithoutCancel(cmd.Context()), syscall.SIGTERM)
		defer stop()
		cmd.SetContext(ctx)
	}
	if a.service.url != "" {
		return a.ofService(cmd, args)
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
				return pointed(statement, err)
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

// values parses the parameters: numbers, true, false and null have their SQL type,
// everything else is text.
func (a *asking) values() ([]engine.Parameter, error) {
	var out []engine.Parameter
	for _, p := range a.parameters {
		name, text, found := strings.Cut(p, "=")
		if !found || name == "" {
			return nil, usage("--param %q: write it as name=value", p)
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

// write writes an answer in the format that the flags name; by default, as a table on
// a terminal and as CSV elsewhere.
func (a *asking) write(answer query.Rows, out io.Writer) error {
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
	return writeTable(out, answer, widthOf(out))
}

// pointed shows where in a statement an error is.
func pointed(statement string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Type != fault.InvalidQuery || len(f.Details) == 0 {
		return err
	}
	text := f.Message
	characters := []rune(statement)
	if at := f.Details[0].Column - 1; at >= 0 && at <= len(characters) {
		line := strings.Count(string(characters[:at]), "\n")
		before := characters[:at]
		if i := strings.LastIndex(string(before), "\n"); i >= 0 {
			before = []rune(string(before)[i+1:])
		}
		shown := strings.ReplaceAll(strings.Split(statement, "\n")[line], "\t", " ")
		text += fmt.Sprintf("\n  %s\n  %s^", shown, strings.Repeat(" ", len(before)))
	}
	return errors.New(text)
}

// writeWhole writes a file that appears under its name only when it is complete.
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
