package catalog_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/internal/fault"
	"ballast/timeseries"
)

// shelf is a store with a few assets.
type shelf struct{ assets map[string]*catalog.Asset }

func (s shelf) Asset(_ context.Context, ref string) (*catalog.Asset, error) {
	if a := s.assets[strings.ToUpper(ref)]; a != nil {
		return a, nil
	}
	return nil, fault.New(fault.NotFound, "There is no asset %q.", ref)
}

func (s shelf) AssetEvidence(context.Context, string) ([]classify.Evidence, error) {
	return nil, nil // no asset is classified
}

func (s shelf) AssetsBySymbol(_ context.Context, symbols []string) (map[string]*catalog.Asset, error) {
	found := map[string]*catalog.Asset{}
	for _, symbol := range symbols {
		if a := s.assets[symbol]; a != nil {
			found[symbol] = a
		}
	}
	return found, nil
}

func (s shelf) NearestSymbols(_ context.Context, symbols []string) (map[string]string, error) {
	near := map[string]string{}
	for _, symbol := range symbols {
		if s.assets[strings.TrimSuffix(symbol, "X")] != nil {
			near[symbol] = strings.TrimSuffix(symbol, "X")
		}
	}
	return near, nil
}

// stored holds series by asset and version.
type stored map[string]timeseries.Series

func (s stored) Load(_ context.Context, assetIDs []string, version int64) (map[string]timeseries.Series, error) {
	out := map[string]timeseries.Series{}
	for _, id := range assetIDs {
		if series, ok := s[id]; ok && version == 7 {
			out[id] = series
		}
	}
	return out, nil
}

func service() *catalog.Service {
	day := func(n int) timeseries.Date { return timeseries.NewDate(2024, 1, n) }
	bars := stored{
		"asset_a": {Base: day(2), Dates: []timeseries.Date{day(3), day(4), day(5), day(8)}, Returns: []float64{.01, -.02, .03, 0}},
		"asset_b": {Base: day(2), Dates: []timeseries.Date{day(3), day(4), day(5), day(8)}, Returns: []float64{.02, -.04, .06, 0}},
		"asset_c": {Base: day(5), Dates: []timeseries.Date{day(6), day(7)}, Returns: []float64{.1, .1}},
	}
	return catalog.NewService(shelf{assets: map[string]*catalog.Asset{
		"AA": {ID: "asset_a", Symbol: "AA", BarsVersion: 7}, "BB": {ID: "asset_b", Symbol: "BB", BarsVersion: 7},
		"CC": {ID: "asset_c", Symbol: "CC", BarsVersion: 7, SevenDay: true}, "NONE": {ID: "asset_n", Symbol: "NONE"},
	}}, bars, nil, nil, nil)
}

func TestAssetHistoryWindows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		start, end timeseries.Date
		returns    []float64
		total      float64 // of the window, by hand
	}{
		{"everything", timeseries.NoDate, timeseries.NoDate, []float64{.01, -.02, .03, 0}, 1.01*.98*1.03 - 1},
		{"from a session", timeseries.NewDate(2024, 1, 4), timeseries.NoDate, []float64{-.02, .03, 0}, .98*1.03 - 1},
		{"from a closed day", timeseries.NewDate(2024, 1, 6), timeseries.NoDate, []float64{0}, 0},
		{"both ends inclusive", timeseries.NewDate(2024, 1, 4), timeseries.NewDate(2024, 1, 5), []float64{-.02, .03}, .98*1.03 - 1},
		{"before the first bar", timeseries.NewDate(1990, 1, 1), timeseries.NewDate(1990, 12, 31), []float64{}, math.NaN()},
		{"after the last bar", timeseries.NewDate(2025, 1, 1), timeseries.NoDate, []float64{}, math.NaN()},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h, err := service().AssetHistory(t.Context(), "aa", catalog.HistoryQuery{Start: test.start, End: test.end, Metrics: true})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.returns, h.Returns); d != "" {
				t.Error(d)
			}
			if len(h.Dates) != len(h.Returns) || h.DataEdge != timeseries.NewDate(2024, 1, 8) {
				t.Errorf("%d dates, edge %s", len(h.Dates), h.DataEdge)
			}
			got := float64(h.Metrics.TotalReturn)
			if math.Abs(got-test.total) > 1e-15 || math.IsNaN(got) != math.IsNaN(test.total) {
				t.Errorf("total return %v, want %v", got, test.total)
			}
		})
	}
}

func TestAssetHistoryAgainstABenchmark(t *testing.T) {
	t.Parallel()
	h, err := service().AssetHistory(t.Context(), "AA", catalog.HistoryQuery{
		Start: timeseries.NoDate, End: timeseries.NoDate, Metrics: true, Benchmark: "bb",
	})
	if err != nil {
		t.Fatal(err)
	}
	// Every return is half of the benchmark's.
	if b := h.Metrics.Benchmark; b == nil || b.Symbol != "BB" || math.Abs(float64(b.Beta)-.5) > 1e-12 {
		t.Errorf("%+v", h.Metrics.Benchmark)
	}
	h, err = service().AssetHistory(t.Context(), "CC", catalog.HistoryQuery{Start: timeseries.NoDate, End: timeseries.NoDate, Metrics: true})
	if err != nil || h.Metrics.Conventions.BarsPerYear != 365 {
		t.Errorf("%v, %d bars a year of a seven-day asset", err, h.Metrics.Conventions.BarsPerYear)
	}
}

func TestAssetHistoryRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, ref, benchmark string
		kind                 fault.Type
		suggestion           string
	}{
		{"unknown", "ZZ", "", fault.NotFound, ""},
		{"nearly known", "AAX", "", fault.NotFound, "AA"},
		{"without bars", "NONE", "", fault.NoHistory, ""},
		{"unknown benchmark", "AA", "BBX", fault.InvalidParameter, "BB"},
		{"benchmark without bars", "AA", "NONE", fault.InvalidParameter, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := service().AssetHistory(t.Context(), test.ref, catalog.HistoryQuery{
				Start: timeseries.NoDate, End: timeseries.NoDate, Metrics: true, Benchmark: test.benchmark,
			})
			if err == nil || fault.TypeOf(err) != test.kind {
				t.Fatalf("%v", err)
			}
			if f := err.(*fault.Error); test.suggestion != "" && f.Details[0].Suggestion != test.suggestion { //nolint:errorlint // the service's own
				t.Errorf("%+v", f.Details)
			}
		})
	}
}
