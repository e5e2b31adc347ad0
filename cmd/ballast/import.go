package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ballast/service"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/reports"
)

func importCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Import bars, catalogs and series",
		Example: `  ballast import bars prices.csv.gz
  ballast import catalog etfs.csv.gz
  ballast import series F-F_Research_Data_Factors.CSV --name FF3 --public`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && strings.ContainsAny(args[0], "./") {
				return fmt.Errorf("say what %s contains: ballast import bars %[1]s for prices, or ballast import catalog %[1]s for a list of assets", args[0])
			}
			return onlyCommands(cmd, args)
		},
	}
	cmd.AddCommand(importBarsCommand(), importCatalogCommand(), importSeriesCommand())
	return cmd
}

func importBarsCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var strict bool
	var open fileOptions
	var symbols []string
	cmd := &cobra.Command{
		Use:   "bars FILE… | --provider NAME --symbols SYMBOL,…",
		Short: "Import daily bars from CSV or Parquet files, or from a provider",
		Long: `Imports daily bars, one transaction per file. It reads CSV files (plain, or compressed with
gzip, zstd, bzip2 or zip) and Parquet files. It finds columns by name: symbol, date,
close, adj_close, dividend, split, total_return. A file without a symbol column
contains the symbol that it is named after (SPY.csv). A wide file, with a date column
and one column per symbol, contains adjusted closes unless --wide says otherwise.
Downloads of Yahoo, yfinance and Stooq are read as they are; docs/bars.md lists all
layouts.

A file with an error is refused and changes nothing. Doubtful rows are listed and
stored.
Importing the same file again changes nothing.

With --symbols it loads whole histories from the providers instead, and replaces
stored bars where they differ.`,
		Example: `  ballast import bars prices.csv.gz
  ballast import bars --strict 2024/*.parquet --data-dir data
  ballast import bars closes.csv --wide close
  ballast import bars german.csv --dates dmy --decimal ,
  ballast import bars --provider stooq --symbols SPY,AGG`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkSources(args, symbols, c.Providers.Names); err != nil {
				return err
			}
			options, err := open.options(args)
			if err != nil {
				return err
			}
			options.Strict = strict
			return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
				return importBars(ctx, cmd, c, s, symbols, args, options)
			})
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	service.Bind(cmd.Flags(), &c.Providers)
	open.register(cmd.Flags())
	cmd.Flags().BoolVar(&strict, "strict", false, "also refuse files with doubtful rows")
	cmd.Flags().StringSliceVar(&symbols, "symbols", nil, "symbols to load from the providers, each with its whole history")
	return cmd
}

// checkSources refuses a command line that does not say where bars come from.
func checkSources(files, symbols, providers []string) error {
	switch {
	case len(files) == 0 && len(symbols) == 0:
		return usage("name files, or --symbols to load from --provider")
	case len(files) > 0 && len(symbols) > 0:
		return usage("files and --symbols exclude each other; run the command twice")
	case len(symbols) > 0 && len(providers) == 0:
		return usage("--symbols needs a --provider: %s", strings.Join(service.ProviderNames, ", "))
	}
	return nil
}

// importBars imports symbols from the providers, or files. It continues after a
// refused one, and then ends with an exit code.
func importBars(ctx context.Context, cmd *cobra.Command, c service.Config, s *service.Storage, symbols, files []string, options importing.Options) error {
	refused := false
	if len(symbols) > 0 {
		ok, err := loadSymbols(ctx, c, s, symbols, cmd.OutOrStdout(), cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		refused = !ok
	}
	for _, path := range files {
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
}

// importBarsFile imports one file, shows its progress and prints the report. It
// returns false if the file was refused because of its contents.
func importBarsFile(ctx context.Context, s *service.Storage, path string, o importing.Options, out, errs io.Writer) (ok bool, err error) {
	m := newMeter(errs, filepath.Base(path))
	o.Progress = m.bars(0, 1, "")
	report, err := s.Importer.Import(ctx, path, o)
	m.end(err)
	if report != nil {
		report.Print(out)
	}
	if errors.Is(err, reports.ErrRefused) {
		return false, nil
	}
	return err == nil, err
}
