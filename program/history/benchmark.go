package history

import (
	"context"
	"fmt"

	"ballast/catalog"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// Benchmarks reads the assets that models are compared with. *catalog.Service
// implements it.
type Benchmarks interface {
	// Benchmark reads an asset that has a session in common with the window, if the
	// window has any. It returns fault.InvalidParameter if the asset cannot be used,
	// and fault.Unavailable while its first bars are being loaded.
	Benchmark(ctx context.Context, a *catalog.Asset, window timeseries.Series) (*metrics.BenchmarkSeries, error)
}

// benchmark reads what a model is compared with: an asset or one of the owner's
// models. It must have a session in common with the window, if the window has any.
func (s *Service) benchmark(ctx context.Context, accountID, ref string, window timeseries.Series) (*metrics.BenchmarkSeries, error) {
	u, err := program.Resolve(ctx, s.c.Assets, s.c.Store, accountID, []string{ref}, nil)
	if err != nil {
		return nil, err
	}
	if p, bad := u.Problem(ref); bad {
		return nil, catalog.RefuseBenchmark(fmt.Sprintf("%q", ref), p.Message, p.Suggestion, p.Accepted...)
	}
	if a := u.Assets[ref]; a != nil {
		return s.c.Benchmarks.Benchmark(ctx, a, window)
	}
	m := u.Models[ref]
	if m.Live == nil {
		return nil, catalog.RefuseBenchmark(m.Symbol, "the model has no result yet", "")
	}
	b := &metrics.BenchmarkSeries{Symbol: m.Symbol}
	if b.Series, _, err = s.c.Results.Series(ctx, m.Live); err != nil {
		return nil, err
	}
	if err := metrics.Comparable(window, b); err != nil {
		return nil, catalog.RefuseBenchmark(m.Symbol, err.Error(), "")
	}
	return b, nil
}

// Beside is a benchmark's returns on the history's dates, from its first common date
// on.
type Beside struct {
	Symbol  string
	From    int       // index in Dates of its first return
	Returns []float64 // daily fractions
}

// alignBenchmark returns the benchmark's returns on the window's dates.
func (w *window) alignBenchmark(b *metrics.BenchmarkSeries) *Beside {
	out := &Beside{Symbol: b.Symbol}
	out.Returns, out.From = metrics.Aligned(w.series(), b.Series)
	return out
}
