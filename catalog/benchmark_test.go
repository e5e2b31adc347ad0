package catalog_test

import (
	"strings"
	"testing"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/timeseries"
	"ballast/timeseries/bars/syncing"
)

func TestBenchmarkAsksForBars(t *testing.T) {
	t.Parallel()
	day := func(n int) timeseries.Date { return timeseries.NewDate(2024, 1, n) }
	window := timeseries.Series{Base: day(2), Dates: []timeseries.Date{day(3), day(4)}, Returns: []float64{0.1, 0.2}}
	for _, test := range []struct {
		name    string
		symbol  string
		answer  syncing.Result
		returns int
		refused fault.Type
		message string
	}{
		{name: "stored", symbol: "AA", answer: syncing.Result{Status: syncing.Current}, returns: 2},
		{name: "stored, with more in flight", symbol: "AA", answer: syncing.Result{Status: syncing.Loading}, returns: 2},
		{name: "stored, and the provider is down", symbol: "AA", answer: syncing.Result{Status: syncing.Broken, Message: "Down."}, returns: 2},
		{name: "loaded", symbol: "NEW", answer: syncing.Result{Status: syncing.Loaded}, returns: 1},
		{
			name: "in flight", symbol: "NEW", answer: syncing.Result{Status: syncing.Loading}, refused: fault.Unavailable,
			message: "The bars of the benchmark NEW are being loaded. Try again in a moment.",
		},
		{
			name: "nobody has it", symbol: "NEW", answer: syncing.Result{Status: syncing.None, Message: "No provider has bars of NEW."}, refused: fault.InvalidParameter,
			message: "The benchmark NEW cannot be used: no bars of it are stored, and none could be loaded (No provider has bars of NEW.).",
		},
		{
			name: "no provider", symbol: "NEW", answer: syncing.Result{Status: syncing.Current}, refused: fault.InvalidParameter,
			message: "The benchmark NEW cannot be used: no bars of it are stored.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			fresh := &catalog.Asset{ID: "asset_n", Symbol: "NEW", FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate}
			assets := map[string]*catalog.Asset{"AA": {ID: "asset_a", Symbol: "AA", BarsVersion: 7, LastPriceDate: day(4)}, "NEW": fresh, "ASSET_N": fresh}
			bars := stored{"asset_a": {Base: day(2), Dates: []timeseries.Date{day(3), day(4)}, Returns: []float64{.01, -.02}}}
			loads := &asked{result: test.answer}
			if test.answer.Status == syncing.Loaded {
				loads.then = func() {
					later := *fresh
					later.BarsVersion = 7
					assets["ASSET_N"] = &later
					bars["asset_n"] = timeseries.Series{Base: day(2), Dates: []timeseries.Date{day(3)}, Returns: []float64{.5}}
				}
			}
			service := catalog.NewService(shelf{assets: assets}, bars, nil, loads, nil)
			b, err := service.Benchmark(t.Context(), assets[test.symbol], window)
			if loads.until != day(4) {
				t.Errorf("asked for bars until %s", loads.until)
			}
			if test.refused != "" {
				if fault.TypeOf(err) != test.refused || !strings.HasSuffix(err.Error(), ": "+test.message) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if b.Symbol != test.symbol || len(b.Series.Returns) != test.returns {
				t.Errorf("%s with %d returns", b.Symbol, len(b.Series.Returns))
			}
		})
	}
}
