package catalog

import (
	"context"
	"time"

	"ballast/catalog/backfill"
	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/timeseries"
	"ballast/timeseries/bars/syncing"
)

// Loads loads bars that are not stored yet. *syncing.Syncer is one.
type Loads interface {
	// Read requests the missing bars for a read up to a date (NoDate: to the end) and
	// waits for them, for at most wait.
	Read(ctx context.Context, a syncing.Asset, until timeseries.Date, wait time.Duration) syncing.Result
}

// patience is how long a read waits for bars that are being loaded.
const patience = 4 * time.Second

// Loading returns the asset in the form that loads need.
func (a *Asset) Loading() syncing.Asset {
	return syncing.Asset{
		ID: a.ID, Symbol: a.Symbol, Coin: a.Type == "crypto", SevenDay: a.SevenDay, Delisted: a.Delisted, Last: a.LastPriceDate,
	}
}

// HistoryQuery selects a window of an asset's daily total returns.
type HistoryQuery struct {
	Account    string          // whose backfill is spliced in; "" for the asset's own bars alone
	Start, End timeseries.Date // inclusive, NoDate if not given
	Metrics    bool            // statistics over the window
	RiskFree   series.Riskless // for the metrics
	Benchmark  string          // symbol or id of an asset that the metrics compare with; "" without
}

// History is a window of an asset's daily total returns.
type History struct {
	Asset    *Asset
	Fetching bool            // the window is empty, and a load is in progress
	DataEdge timeseries.Date // last stored bar, whatever the window; NoDate if there is none
	Base     timeseries.Date // the session before the first return
	Dates    []timeseries.Date
	Returns  []float64         // daily fractions, one per date; shared, callers must not change them
	Spliced  []backfill.Splice // the days of the window that come from a backfill, the earliest first
	Metrics  *metrics.Block
}

// AssetHistory reads the daily total returns of an asset. The error is fault.NotFound, or
// fault.NoHistory if it has no stored bar and none is being loaded. If the window extends
// past the last stored bar and a newer session should exist by now, the providers are
// asked first, and the read waits a few seconds. A window without bars is empty.
func (s *Service) AssetHistory(ctx context.Context, ref string, q HistoryQuery) (*History, error) {
	a, err := s.Asset(ctx, ref)
	if err != nil {
		return nil, err
	}
	a, series, asked, err := s.current(ctx, a, q.End)
	if err != nil {
		return nil, err
	}
	if series.Empty() && asked.Status != syncing.Loading {
		return nil, noHistory(a, asked)
	}
	edge := series.Last()
	var spliced []backfill.Splice
	if q.Account != "" && s.before != nil {
		if series, spliced, err = s.before.Splice(ctx, q.Account, a, series); err != nil {
			return nil, err
		}
	}
	series = cut(series, q.Start, q.End)
	h := &History{
		Asset: a, Fetching: asked.Status == syncing.Loading && len(series.Dates) == 0,
		DataEdge: edge, Base: series.Base, Dates: series.Dates, Returns: series.Returns, Spliced: within(spliced, series.Dates),
	}
	if !q.Metrics {
		return h, nil
	}
	o := metrics.Options{BarsPerYear: barsPerYear(a)}
	if err := q.RiskFree.Set(&o, series); err != nil {
		return nil, err
	}
	if q.Benchmark != "" {
		if o.Benchmark, err = s.benchmark(ctx, q.Benchmark, series); err != nil {
			return nil, err
		}
	}
	h.Metrics = metrics.Compute(series, o)
	return h, nil
}

// current reads an asset's own bars, and the record that belongs to them. Missing bars up
// to a date (NoDate: to the end) that should exist by now are first requested from the
// providers.
func (s *Service) current(ctx context.Context, a *Asset, until timeseries.Date) (*Asset, timeseries.Series, syncing.Result, error) {
	asked := syncing.Result{Status: syncing.Current}
	if s.loads != nil {
		asked = s.loads.Read(ctx, a.Loading(), until, patience)
	}
	if asked.Status == syncing.Loaded {
		var err error
		if a, err = s.store.Asset(ctx, a.ID); err != nil {
			return nil, timeseries.Series{}, asked, err
		}
	}
	series, err := s.series(ctx, a)
	return a, series, asked, err
}

// noHistory says why an asset has no bars, and how to load them.
func noHistory(a *Asset, asked syncing.Result) error {
	if asked.Message != "" {
		return fault.New(fault.NoHistory, "No bars of %s are stored. %s", a.Symbol, asked.Message)
	}
	return fault.New(fault.NoHistory, "No bars of %s are stored. Import a file that has them.", a.Symbol)
}

// within cuts stretches to the dates of a window.
func within(spliced []backfill.Splice, dates []timeseries.Date) []backfill.Splice {
	var out []backfill.Splice
	for _, s := range spliced {
		from, to := timeseries.From(dates, s.Start), timeseries.Through(dates, s.End)
		if from < to {
			s.Start, s.End = dates[from], dates[to-1]
			out = append(out, s)
		}
	}
	return out
}
