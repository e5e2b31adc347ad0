package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/reports"
)

func importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Bring in bars and catalogs",
		Example: `  ballast import bars prices.csv.gz
  ballast import catalog etfs.csv.gz`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && strings.ContainsAny(args[0], "./") {
				return fmt.Errorf("say what %s holds: ballast import bars %[1]s for prices, or ballast import catalog %[1]s for a list of assets", args[0])
			}
			return onlyCommands(cmd, args)
		},
	}
	cmd.AddCommand(importBarsCommand(), importCatalogCommand())
	return cmd
}

func importBarsCommand() *cobra.Command {
	c := defaultConfig()
	c.LogLevel = "warn"
	var strict bool
	var open fileOptions
	var symbols []string
	cmd := &cobra.Command{
		Use:   "bars FILE… | --provider NAME --symbols SYMBOL,…",
		Short: "Import daily bars from CSV or Parquet files, or from a provider",
		Long: `Imports daily bars, one transaction per file. Read are CSV files (plain, or packed with
gzip, zstd, bzip2 or zip) and Parquet. Columns are found by name: symbol, date,
close, adj_close, dividend, split, total_return. A file without a symbol column
holds the symbol that it is named after (SPY.csv). A wide file, with a date column
and one column per symbol, holds adjusted closes unless --wide says otherwise.
Downloads of Yahoo, yfinance and Stooq are read as they are; docs/bars.md has every
form.

Errors refuse the file with nothing changed; doubts are listed and stored.
Importing the same file again changes nothing.

With --symbols whole histories are loaded from the providers instead, and take
the place of what is stored where that differs.`,
		Example: `  ballast import bars prices.csv.gz
  ballast import bars --strict 2024/*.parquet --data-dir data
  ballast import bars closes.csv --wide close
  ballast import bars german.csv --dates dmy --decimal ,
  ballast import bars --provider stooq --symbols SPY,AGG`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && len(symbols) == 0:
				return usage("name files, or --symbols to load from --provider")
			case len(args) > 0 && len(symbols) > 0:
				return usage("files and --symbols exclude each other; run the command twice")
			case len(symbols) > 0 && len(c.Providers) == 0:
				return usage("--symbols needs a --provider: %s", strings.Join(providerNames, ", "))
			}
			options, err := open.options(args)
			if err != nil {
				return err
			}
			options.Strict = strict
			return withStorage(cmd, c, func(ctx context.Context, s *storage) error {
				refused := false
				if len(symbols) > 0 {
					ok, err := loadSymbols(ctx, c, s, symbols, cmd.OutOrStdout(), cmd.ErrOrStderr())
					if err != nil {
						return err
					}
					refused = !ok
				}
				for _, path := range args {
					ok, err := importBarsFile(ctx, s, path, options, cmd.OutOrStdout(), cmd.ErrOrStderr())
					if err != nil {
						return err
					}
					refused = refused || !ok
				}
				if refused {
					return exitCode(1)
				}
				return nil
			})
		},
	}
	storageFlags(cmd.Flags(), &c)
	providerFlags(cmd.Flags(), &c)
	open.register(cmd.Flags())
	cmd.Flags().BoolVar(&strict, "strict", false, "refuse files with doubts too")
	cmd.Flags().StringSliceVar(&symbols, "symbols", nil, "symbols whose whole histories are loaded from the providers")
	return cmd
}

// importBarsFile imports one file with its progress and prints the report. It
// reports false where the file was refused for what is in it.
func importBarsFile(ctx context.Context, s *storage, path string, o importing.Options, out, errs io.Writer) (ok bool, err error) {
	m := newMeter(errs, filepath.Base(path))
	o.Progress = m.bars(0, 1, "")
	report, err := s.importer.Import(ctx, path, o)
	m.end(err)
	if report != nil {
		report.Print(out)
	}
	if errors.Is(err, reports.ErrRefused) {
		return false, nil
	}
	return err == nil, err
}
