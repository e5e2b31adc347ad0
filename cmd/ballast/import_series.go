package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"ballast/account"
	"ballast/catalog/series"
	"ballast/catalog/series/files"
	"ballast/service"
)

// seriesImport is what the flags of the command say.
type seriesImport struct {
	name, accountName     string
	public                bool
	frequency, kind, unit string
	lag                   int
}

func importSeriesCommand() *cobra.Command {
	c := service.Default()
	c.Log.Level = "warn"
	var i seriesImport
	cmd := &cobra.Command{
		Use:   "series FILE --name NAME (--account ACCOUNT | --public)",
		Short: "Import factors, inflation, a riskless rate or an index from CSV",
		Long: `Imports a series from a CSV file (plain, gzip, or alone in a zip archive) with one row
per date and one column per key. Its columns are read as NAME.KEY.

Files of Kenneth French's data library are read as they are: per cent, the first table
only, -99.99 and -999 as missing values. Files of FRED are read as they are too; say
with --kind whether they have rates, which FRED publishes per cent, or levels of an
index. Of other files, --kind and --unit say what the values are.

Importing a file again adds new values and restates those that differ.
--public makes the series readable by every account; only this command can change it.`,
		Example: `  ballast import series F-F_Research_Data_Factors.CSV --name FF3 --public
  ballast import series TB3MS.csv --name BILLS --kind rate --public
  ballast import series CPIAUCSL.csv --name CPI --kind index --lag 15 --account acme`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if i.public == (i.accountName != "") {
				return usage("name an account with --account, or make the series readable by all with --public")
			}
			table, err := files.Open(args[0])
			if err != nil {
				return err
			}
			post, err := i.post(table, cmd.Flags().Changed("lag"))
			if err != nil {
				return err
			}
			put := func(ctx context.Context, s *service.Storage, accountID string) error {
				return importSeries(ctx, s, accountID, post, table, cmd.OutOrStdout())
			}
			if i.public {
				return withStorage(cmd, c, func(ctx context.Context, s *service.Storage) error { return put(ctx, s, "") })
			}
			return withAccount(cmd, c, i.accountName, func(ctx context.Context, s *service.Storage, a *account.Account) error { return put(ctx, s, a.ID) })
		},
	}
	service.Bind(cmd.Flags(), c.ForStorage()...)
	cmd.Flags().StringVar(&i.name, "name", "", "name of the series: a letter, then letters, digits, _ and -")
	cmd.Flags().StringVar(&i.accountName, "account", "", "name of the account that owns the series")
	cmd.Flags().BoolVar(&i.public, "public", false, "make the series readable by every account")
	cmd.Flags().StringVar(&i.frequency, "frequency", "", "daily or monthly; found from the dates if left out")
	cmd.Flags().StringVar(&i.kind, "kind", "", "return, rate (annual) or index (levels)")
	cmd.Flags().StringVar(&i.unit, "unit", "", "fraction or percent; by default percent for files of French and rates of FRED, else fraction")
	cmd.Flags().IntVar(&i.lag, "lag", 0, "sessions after a value's date before a decision may see it")
	_ = cmd.MarkFlagRequired("name")
	return cmd
}

// post returns what to store of a file.
func (i *seriesImport) post(t *files.Table, lagged bool) (series.Post, error) {
	p := series.Post{
		Name: i.name, Frequency: series.Frequency(i.frequency), Kind: series.Kind(i.kind), Unit: series.Unit(i.unit),
		Dates: t.Dates, Keys: t.Keys, Columns: t.Columns,
	}
	switch p.Frequency {
	case "":
		p.Frequency = t.Frequency
	case series.Daily, series.Monthly:
	default:
		return p, usage("--frequency is daily or monthly, not %s", p.Frequency)
	}
	switch p.Kind {
	case "":
		if t.Layout != files.French {
			return p, usage("say with --kind what the values are: return, rate (annual) or index (levels)")
		}
		p.Kind = series.Return
	case series.Return, series.Rate, series.Index:
	default:
		return p, usage("--kind is return, rate or index, not %s", p.Kind)
	}
	switch p.Unit {
	case "":
		p.Unit = series.Fraction
		if p.Kind != series.Index && (t.Layout == files.French || t.Layout == files.FRED && p.Kind == series.Rate) {
			p.Unit = series.Percent
		}
	case series.Fraction, series.Percent:
	default:
		return p, usage("--unit is fraction or percent, not %s", p.Unit)
	}
	if lagged {
		p.Lag = &i.lag
	}
	return p, nil
}

// importSeries stores a file and prints what has changed.
func importSeries(ctx context.Context, s *service.Storage, accountID string, p series.Post, t *files.Table, out io.Writer) error {
	put, created, err := series.New(s.DB, slog.New(slog.DiscardHandler), nil).Put(ctx, accountID, p)
	if err != nil {
		return err
	}
	what := "was there"
	if created {
		what = "is new"
	}
	fmt.Fprintf(out, "%s %s. Layout of the file: %s; %s values of kind %s, unit %s\n", put.Name, what, t.Layout, put.Frequency, put.Kind, p.Unit)
	fmt.Fprintf(out, "  %d dates from %s to %s, version %d: %d values added, %d restated\n", put.Rows, put.First, put.Last, put.Version, put.Added, put.Restated)
	for _, c := range put.Columns {
		fmt.Fprintf(out, "  %s.%s: %d values from %s to %s, %d missing\n", put.Name, c.Key, c.Values, c.First, c.Last, c.Missing)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(out, "  %s\n", strings.TrimSpace(note))
	}
	return nil
}
