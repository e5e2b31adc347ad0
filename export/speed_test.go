package export_test

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"ballast/export"
	"ballast/storage/duck"
)

// BenchmarkBars compares an export of 1.4 million bars with DuckDB's own COPY of
// the same rows.
func BenchmarkBars(b *testing.B) {
	m := newMarket(b)
	m.seeded(280, 5040)
	const rows = 280 * 5040
	rate := func(b *testing.B, work func()) {
		for b.Loop() {
			work()
		}
		b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	}
	for _, f := range export.Formats {
		b.Run(string(f), func(b *testing.B) {
			rate(b, func() { m.to(all(export.Bars), f, io.Discard) })
		})
	}
	b.Run("copy", func(b *testing.B) {
		target := filepath.Join(m.dir, "copy.parquet")
		query := fmt.Sprintf("COPY (SELECT asset_id, symbol, date, total_return, close, dividend, split FROM read_parquet(%s)) TO %s (FORMAT parquet)",
			duck.Literal(filepath.Join(m.dir, "bucket", "bars", "*.parquet")), duck.Literal(target))
		rate(b, func() {
			if _, err := m.db.Query(b.Context(), query); err != nil {
				b.Fatal(err)
			}
		})
	})
	_ = time.Now
}
