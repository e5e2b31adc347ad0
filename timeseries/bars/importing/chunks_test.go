//go:build duckdb_arrow

package importing_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/internal/testenv"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

// An import takes about 20 ms, so a plain run draws few markets.
func TestChunksEqualTheWhole(t *testing.T) {
	checkChunks(t, "10")
}

func TestManyChunksEqualTheWhole(t *testing.T) {
	testenv.OnlyInSoak(t)
	checkChunks(t, "500")
}

// checkChunks imports a market in one file and in a sequence of files: series and flags
// must be the same. A failure prints its seed; -rapid.seed repeats it.
func checkChunks(t *testing.T, checks string) {
	t.Helper()
	if err := flag.Set("rapid.checks", checks); err != nil {
		t.Fatal(err)
	}
	whole, chunked := newMarket(t), newMarket(t)
	rapid.Check(t, func(rt *rapid.T) {
		convention := rapid.SampledFrom([]string{"symbol,date,adj_close", "symbol,date,close,dividend,split", "symbol,date,total_return"}).Draw(rt, "columns")
		var rows []string
		for s := range rapid.IntRange(1, 3).Draw(rt, "symbols") {
			seven := rapid.Bool().Draw(rt, "seven days")
			d := date("2020-01-01") + day(rapid.IntRange(0, 30).Draw(rt, "start"))
			for range rapid.IntRange(1, 60).Draw(rt, "bars") {
				for d++; !seven && (d.Weekday() == time.Saturday || d.Weekday() == time.Sunday); d++ {
				}
				price := rapid.Float64Range(1, 2).Draw(rt, "value")
				row := fmt.Sprintf("S%d,%s,%v", s, d, price)
				switch {
				case strings.HasSuffix(convention, "split"):
					row += fmt.Sprintf(",%v,%v", rapid.SampledFrom([]float64{0, 0, 0.25}).Draw(rt, "dividend"), rapid.SampledFrom([]float64{1, 1, 2}).Draw(rt, "split"))
				case strings.HasSuffix(convention, "return"):
					row = fmt.Sprintf("S%d,%s,%v", s, d, price-1.4)
				}
				rows = append(rows, row)
			}
		}
		slices.SortFunc(rows, func(a, b string) int { return strings.Compare(a[3:13], b[3:13]) })
		whole.clear()
		chunked.clear()
		whole.mustImport(whole.file("whole.csv", convention+"\n"+strings.Join(rows, "\n")))
		for from := 0; from < len(rows); {
			to := min(len(rows), from+rapid.IntRange(10, 90).Draw(rt, "chunk"))
			// A chunk may begin within the previous one, as downloads do.
			start := max(0, from-rapid.IntRange(0, 10).Draw(rt, "overlap"))
			chunked.mustImport(chunked.file("chunk.csv", convention+"\n"+strings.Join(rows[start:to], "\n")))
			from = to
		}
		same(rt, whole, chunked)
		if rapid.Bool().Draw(rt, "compact") {
			if _, err := chunked.importer.Compact(t.Context(), importing.CompactOptions{Segments: 2}); err != nil {
				rt.Fatal(err)
			}
			same(rt, whole, chunked)
		}
	})
}

func same(t rapid.TB, a, b *market) {
	for symbol, id := range a.store.Symbols() {
		x, err := bars.NewReader(a.store, a.bucket, 0).LoadAssets(a.t.Context(), []string{id}, bars.Latest)
		if err != nil {
			t.Fatal(err)
		}
		y, err := bars.NewReader(b.store, b.bucket, 0).LoadAssets(b.t.Context(), []string{b.store.Symbols()[symbol]}, bars.Latest)
		if err != nil {
			t.Fatal(err)
		}
		y[0].Asset.ID, y[0].Asset.Version = x[0].Asset.ID, x[0].Asset.Version
		if d := cmp.Diff(x, y); d != "" {
			t.Fatalf("%s (-whole +chunks):\n%s", symbol, d)
		}
	}
}
