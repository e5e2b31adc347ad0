//go:build duckdb_arrow

package importing_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/storage/duck"
	"ballast/timeseries/bars"
)

// A Parquet file gives the same rows as the CSV file from which it was made.
func TestParquetEqualsCSV(t *testing.T) {
	t.Parallel()
	content := "symbol,date,close,adj_close,dividend,split,volume\n"
	for i := range 30 {
		content += fmt.Sprintf("A,%s,%d,%v,%v,1,1000\n", date("2024-01-01")+day(i), 100+i, 50.5+float64(i), float64(i%5))
	}
	a := newMarket(t)
	csv := a.file("x.csv", content)
	a.mustImport(csv)
	for name, query := range map[string]string{
		"typed":      "SELECT symbol, CAST(date AS DATE) AS date, close::INTEGER AS close, adj_close::DOUBLE AS adj_close, dividend::DECIMAL(9,2) AS dividend, split::DOUBLE AS split FROM %s",
		"text":       "SELECT * FROM %s",
		"timestamps": "SELECT symbol, CAST(date AS TIMESTAMP) AS \"Date\", close::DOUBLE AS \"Close\", adj_close::DOUBLE AS \"Adj Close\", dividend::DOUBLE AS \"Dividends\", split::DOUBLE AS \"Stock Splits\" FROM %s",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newMarket(t)
			path := filepath.Join(b.dir, "x.parquet")
			from := "read_csv(" + duck.Literal(csv) + ", all_varchar = true)"
			if _, err := b.db.Query(t.Context(), fmt.Sprintf("COPY ("+query+") TO ", from)+duck.Literal(path)+" (FORMAT parquet)"); err != nil {
				t.Fatal(err)
			}
			b.mustImport(path)
			if d := cmp.Diff(a.load("A", bars.Latest), b.load("A", bars.Latest)); d != "" {
				t.Error(d)
			}
		})
	}
	t.Run("wide", func(t *testing.T) {
		b := newMarket(t)
		path := filepath.Join(b.dir, "x.parquet")
		if _, err := b.db.Query(t.Context(), "COPY (SELECT CAST(date AS DATE) AS date, adj_close::DOUBLE AS A, CASE WHEN date > '2024-01-10' THEN 7.0 END AS B FROM read_csv("+
			duck.Literal(csv)+", all_varchar = true)) TO "+duck.Literal(path)+" (FORMAT parquet)"); err != nil {
			t.Fatal(err)
		}
		if report := b.mustImport(path); report.Layout != "wide" || report.Symbols != 2 {
			t.Errorf("%+v", report)
		}
		if d := cmp.Diff(a.load("A", bars.Latest), b.load("A", bars.Latest)); d != "" {
			t.Error(d)
		}
		if base := b.load("B", bars.Latest).Base; base != date("2024-01-11") {
			t.Errorf("B begins on %s", base)
		}
	})
}
