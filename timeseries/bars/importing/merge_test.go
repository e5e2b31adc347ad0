//go:build duckdb_arrow

package importing_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/reports"
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

// counts holds the counts of an import's report.
type counts struct {
	New, Added, Changed, Unchanged, Restated int64
	Version                                  bars.Version
	Problems                                 []reports.ProblemKind
}

func countsOf(r *reports.Report) counts {
	c := counts{r.NewSymbols, r.Added, r.Changed, r.Unchanged, r.Restated, r.Version, nil}
	for _, p := range r.Problems {
		c.Problems = append(c.Problems, p.Kind)
	}
	return c
}

func TestMerge(t *testing.T) {
	t.Parallel()
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
			counts{Added: 1, Version: 2, Problems: []reports.ProblemKind{reports.UnverifiedLink}}, append(slices.Clone(base), ratio(55.0, 54))},
		{"an earlier bar restated", header + "A,2024-01-03,103,51.5,0,1\n",
			counts{Changed: 2, Restated: 1, Version: 2}, []float64{ratio(51.5, 50), ratio(52, 51.5), base[2]}},
		{"the last bar restated", header + "A,2024-01-05,106,53,0,1\n",
			counts{Changed: 1, Restated: 1, Version: 2}, []float64{base[0], base[1], ratio(53.0, 52)}},
		{"a bar in a hole before", header + "A,2024-01-01,98,49,0,1\n",
			counts{Added: 1, Changed: 1, Restated: 1, Version: 2, Problems: []reports.ProblemKind{reports.UnverifiedLink}}, append([]float64{ratio(50.0, 49)}, base...)},
		{"another basis, later bars", header + "A,2024-01-04,104,26,0,1\nA,2024-01-05,108,27,0,1\nA,2024-01-08,110,28,0,1\n",
			counts{Added: 1, Unchanged: 2, Version: 2, Problems: []reports.ProblemKind{reports.Rebased}}, append(slices.Clone(base), ratio(28.0, 27))},
		{"another basis, one bar in common", header + "A,2024-01-05,108,27,0,1\nA,2024-01-08,110,28,0,1\n",
			counts{Added: 1, Unchanged: 1, Version: 2, Problems: []reports.ProblemKind{reports.Rebased}}, append(slices.Clone(base), ratio(28.0, 27))},
		{"another basis, whole history", header + "A,2024-01-02,100,25,0,1\nA,2024-01-03,102,25.5,0,1\nA,2024-01-04,104,26,0,1\nA,2024-01-05,108,27,0,1\n",
			counts{Changed: 4, Restated: 1, Version: 2}, []float64{ratio(25.5, 25), ratio(26, 25.5), ratio(27.0, 26)}},
		{"another convention, part", "symbol,date,close\nA,2024-01-05,108\n", counts{Version: 0, Problems: []reports.ProblemKind{reports.OtherBasis}}, base},
		{"another convention, whole history", "symbol,date,close,dividend\nA,2024-01-02,100,0\nA,2024-01-03,102,1\nA,2024-01-04,104,0\nA,2024-01-05,108,0\n",
			counts{Changed: 4, Restated: 1, Version: 2}, []float64{ratio(103.0, 100), ratio(104.0, 102), ratio(108.0, 104)}},
		{"another symbol", header + "B,2024-01-02,100,50,0,1\n", counts{New: 1, Added: 1, Version: 2}, base},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := newMarket(t)
			m.mustImport(m.file("stored.csv", header+stored))
			report, err := m.importer.Import(t.Context(), m.file("x.csv", tc.content), importing.Options{})
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
	t.Parallel()
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
			t.Parallel()
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

func TestReturnsBeforeTheFirstStoredOne(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.mustImport(m.file("a.csv", "symbol,date,return\nA,2024-01-03,0.1\nA,2024-01-04,0.2\n"))
	if _, err := m.importer.Import(t.Context(), m.file("b.csv", "symbol,date,return\nA,2024-01-02,0.3\n"), importing.Options{}); fault.TypeOf(err) != fault.InvalidBody {
		t.Errorf("err = %v", err)
	}
	m.mustImport(m.file("c.csv", "symbol,date,return\nA,2024-01-02,0.3\nA,2024-01-03,0.1\n"))
	if d := cmp.Diff([]float64{0.1, 0.2}, m.load("A", bars.Latest).Returns); d != "" {
		t.Error(d)
	}
}

func TestCompactKeepsVersions(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	var want []timeseries.Series
	for i := range 10 {
		d := date("2024-01-01") + day(i)
		m.mustImport(m.file("x.csv", fmt.Sprintf("symbol,date,close\nA,%s,%d\nB,%s,%d\n", d, 100+i, d, 200+i)))
		want = append(want, m.load("A", bars.Latest))
	}
	n, err := m.importer.Compact(t.Context(), importing.CompactOptions{})
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
	if again, err := m.importer.Compact(t.Context(), importing.CompactOptions{}); again != 0 || err != nil {
		t.Errorf("again: %d, %v", again, err)
	}
	if report := m.mustImport(m.file("x.csv", "symbol,date,close\nA,2024-01-03,102\n")); report.Changed+report.Added != 0 {
		t.Errorf("after compaction: %+v", report)
	}
}
