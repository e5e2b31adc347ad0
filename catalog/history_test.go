package catalog_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/timeseries"
	"ballast/timeseries/bars/syncing"
)

// asked is a loader with one answer.
type asked struct {
	result syncing.Result
	until  timeseries.Date
	asset  syncing.Asset
	then   func() // what the load changes
}

func (l *asked) Read(_ context.Context, a syncing.Asset, until timeseries.Date, _ time.Duration) syncing.Result {
	l.asset, l.until = a, until
	if l.then != nil {
		l.then()
	}
	return l.result
}

func TestAssetHistoryAsksForBars(t *testing.T) {
	t.Parallel()
	day := func(n int) timeseries.Date { return timeseries.NewDate(2024, 1, n) }
	all := catalog.HistoryQuery{Start: timeseries.NoDate, End: timeseries.NoDate}
	for _, test := range []struct {
		name     string
		symbol   string
		query    catalog.HistoryQuery
		answer   syncing.Result
		stored   int // returns in the answer
		fetching bool
		refused  string // part of the message
	}{
		{name: "current", symbol: "AA", query: all, answer: syncing.Result{Status: syncing.Current}, stored: 2},
		{name: "in flight, with a part stored", symbol: "AA", query: all, answer: syncing.Result{Status: syncing.Loading}, stored: 2},
		{name: "in flight, past the edge", symbol: "AA", query: catalog.HistoryQuery{Start: day(20), End: timeseries.NoDate, Metrics: true}, answer: syncing.Result{Status: syncing.Loading}, fetching: true},
		{name: "in flight, nothing stored", symbol: "NEW", query: all, answer: syncing.Result{Status: syncing.Loading}, fetching: true},
		{name: "failed, with bars", symbol: "AA", query: all, answer: syncing.Result{Status: syncing.Broken, Message: "Down."}, stored: 2},
		{name: "failed, without", symbol: "NEW", query: all, answer: syncing.Result{Status: syncing.Broken, Message: "Down."}, refused: "No bars of NEW are stored. Down."},
		{name: "nobody has it", symbol: "NEW", query: all, answer: syncing.Result{Status: syncing.None, Message: "No provider has bars of NEW."}, refused: "No provider has bars of NEW."},
		{name: "loaded", symbol: "NEW", query: all, answer: syncing.Result{Status: syncing.Loaded}, stored: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			fresh := &catalog.Asset{ID: "asset_n", Symbol: "NEW", Type: "crypto", FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate}
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
			h, err := catalog.NewService(shelf{assets: assets}, bars, nil, loads, nil).AssetHistory(t.Context(), test.symbol, test.query)
			if test.refused != "" {
				if fault.TypeOf(err) != fault.NoHistory || !strings.Contains(err.Error(), test.refused) {
					t.Error(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(h.Returns) != test.stored || h.Fetching != test.fetching {
				t.Errorf("%d returns, fetching %v", len(h.Returns), h.Fetching)
			}
			if loads.until != test.query.End || loads.asset.Coin != (test.symbol == "NEW") || loads.asset.Symbol != test.symbol {
				t.Errorf("asked for %+v until %s", loads.asset, loads.until)
			}
		})
	}
}
