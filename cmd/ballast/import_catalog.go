package main

import (
	"context"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"ballast/catalog"
	"ballast/catalog/tablefile"
	"ballast/service"
)

func importCatalogCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var assetType, mappingFile string
	cmd := &cobra.Command{
		Use:   "catalog FILE…",
		Short: "Import lists of assets from CSV, gzip CSV or Parquet",
		Long: `Imports catalog records, one transaction per file. Columns are found by their usual
names: symbol, name, type, exchange, currency, country, sector, industry, category,
family, legal_type, isin, summary, market_cap, aum, expense_ratio (a fraction) or
expense_ratio_pct, inception_date, delisted; and asset_class, wrapper,
legal_structure, tax_form, leverage, hedged and tags, if a file states them
itself. Everything else is derived from these words, with its evidence.

Existing records are updated by symbol. Fields that a row leaves blank stay the same,
so that files add to each other; stored bars stay. The service shows an import
within seconds.

A mapping file names the columns of other files:

  type: etf                  # what the rows are, if no column says so
  columns:
    symbol: Ticker           # field: column of the file
    expense_ratio_pct: TER
    isin: null               # ignored
  values:
    asset_class: {Bonds: fixed_income}   # what the texts of a column mean`,
		Example: `  ballast import catalog etfs.csv.gz funds.csv.gz equities.csv.gz cryptos.csv.gz
  ballast import catalog list.csv --type fund
  ballast import catalog broker.csv --mapping broker.yaml --data-dir data`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			options := catalog.ImportOptions{Type: assetType}
			if mappingFile != "" {
				var err error
				if options.Mapping, err = catalog.ReadMapping(mappingFile); err != nil {
					return err
				}
			}
			return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error {
				for _, path := range args {
					if err := importCatalogFile(ctx, s, path, options, cmd.OutOrStdout(), cmd.ErrOrStderr()); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	cmd.Flags().StringVar(&assetType, "type", "", "what the rows are, if no column says so: etf, fund, stock or crypto")
	cmd.Flags().StringVar(&mappingFile, "mapping", "", "YAML file that maps the columns of other files")
	return cmd
}

// importCatalogFile imports one file, shows its progress and prints the report.
func importCatalogFile(ctx context.Context, s *service.Storage, path string, o catalog.ImportOptions, out, errs io.Writer) error {
	m := newMeter(errs, filepath.Base(path))
	o.Progress = m.catalog
	report, err := catalog.Import(ctx, tablefile.At(path, s.DuckDB), s.DB, o)
	m.end(err)
	if err != nil {
		return err
	}
	report.Print(out)
	return nil
}
