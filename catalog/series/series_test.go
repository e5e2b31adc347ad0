package series

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ballast/timeseries"
)

func TestPercentBecomesTheNearestFraction(t *testing.T) {
	t.Parallel()
	for given, want := range map[float64]float64{-13.39: -0.1339, 0.47: 0.0047, 5.07: 0.0507, 0: 0, 100: 1, 1e-7: 1e-9} {
		if got := hundredth(given); got != want {
			t.Errorf("%v %% is %v, want %v", given, got, want)
		}
	}
}

func TestKeysOfHeadings(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{"Mkt-RF": "Mkt-RF", " SMB ": "SMB", "Lo 30": "Lo_30", "BIG HiBM": "BIG_HiBM", "<= 0": "0", "date": "", "%": ""} {
		if got := KeyOf(heading); got != want {
			t.Errorf("the key of %q is %q, want %q", heading, got, want)
		}
	}
}

// drawTable draws a table with up to 20 dates of up to three keys.
func drawTable(t *rapid.T, label string) *Table {
	days := rapid.SliceOfNDistinct(rapid.IntRange(0, 30), 1, 20, rapid.ID[int]).Draw(t, label+" days")
	slices.Sort(days)
	table := &Table{Keys: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C"}), 1, 3, rapid.ID[string]).Draw(t, label+" keys")}
	for _, d := range days {
		table.Dates = append(table.Dates, timeseries.Date(d))
	}
	for range table.Keys {
		column := make([]float64, len(days))
		for i := range column {
			column[i] = rapid.SampledFrom([]float64{math.NaN(), 0, 0.01, -0.02}).Draw(t, label+" value")
		}
		table.Columns = append(table.Columns, column)
	}
	return table
}

// at returns the value of a key on a date, NaN if there is none.
func (t *Table) at(key string, d timeseries.Date) float64 {
	i, j := t.Column(key), slices.Index(t.Dates, d)
	if i < 0 || j < 0 {
		return math.NaN()
	}
	return t.Columns[i][j]
}

// TestMerging compares a merge with looking up each value: what the new table says
// wins, and everything else stays.
func TestMerging(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		stored, news := drawTable(t, "stored"), drawTable(t, "news")
		merged, added, restated := merge(stored, news)
		if !slices.IsSorted(merged.Dates) {
			t.Fatalf("the dates are not sorted: %v", merged.Dates)
		}
		wantAdded, wantRestated := 0, 0
		for _, key := range []string{"A", "B", "C"} {
			for d := timeseries.Date(0); d <= 30; d++ {
				old, want := stored.at(key, d), news.at(key, d)
				switch {
				case math.IsNaN(want):
					want = old
				case math.IsNaN(old):
					wantAdded++
				case old != want:
					wantRestated++
				}
				if got := merged.at(key, d); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s on day %d is %v, want %v", key, d, got, want)
				}
			}
		}
		if added != wantAdded || restated != wantRestated {
			t.Fatalf("%d added, %d restated; want %d and %d", added, restated, wantAdded, wantRestated)
		}
		if _, added, restated := merge(merged, news); added+restated != 0 {
			t.Fatalf("merging the same again adds %d and restates %d", added, restated)
		}
	})
}

func TestStoredValuesAreReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, "table")
		data, err := Encode(table)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(table, back, cmpopts.EquateNaNs()); d != "" {
			t.Fatal(d)
		}
	})
}
