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

// Benchmark reads an asset to compare a window of returns with. Missing bars up to the
// window's end are first requested from the providers, as in a history. The error is
// fault.InvalidParameter if there are no bars, or none on a session of the window, and
// fault.Unavailable while the first ones are being loaded.
func (s *Service) Benchmark(ctx context.Context, a *Asset, window timeseries.Series) (*metrics.BenchmarkSeries, error) {
	a, series, asked, err := s.current(ctx, a, window.Last())
	switch {
	case err != nil:
		return nil, err
	case series.Empty() && asked.Status == syncing.Loading:
		return nil, fault.New(fault.Unavailable, "The bars of the benchmark %s are being loaded. Try again in a moment.", a.Symbol)
	case series.Empty():
		return nil, RefuseBenchmark(a.Symbol, missing("no bars of it are stored", asked), "")
	}
	b := &metrics.BenchmarkSeries{Symbol: a.Symbol, Series: series}
	if err := metrics.Comparable(window, b); err != nil {
		return nil, RefuseBenchmark(a.Symbol, err.Error(), "")
	}
	return b, nil
}

// benchmark is Benchmark for a symbol or id, with or without the prefix that marks an
// asset.
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

// RefuseBenchmark returns the error that says why something cannot be a benchmark, what
// may have been meant ("" if nothing is similar), and what is accepted.
func RefuseBenchmark(named, problem, suggestion string, accepted ...string) error {
	return fault.New(fault.InvalidParameter, "The benchmark %s cannot be used: %s.", named, problem).
		With(fault.Detail{Field: "benchmark", Message: problem, Suggestion: suggestion, Accepted: accepted})
}

// missing adds the providers' reason to a problem, if they gave one.
func missing(problem string, asked syncing.Result) string {
	if asked.Message == "" {
		return problem
	}
	return problem + ", and none could be loaded (" + asked.Message + ")"
}
