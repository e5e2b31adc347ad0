// Package reports says what an import of bars found in a file and what it
// changed.
//
// A Report counts bars and lists Problems. A Problem is an Error, which refuses
// the whole file, or a Doubt, which is reported while its bars are stored. At most
// MaxProblems of a kind are listed; one further entry stands for the rest, so that
// the counts of a kind add up to its total.
//
//	report, err := importer.Import(ctx, "prices.csv.gz", importing.Options{})
//	if errors.Is(err, reports.ErrRefused) {
//		report.Print(os.Stderr)
//	}
//
// It is separate from package importing, so that packages that read reports do not
// link DuckDB. docs/bars.md explains every kind of problem.
package reports
