package program

import (
	"context"
	"fmt"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/timeseries"
)

// benchmark reads what a model is compared with: an asset or one of the owner's
// models. It must share a session with the window, where that has any.
func (s *Service) benchmark(ctx context.Context, accountID, ref string, window timeseries.Series) (*metrics.BenchmarkSeries, error) {
	u, err := resolve(ctx, s.assets, s.store, accountID, []string{ref})
	if err != nil {
		return nil, err
	}
	refuse := func(symbol, problem, suggestion string) error {
		return fault.New(fault.InvalidParameter, "The benchmark %s cannot be used: %s.", symbol, problem).
			With(fault.Detail{Location: "query.benchmark", Message: problem, Suggestion: suggestion})
	}
	if nearest, missing := u.unknown[ref]; missing {
		return nil, refuse(fmt.Sprintf("%q", ref), "it is neither an asset nor one of your models", nearest)
	}
	if u.several[ref] != nil {
		return nil, refuse(fmt.Sprintf("%q", ref), u.ambiguous(ref), "")
	}
	b := &metrics.BenchmarkSeries{}
	if a := u.assets[ref]; a != nil {
		loaded, err := s.bars.Load(ctx, []string{a.ID}, a.BarsVersion)
		if err != nil {
			return nil, fmt.Errorf("load the benchmark's bars: %w", err)
		}
		b.Symbol, b.Series = a.Symbol, loaded[a.ID]
		if series, ok := loaded[a.ID]; !ok || series.Empty() {
			return nil, refuse(a.Symbol, "no bars of it are stored", "")
		}
	} else {
		m := u.models[ref]
		if m.Live == nil {
			return nil, refuse(m.Symbol, "the model has no result yet", "")
		}
		if b.Series, _, err = s.results.Series(ctx, m.Live); err != nil {
			return nil, err
		}
		b.Symbol = m.Symbol
	}
	if err := metrics.Comparable(window, b); err != nil {
		return nil, refuse(b.Symbol, err.Error(), "")
	}
	return b, nil
}
