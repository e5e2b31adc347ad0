package history

import (
	"context"

	"ballast/metrics"
	"ballast/program"
)

// read reads the blocks that a query asks for from a complete run, which is given as
// the caller may see it. Each block is in the file named after it. Labels appear in
// the order in which blocks name things, so the order of the blocks is fixed.
func (s *Service) read(ctx context.Context, callerID string, run *program.Run, q Query) (*History, error) {
	w, err := s.window(ctx, callerID, run, q)
	if err != nil {
		return nil, err
	}
	h := &History{
		ModelID: run.ProgramID, RunID: run.ID, AsOf: w.daily.Dates[len(w.daily.Dates)-1],
		Base: w.daily.Dates[w.from], Dates: w.dates(),
	}
	if len(h.Dates) == 0 {
		h.Note = w.daily.Why(q.Start, q.End)
	}
	if q.Returns {
		h.Returns = w.returns()
	}
	if err := w.readHoldings(ctx, h, q); err != nil {
		return nil, err
	}
	if q.Contribution {
		if h.Contribution, err = w.contribution(ctx); err != nil {
			return nil, err
		}
	}
	if q.Allocation || q.Latest || q.Contribution {
		w.names.own(run)
	}
	if q.Custom {
		if h.Custom, err = w.custom(ctx); err != nil {
			return nil, err
		}
	}
	if q.Metrics || q.Fees {
		if err := s.readFigures(ctx, h, w, q); err != nil {
			return nil, err
		}
	}
	if q.Timing {
		if h.Timing, err = s.timing(ctx, w); err != nil {
			return nil, err
		}
	}
	h.Labels = w.names.labels
	return h, nil
}

// readHoldings reads the blocks that see through member models.
func (w *window) readHoldings(ctx context.Context, h *History, q Query) error {
	if !q.Allocation && !q.Tree && !q.Latest {
		return nil
	}
	x, err := w.expansion(ctx)
	if err != nil {
		return err
	}
	if q.Allocation || q.Tree {
		parts, err := x.children(ctx, w.run, nil)
		if err != nil {
			return err
		}
		if q.Allocation {
			if h.Allocation, err = w.allocation(ctx, parts, q.End); err != nil {
				return err
			}
		}
		if q.Tree {
			h.Tree = w.tree(parts)
		}
	}
	if q.Latest {
		h.Latest, err = w.latest(ctx, x)
	}
	return err
}

// readFigures computes the blocks of statistics.
func (s *Service) readFigures(ctx context.Context, h *History, w *window, q Query) error {
	o, err := s.figureOptions(ctx, w, q)
	if err != nil {
		return err
	}
	if o.Benchmark != nil && q.Beside {
		h.Beside = w.alignBenchmark(o.Benchmark)
	}
	if q.Metrics {
		h.Metrics = metrics.Compute(w.series(), o)
	}
	if q.Fees {
		h.Fees = w.fees(q.Rates, o)
	}
	return nil
}
