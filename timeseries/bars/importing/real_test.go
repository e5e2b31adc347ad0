//go:build duckdb_arrow

package importing_test

import (
	"math"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/reports"
)

func TestRealFiles(t *testing.T) {
	for _, tc := range []struct {
		file    string
		rows    int64
		symbols int64
	}{
		{"etf21_yahoo_2025.csv.gz", 125_927, 21},
		{"lean14_2021.csv.gz", 63_314, 14},
		{"lean_btcusd_coinbase.csv", 1_318, 1},
		{"stocks20_skfolio.csv.gz", 166_260, 20},
		{"stocks19_pypfopt_2024.csv.gz", 135_663, 19},
		{"etf_top300_10y.csv.gz", 1_389_923, 300},
	} {
		t.Run(tc.file, func(t *testing.T) {
			if tc.rows > 1_000_000 {
				testenv.NotInTest(t)
			}
			path := testenv.Data(t, "bars/"+tc.file)
			m := newMarket(t)
			start := time.Now()
			report := m.mustImport(path)
			t.Logf("import took %v", time.Since(start))
			if report.Rows != tc.rows || report.Symbols != tc.symbols || report.Added != tc.rows || report.NewSymbols != tc.symbols || report.Version != 1 {
				t.Errorf("report = %+v", report)
			}
			if n := report.Count(reports.Error); n > 0 {
				t.Errorf("%d errors", n)
			}
			for _, p := range report.Problems {
				t.Logf("%+v", p)
			}
			start = time.Now()
			again := m.mustImport(path)
			t.Logf("import again took %v", time.Since(start))
			if again.Added+again.Changed != 0 || again.Unchanged != tc.rows || again.Version != 1 || len(m.store.Records()) != 1 {
				t.Errorf("again: %+v", again)
			}
		})
	}
}

// 60 % SPY and 40 % AGG are the project's reference: both must load to what the file
// says. SPY's growth is its last adj_close divided by its first.
func TestRealSeries(t *testing.T) {
	m := newMarket(t)
	m.mustImport(testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz"))
	reader := bars.NewReader(m.store, m.bucket, bars.DefaultCache)
	loaded, err := reader.Load(t.Context(), []string{m.store.Symbols()["AGG"]}, bars.Latest)
	if err != nil {
		t.Fatal(err)
	}
	agg := loaded[m.store.Symbols()["AGG"]]
	if agg.Base.String() != "2003-09-29" || len(agg.Returns) != 5534 || agg.Last().String() != "2025-09-26" {
		t.Errorf("AGG: base %s, %d returns to %s", agg.Base, len(agg.Returns), agg.Last())
	}
	if want := ratio(51.167469, 50.903431); math.Abs(agg.Returns[0]-want) > 1e-16 {
		t.Errorf("first return of AGG = %v, want %v", agg.Returns[0], want)
	}
}

// A file from another source covers a part of what is stored: inside it its own returns
// apply, and at its edges the stored ones, because no return may mix two price levels.
func TestRealSourcesMeet(t *testing.T) {
	first, second := testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz"), testenv.Data(t, "bars/lean14_2021.csv.gz")
	m := newMarket(t)
	m.mustImport(first)
	before := m.load("SPY", bars.Latest)
	m.mustImport(second)
	after := m.load("SPY", bars.Latest)
	if len(after.Returns) != len(before.Returns) {
		t.Fatalf("%d returns, %d before", len(after.Returns), len(before.Returns))
	}
	changed, growth := 0, 1.0
	for i, date := range after.Dates {
		if after.Returns[i] != before.Returns[i] {
			changed++
		}
		growth *= (1 + after.Returns[i]) / (1 + before.Returns[i])
		edge := date.String() == "1998-01-02" || date.String() == "2021-04-01"
		if edge && after.Returns[i] != before.Returns[i] {
			t.Errorf("%s, an edge: return %v, before %v", date, after.Returns[i], before.Returns[i])
		}
	}
	// Over their years the adjusted closes of the two sources grow alike to 0.2 %; an
	// edge that mixed their levels would add 4 % or more.
	if math.Abs(growth-1) > 0.003 {
		t.Errorf("SPY grows by %v times what it did", growth)
	}
	if changed < 5000 {
		t.Errorf("%d returns changed, of 5,847 that the second file gives", changed)
	}
	if again := m.mustImport(second); again.Added+again.Changed != 0 {
		t.Errorf("the second file again: %+v", again)
	}
}
