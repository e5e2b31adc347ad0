package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ballast/export"
	"ballast/service"
)

// exporting holds the options of the export command.
type exporting struct {
	config                 service.Config
	out, format, partition string
	account                string
	filters                exportFilters
}

func exportCommand() *cobra.Command {
	e := &exporting{config: service.Default()}
	e.config.Log.Level = "warn"
	cmd := &cobra.Command{
		Use:   "export TABLE",
		Short: "Write a whole table: assets, bars, runs, or results of models",
		Long: `Writes a table as Parquet, an Arrow stream or CSV, to a file, a folder or a bucket,
with the columns and filters of /v1/exports. A file appears only once it is complete.

With --partition, the table is divided into folders year=… or symbol=…, as in Hive,
and an empty file _SUCCESS is written last. The folder appears only once it is
complete.`,
		Example: `  ballast export bars --out bars.parquet
  ballast export bars --out bars --partition symbol --start-date 2020-01-01
  ballast export assets --type etf --asset-class equity --tags region:japan --out japan.csv
  ballast export returns --account acme --model SIXTY-FORTY --out returns.csv
  ballast export metrics --account acme --out metrics.csv
  ballast export bars --partition year --out 's3://models/bars?region=eu-central-1'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(export.Tables, export.Table(args[0])) {
				return nil
			}
			tables := strings.Join(texts(export.Tables), ", ")
			if len(args) == 1 {
				return fmt.Errorf("there is no table %q to export; name one of %s", args[0], tables)
			}
			return fmt.Errorf("name one table to export: %s", tables)
		},
		ValidArgs: texts(export.Tables),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.run(cmd, export.Table(args[0]))
		},
	}
	f := cmd.Flags()
	service.Bind(f, e.config.ForStorage()...)
	f.StringVar(&e.out, "out", "", "target: a file, a folder (an existing one, a name that ends in a slash, or with --partition), s3://…")
	f.StringVar(&e.format, "format", "", "parquet, arrow or csv (default: by the file name, else parquet)")
	f.StringVar(&e.partition, "partition", "", "divide by year, or bars by symbol")
	f.StringVar(&e.account, "account", "", "account whose models and runs are exported; required for runs and results")
	e.filters.register(f)
	_ = cmd.MarkFlagRequired("out") // fails only where the flag does not exist
	return cmd
}

func (e *exporting) run(cmd *cobra.Command, t export.Table) error {
	owned := slices.Contains(export.Owned, t)
	switch {
	case owned && e.account == "":
		return usage("--account is needed: %s belong to an account", t)
	case !owned && e.account != "":
		return usage("--account does not apply to %s, only to %s", t, strings.Join(texts(export.Owned), ", "))
	}
	q, err := e.filters.query(cmd.Flags(), t)
	if err != nil {
		return err
	}
	to, err := e.target(t)
	if err != nil {
		return err
	}
	return withStorage(cmd, e.config, func(ctx context.Context, s *service.Storage) error {
		return e.export(ctx, s, q, to, cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}

func (e *exporting) export(ctx context.Context, s *service.Storage, q export.Query, to *exportTarget, out, errs io.Writer) error {
	accountID := ""
	if e.account != "" {
		a, err := s.DB.AccountByName(ctx, e.account)
		if err != nil {
			return err
		}
		accountID = a.ID
	}
	results, err := s.Results(e.config)
	if err != nil {
		return err
	}
	rows, err := s.Exports(results).Open(ctx, accountID, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	m := newMeter(errs, "export "+string(q.Table))
	var written int64
	rows.Progress = func(n int64) {
		written = n
		if rows.Total > 0 {
			m.setCount(n, rows.Total, fmt.Sprintf("%d rows", n))
		} else {
			m.setOpenCount(0, 1, int(n), 100_000, fmt.Sprintf("%d rows", n))
		}
	}
	parts, err := to.save(ctx, e.config, rows)
	m.end(err)
	if err != nil {
		return err
	}
	if parts > 0 {
		fmt.Fprintf(out, "%s: %d rows in %d files\n", to.shown, written, parts)
	} else {
		fmt.Fprintf(out, "%s: %d rows\n", to.shown, written)
	}
	return nil
}

// texts converts names to plain text.
func texts[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}
