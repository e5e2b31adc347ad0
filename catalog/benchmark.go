package catalog

import (
	"context"
	"fmt"
	"strings"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/timeseries"
	"ballast/timeseries/bars/syncing"
)

// Benchmark reads an asset that a window of returns is compared with. Bars up to
// the window's end that are not stored are asked of the providers first, as those
// of a history are. fault.InvalidParameter where there are none, or none on a
// session of the window; fault.Unavailable while the first ones are being loaded.
func (s *Service) Benchmark(ctx context.Context, a *Asset, window timeseries.Series) (*metrics.BenchmarkSeries, error) {
	a, series, asked, err := s.current(ctx, a, window.Last())
	switch {
	case err != nil:
		return nil, err
	case series.Empty() && asked.Status == syncing.Loading:
		return nil, fault.New(fault.Unavailable, "The bars of the benchmark %s are being loaded. Ask again in a moment.", a.Symbol)
	case series.Empty():
		return nil, RefuseBenchmark(a.Symbol, missing("no bars of it are stored", asked), "")
	}
	b := &metrics.BenchmarkSeries{Symbol: a.Symbol, Series: series}
	if err := metrics.Comparable(window, b); err != nil {
		return nil, RefuseBenchmark(a.Symbol, err.Error(), "")
	}
	return b, nil
}

// benchmark is Benchmark of a symbol or id, with or without the word that says that
// an asset is meant.
func (s *Service) benchmark(ctx context.Context, ref string, window timeseries.Series) (*metrics.BenchmarkSeries, error) {
	a, err := s.store.Asset(ctx, strings.TrimPrefix(ref, "asset:"))
	if err != nil && fault.TypeOf(err) == fault.NotFound {
		near, err := s.nearest(ctx, ref)
		if err != nil {
			return nil, err
		}
		return nil, RefuseBenchmark(fmt.Sprintf("%q", ref), "it is not an asset of the catalog", near)
	}
	if err != nil {
		return nil, err
	}
	return s.Benchmark(ctx, a, window)
}

// RefuseBenchmark says why something cannot be compared with, what may have been
// meant, "" where nothing is near, and what would be accepted.
func RefuseBenchmark(named, problem, suggestion string, accepted ...string) error {
	return fault.New(fault.InvalidParameter, "The benchmark %s cannot be used: %s.", named, problem).
		With(fault.Detail{Field: "benchmark", Message: problem, Suggestion: suggestion, Accepted: accepted})
}

// missing is a problem with the providers' reason, where they gave one.
func missing(problem string, asked syncing.Result) string {
	if asked.Message == "" {
		return problem
	}
	return problem + ", and none could be loaded (" + asked.Message + ")"
}
