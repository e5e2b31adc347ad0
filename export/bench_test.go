package export_test

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"ballast/export"
	"ballast/storage/duck"
)

// BenchmarkBars exports 1.4 million bars, and compares with DuckDB's COPY of the same
// rows.
func BenchmarkBars(b *testing.B) {
	const assets, sessions = 280, 5040
	m := newMarket(b)
	m.seeded(assets, sessions)
	rate := func(b *testing.B, work func()) {
		for b.Loop() {
			work()
		}
		b.ReportMetric(assets*sessions*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	}
	for _, f := range export.Formats {
		b.Run(string(f), func(b *testing.B) {
			rate(b, func() { m.to(all(export.Bars), f, io.Discard) })
		})
	}
	b.Run("copy", func(b *testing.B) {
		query := fmt.Sprintf("COPY (SELECT asset_id, symbol, date, total_return, close, dividend, split FROM read_parquet(%s)) TO %s (FORMAT parquet)",
			duck.Literal(filepath.Join(m.dir, "bucket", "bars", "*.parquet")), duck.Literal(filepath.Join(m.dir, "copy.parquet")))
		rate(b, func() {
			if _, err := m.db.Query(b.Context(), query); err != nil {
				b.Fatal(err)
			}
		})
	})
}
