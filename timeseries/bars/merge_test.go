//go:build duckdb_arrow

package bars_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

const header = "symbol,date,close,adj_close,dividend,split\n"

// load returns the series of a symbol at a version.
func (m *market) load(symbol string, version bars.Version) timeseries.Series {
	m.t.Helper()
	id := m.store.Symbols()[symbol]
	loaded, err := bars.NewReader(m.store, m.bucket, bars.DefaultCache).Load(m.t.Context(), []string{id}, version)
	if err != nil {
		m.t.Fatal(err)
	}
	return loaded[id]
}

// counts is what an import did.
type counts struct {
	New, Added, Changed, Unchanged, Restated int64
	Version                                  bars.Version
	Problems                                 []bars.ProblemKind
}

func countsOf(r *bars.Report) counts {
	c := counts{r.NewSymbols, r.Added, r.Changed, r.Unchanged, r.Restated, r.Version, nil}
	for _, p := range r.Problems {
		c.Problems = append(c.Problems, p.Kind)
	}
	return c
}

func TestMerge(t *testing.T) {
	const stored = "A,2024-01-02,100,50,0,1\nA,2024-01-03,102,51,0,1\nA,2024-01-04,104,52,0,1\nA,2024-01-05,108,54,0,1\n"
	base := []float64{ratio(51.0, 50), ratio(52.0, 51), ratio(54.0, 52)}
	for _, tc := range []struct {
		name    string
		content string // a second file, after stored
		want    counts
		returns []float64
	}{
		{"the same again", header + stored, counts{Unchanged: 4, Version: 1}, base},
		{"fewer columns, same values", "symbol,date,adj_close\nA,2024-01-03,51\nA,2024-01-04,52\n", counts{Unchanged: 2, Version: 1}, base},
		{"later bars with an overlap", header + "A,2024-01-05,108,54,0,1\nA,2024-01-08,110,55,0,1\n",
			counts{Added: 1, Unchanged: 1, Version: 2}, append(slices.Clone(base), ratio(55.0, 54))},
		{"later bars without one", header + "A,2024-01-08,110,55,0,1\n",
			counts{Added: 1, Version: 2, Problems: []bars.ProblemKind{bars.UnverifiedLink}}, append(slices.Clone(base), ratio(55.0, 54))},
		{"an earlier bar restated", header + "A,2024-01-03,103,51.5,0,1\n",
			counts{Changed: 2, Restated: 1, Version: 2}, []float64{ratio(51.5, 50), ratio(52, 51.5), base[2]}},
		{"the last bar restated", header + "A,2024-01-05,106,53,0,1\n",
			counts{Changed: 1, Restated: 1, Version: 2}, []float64{base[0], base[1], ratio(53.0, 52)}},
		{"a bar in a hole before", header + "A,2024-01-01,98,49,0,1\n",
			counts{Added: 1, Changed: 1, Restated: 1, Version: 2, Problems: []bars.ProblemKind{bars.UnverifiedLink}}, append([]float64{ratio(50.0, 49)}, base...)},
		{"another basis, later bars", header + "A,2024-01-04,104,26,0,1\nA,2024-01-05,108,27,0,1\nA,2024-01-08,110,28,0,1\n",
			counts{Added: 1, Unchanged: 2, Version: 2, Problems: []bars.ProblemKind{bars.Rebased}}, append(slices.Clone(base), ratio(28.0, 27))},
		{"another basis, one bar in common", header + "A,2024-01-05,108,27,0,1\nA,2024-01-08,110,28,0,1\n",
			counts{Added: 1, Unchanged: 1, Version: 2, Problems: []bars.ProblemKind{bars.Rebased}}, append(slices.Clone(base), ratio(28.0, 27))},
		{"another basis, whole history", header + "A,2024-01-02,100,25,0,1\nA,2024-01-03,102,25.5,0,1\nA,2024-01-04,104,26,0,1\nA,2024-01-05,108,27,0,1\n",
			counts{Changed: 4, Restated: 1, Version: 2}, []float64{ratio(25.5, 25), ratio(26, 25.5), ratio(27.0, 26)}},
		{"another convention, part", "symbol,date,close\nA,2024-01-05,108\n", counts{Version: 0, Problems: []bars.ProblemKind{bars.OtherBasis}}, base},
		{"another convention, whole history", "symbol,date,close,dividend\nA,2024-01-02,100,0\nA,2024-01-03,102,1\nA,2024-01-04,104,0\nA,2024-01-05,108,0\n",
			counts{Changed: 4, Restated: 1, Version: 2}, []float64{ratio(103.0, 100), ratio(104.0, 102), ratio(108.0, 104)}},
		{"another symbol", header + "B,2024-01-02,100,50,0,1\n", counts{New: 1, Added: 1, Version: 2}, base},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := newMarket(t)
			m.mustImport(m.file("stored.csv", header+stored))
			report, err := m.importer.Import(t.Context(), m.file("x.csv", tc.content), bars.Options{})
			if err != nil && (tc.want.Version != 0 || fault.TypeOf(err) != fault.InvalidBody) {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, countsOf(report)); d != "" {
				t.Errorf("report (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.returns, m.load("A", bars.Latest).Returns); d != "" {
				t.Errorf("returns (-want +got):\n%s", d)
			}
			if d := cmp.Diff(base, m.load("A", 1).Returns); d != "" {
				t.Errorf("returns at version 1 (-want +got):\n%s", d)
			}
		})
	}
}

func TestConventions(t *testing.T) {
	for _, tc := range []struct {
		name, content string
		convention    bars.Convention
		returns       []float64
	}{
		{"adjusted before all", "symbol,date,close,adj_close,total_return\nA,2024-01-02,1,10,9\nA,2024-01-03,1,11,9\n", bars.Adjusted, []float64{ratio(11.0, 10)}},
		{"close, dividend and split", "symbol,date,close,dividend,split\nA,2024-01-02,100,0,\nA,2024-01-03,51,2,2\nA,2024-01-04,50,,0\n", bars.CloseDividend,
			[]float64{ratio(51.0*2+2, 100), ratio(50.0, 51)}},
		{"given returns drop the first", "symbol,date,return\nA,2024-01-02,0.5\nA,2024-01-03,0.25\n", bars.TotalReturn, []float64{0.25}},
		{"given returns, the first left out", "symbol,date,return\nA,2024-01-02,\nA,2024-01-03,0.25\n", bars.TotalReturn, []float64{0.25}},
		{"wide", "date,A,B\n2024-01-02,10,\n2024-01-03,11,5\n", bars.Adjusted, []float64{ratio(11.0, 10)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := newMarket(t)
			path := m.file("x.csv", tc.content)
			m.mustImport(path)
			if d := cmp.Diff(tc.returns, m.load("A", bars.Latest).Returns); d != "" {
				t.Errorf("returns (-want +got):\n%s", d)
			}
			snapshot, err := m.store.BySymbol(t.Context(), []string{"A"})
			if err != nil || snapshot.Assets[0].Convention != tc.convention {
				t.Errorf("%+v, %v", snapshot.Assets, err)
			}
			if again := m.mustImport(path); again.Version != 1 {
				t.Errorf("again: %+v", again)
			}
		})
	}
}

func TestGivenReturnsBeforeTheFirst(t *testing.T) {
	m := newMarket(t)
	m.mustImport(m.file("a.csv", "symbol,date,return\nA,2024-01-03,0.1\nA,2024-01-04,0.2\n"))
	if _, err := m.importer.Import(t.Context(), m.file("b.csv", "symbol,date,return\nA,2024-01-02,0.3\n"), bars.Options{}); fault.TypeOf(err) != fault.InvalidBody {
		t.Errorf("err = %v", err)
	}
	m.mustImport(m.file("c.csv", "symbol,date,return\nA,2024-01-02,0.3\nA,2024-01-03,0.1\n"))
	if d := cmp.Diff([]float64{0.1, 0.2}, m.load("A", bars.Latest).Returns); d != "" {
		t.Error(d)
	}
}

// Files in date order say the same as one file: same series, same flags.
func TestChunksEqualTheWhole(t *testing.T) {
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
			// A chunk may begin within the one before, as downloads do.
			start := max(0, from-rapid.IntRange(0, 10).Draw(rt, "overlap"))
			chunked.mustImport(chunked.file("chunk.csv", convention+"\n"+strings.Join(rows[start:to], "\n")))
			from = to
		}
		same(rt, whole, chunked)
		if rapid.Bool().Draw(rt, "compact") {
			if _, err := chunked.importer.Compact(t.Context(), bars.CompactOptions{Segments: 2}); err != nil {
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

func TestCompactKeepsVersions(t *testing.T) {
	m := newMarket(t)
	var want []timeseries.Series
	for i := range 10 {
		d := date("2024-01-01") + day(i)
		m.mustImport(m.file("x.csv", fmt.Sprintf("symbol,date,close\nA,%s,%d\nB,%s,%d\n", d, 100+i, d, 200+i)))
		want = append(want, m.load("A", bars.Latest))
	}
	n, err := m.importer.Compact(t.Context(), bars.CompactOptions{})
	if err != nil || n != 2 {
		t.Fatalf("Compact = %d, %v", n, err)
	}
	for i, w := range want {
		if d := cmp.Diff(w, m.load("A", bars.Version(i+1))); d != "" {
			t.Errorf("version %d:\n%s", i+1, d)
		}
	}
	snapshot, err := m.store.BySymbol(t.Context(), []string{"A"})
	if err != nil || len(snapshot.Segments) != 1 || snapshot.Version != 11 || snapshot.Assets[0].Version != 10 {
		t.Errorf("%+v, %v", snapshot, err)
	}
	if d := cmp.Diff(want[9], m.load("A", bars.Latest)); d != "" {
		t.Error(d)
	}
	if again, err := m.importer.Compact(t.Context(), bars.CompactOptions{}); again != 0 || err != nil {
		t.Errorf("again: %d, %v", again, err)
	}
	if report := m.mustImport(m.file("x.csv", "symbol,date,close\nA,2024-01-03,102\n")); report.Changed+report.Added != 0 {
		t.Errorf("after compaction: %+v", report)
	}
}

func TestSweep(t *testing.T) {
	m := newMarket(t)
	m.mustImport(m.file("x.csv", "symbol,date,close\nA,2024-01-02,1\n"))
	put := func(key string) {
		if err := m.bucket.Put(t.Context(), key, writeText("orphan")); err != nil {
			t.Fatal(err)
		}
	}
	put("bars/orphan.parquet")
	put("bars/.tmp-1")
	put("runs/other.parquet")
	if swept, err := bars.Sweep(t.Context(), m.store, m.bucket, time.Hour); len(swept) != 0 || err != nil {
		t.Errorf("young objects: %v, %v", swept, err)
	}
	for e, err := range m.bucket.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(filepath.Join(m.dir, "bucket", e.Key), old, old); err != nil {
			t.Fatal(err)
		}
	}
	swept, err := bars.Sweep(t.Context(), m.store, m.bucket, time.Hour)
	slices.Sort(swept)
	if d := cmp.Diff([]string{"bars/.tmp-1", "bars/orphan.parquet"}, swept); d != "" || err != nil {
		t.Errorf("swept %s, %v", d, err)
	}
	if len(m.load("A", bars.Latest).Returns) != 0 || m.load("A", bars.Latest).Base != date("2024-01-02") {
		t.Error("the bars are gone")
	}
}

func TestLoadOfNothing(t *testing.T) {
	m := newMarket(t)
	m.mustImport(m.file("a.csv", "symbol,date,close\nA,2024-01-02,1\n"))
	m.mustImport(m.file("b.csv", "symbol,date,close\nB,2024-01-02,1\n"))
	if s := m.load("B", 1); !s.Empty() {
		t.Errorf("B at version 1 = %+v", s)
	}
	loaded, err := bars.NewReader(m.store, m.bucket, 0).Load(t.Context(), []string{"asset_none"}, bars.Latest)
	if err != nil || len(loaded) != 0 {
		t.Errorf("%v, %v", loaded, err)
	}
}

// racing commits something else before the first commit that it sees.
type racing struct {
	*bars.Memory
	before func()
}

func (r *racing) Commit(ctx ctx, c bars.Change) (bars.Version, error) {
	if r.before != nil {
		before := r.before
		r.before = nil
		before()
	}
	return r.Memory.Commit(ctx, c)
}

func TestConflictStartsAnew(t *testing.T) {
	m := newMarket(t)
	path := m.file("a.csv", "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-03,1.1\n")
	other := m.file("b.csv", "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-04,1.2\n")
	store := &racing{Memory: m.store, before: func() { m.mustImport(other) }}
	slow := bars.NewImporter(bars.Config{Store: store, Bucket: m.bucket, DB: m.db})
	report, err := slow.Import(t.Context(), path, bars.Options{})
	if err != nil || report.Version != 2 || report.Added != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if d := cmp.Diff([]float64{ratio(1.1, 1), ratio(1.2, 1.1)}, m.load("A", bars.Latest).Returns); d != "" {
		t.Error(d)
	}
	keys, err := m.store.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var stored []columnar.Entry
	for e, err := range m.bucket.List(t.Context(), bars.Prefix) {
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, e)
	}
	if len(stored) != len(keys) {
		t.Errorf("%d objects, %d named", len(stored), len(keys))
	}
}

func FuzzImportCSV(f *testing.F) {
	for _, s := range []string{
		"symbol,date,adj_close\nA,2024-01-02,1\n", "date,A,B\n2024-01-02,1,\n", ",,\n", "\"", "date\tclose\n1\t2", "symbol,date,close\nA,2024-01-02,\"1\n",
		"symbol,date,close,dividend,split\r\nA,20240102,1e308,1e308,1e308\r\nA,20240103,1e-308,0,1\r\n", "\x1f\x8b\x08\x00", "PAR1PAR1",
		"symbol,date,return\nA,2024-01-02,-1\nA,2024-01-03,-1\n", "symbol;date;close\nÄ;2024-01-02;1\n\xff;2024-01-02;1\n",
	} {
		f.Add([]byte(s))
	}
	m := newMarket(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		m.t = t
		m.clear()
		report, err := m.importer.Import(t.Context(), m.file("fuzz.csv", string(content)), bars.Options{})
		if err != nil {
			if fault.TypeOf(err) != fault.InvalidBody {
				t.Fatalf("%v", err)
			}
			return
		}
		for symbol := range m.store.Symbols() {
			for _, r := range m.load(symbol, bars.Latest).Returns {
				if math.IsNaN(r) || math.IsInf(r, 0) {
					t.Errorf("%s: %v of %+v", symbol, r, report)
				}
			}
		}
		if again := m.mustImport(m.file("fuzz.csv", string(content))); again.Version != report.Version {
			t.Errorf("again: %+v", again)
		}
	})
}

func TestCancelledImportChangesNothing(t *testing.T) {
	m := newMarket(t)
	path := m.file("x.csv.gz", "symbol,date,adj_close\n"+days("A", 2000))
	for _, step := range []bars.Step{bars.Reading, bars.Checking, bars.Merging, bars.Writing, bars.Committing} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := m.importer.Import(ctx, path, bars.Options{Progress: func(p bars.Progress) {
			if p.Step == step {
				cancel()
			}
		}})
		cancel()
		// The manifest decides once it has been asked.
		if step != bars.Committing && (!errors.Is(err, context.Canceled) || len(m.store.Records()) != 0) {
			t.Errorf("cancelled while %s: %v", step, err)
		}
	}
	for e := range m.bucket.List(t.Context(), "") {
		if keys, err := m.store.Objects(t.Context()); err != nil || !slices.Contains(keys, e.Key) {
			t.Errorf("%s was left behind", e.Key)
		}
	}
}

// A Parquet file says the same as the CSV file that it was made of.
func TestParquetEqualsCSV(t *testing.T) {
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
