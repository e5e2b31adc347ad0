package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"ballast/timeseries/bars"
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
	var symbols []string
	cmd := &cobra.Command{
		Use:   "bars FILE… | --provider NAME --symbols SYMBOL,…",
		Short: "Import daily bars from CSV, gzip CSV or Parquet, or from a provider",
		Long: `Imports daily bars, one transaction a file. Columns are found by name: symbol, date,
close, adj_close, dividend, split, total_return; a file with a date column and a
column a symbol is read as adjusted prices.

Errors refuse the file with nothing changed; doubts are listed and stored.
Importing the same file again changes nothing.

With --symbols whole histories are loaded from the providers instead, and take
the place of what is stored where that differs.`,
		Example: `  ballast import bars prices.csv.gz
  ballast import bars --strict 2024/*.parquet --data-dir data
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
					ok, err := importBarsFile(ctx, s, path, strict, cmd.OutOrStdout(), cmd.ErrOrStderr())
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
	cmd.Flags().BoolVar(&strict, "strict", false, "refuse files with doubts too")
	cmd.Flags().StringSliceVar(&symbols, "symbols", nil, "symbols whose whole histories are loaded from the providers")
	return cmd
}

// importBarsFile imports one file with its progress and prints the report. It
// reports false where the file was refused for what is in it.
func importBarsFile(ctx context.Context, s *storage, path string, strict bool, out, errs io.Writer) (ok bool, err error) {
	bar := newBar(errs, path)
	report, err := s.importer.Import(ctx, path, bars.Options{Strict: strict, Progress: func(p bars.Progress) {
		bar.Describe(fmt.Sprintf("%s: %s", path, p.Step))
		bar.ChangeMax64(p.Total)
		_ = bar.Set64(p.Done) // drawing is a courtesy
	}})
	_ = bar.Clear()
	if report != nil {
		report.Print(out)
	}
	if errors.Is(err, bars.ErrRefused) {
		return false, nil
	}
	return err == nil, err
}
