package history

import (
	"context"
	"fmt"
	"math"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/result"
	"ballast/timeseries"
)

// History reads blocks of a model's history: of its live run, or of the run that
// the query names. The window begins where the default view does unless the
// query says otherwise.
func (s *Service) History(ctx context.Context, accountID, ref string, q Query) (*History, error) {
	m, err := s.c.Models.Served(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	run := m.Live
	if q.RunID != "" {
		if run, err = s.runOf(ctx, accountID, m, q.RunID); err != nil {
			return nil, err
		}
	}
	if run == nil {
		return nil, noResult(m)
	}
	asked := q.Start
	if q.Start == timeseries.NoDate && !q.Full {
		q.Start = m.ViewStart()
	}
	h, err := s.history(ctx, accountID, run, q)
	if err == nil && len(h.Dates) == 0 && asked == timeseries.NoDate && q.End > run.Base && q.End < q.Start {
		h.Note = fmt.Sprintf("The model's default view begins on %s, after end_date. Give a start_date, or full_history=true.", q.Start)
	}
	return h, err
}

// noResult says why a model has no history, and what would make one.
func noResult(m *program.Sheet) error {
	if m.Status == program.StatusFailed {
		return fault.New(fault.NoHistory, "The model has no history: its build has failed, for what the model's error says. Rebuild it.")
	}
	return fault.New(fault.NoHistory, "The model has no history yet: it is %s. Read it again when its build has ended.", m.Status)
}

// RunHistory reads blocks of one run's result, everything computed unless the
// query gives a window.
func (s *Service) RunHistory(ctx context.Context, accountID, ref string, q Query) (*History, error) {
	run, err := s.c.Runs.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return s.history(ctx, accountID, run, q)
}

// runOf reads a run of the model; another model's run is not found.
func (s *Service) runOf(ctx context.Context, accountID string, m *program.Sheet, ref string) (*program.Run, error) {
	if runID, ok := id.Parse(id.Run, ref); ok && m.Live != nil && runID == m.Live.ID {
		return m.Live, nil
	}
	run, err := s.c.Runs.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if run.ProgramID != m.ID {
		return nil, fault.Missing("run", ref)
	}
	return run, nil
}

// history reads the blocks of a complete run, which is as the caller sees it. The benchmark is one of the caller's
// models or an asset: a reader of what is shared reads nothing else through it.
func (s *Service) history(ctx context.Context, callerID string, run *program.Run, q Query) (*History, error) {
	if run.Status != program.RunComplete {
		return nil, fault.New(fault.NoHistory, "The run %s has no result: it is %s.", run.ID, run.Status)
	}
	d, err := s.c.Results.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	from, to := program.Window(d.Dates, q.Start, q.End)
	h := &History{
		ModelID: run.ProgramID, RunID: run.ID, AsOf: d.Dates[len(d.Dates)-1],
		Base: d.Dates[from], Dates: d.Dates[from+1 : to],
	}
	if len(h.Dates) == 0 {
		h.Note = d.Why(q.Start, q.End)
	}
	if q.Returns {
		h.Returns = d.Returns[from+1 : to]
	}
	n := namesOf(run)
	if err := s.weightBlocks(ctx, h, callerID, run, n, q, d, from, to); err != nil {
		return nil, err
	}
	if err := s.recordedBlocks(ctx, h, callerID, run, n, q, d, from, to); err != nil {
		return nil, err
	}
	if err := s.figureBlocks(ctx, h, callerID, run, q, d, from, to); err != nil {
		return nil, err
	}
	h.Labels = n.labels
	return h, nil
}

// weightBlocks reads the blocks that see through member models.
func (s *Service) weightBlocks(ctx context.Context, h *History, callerID string, run *program.Run, n *names, q Query, d *result.Daily, from, to int) error {
	if !q.Allocation && !q.Tree && !q.Latest {
		return nil
	}
	x, err := s.expand(ctx, callerID, run, n, h.Dates)
	if err != nil {
		return err
	}
	if q.Allocation || q.Tree {
		children, err := x.children(ctx, run, nil)
		if err != nil {
			return err
		}
		if q.Allocation {
			leaves := flatten(children)
			h.Allocation = &Allocation{Keys: leaves.Keys, Weights: leaves.Values}
			if h.Allocation.Rebalances, err = s.rebalances(ctx, run, d, from, to, q.End); err != nil {
				return err
			}
		}
		if q.Tree {
			h.Tree = tree(n, run, children, len(h.Dates))
		}
	}
	if q.Latest {
		h.Latest, err = s.latest(ctx, x, run, d)
	}
	return err
}

// recordedBlocks reads the blocks that stand in the result by key.
func (s *Service) recordedBlocks(ctx context.Context, h *History, callerID string, run *program.Run, n *names, q Query, d *result.Daily, from, to int) error {
	if q.Contribution {
		c, err := s.c.Results.Keyed(ctx, run, result.PartContributions)
		if err != nil {
			return err
		}
		h.Contribution = &Contribution{Columns: c.Cut(from+1, to), Total: d.Returns[from+1 : to]}
		n.cash()
	}
	if q.Allocation || q.Latest || q.Contribution {
		n.own(run)
	}
	if q.Custom {
		c, err := s.c.Results.Keyed(ctx, run, result.PartCustom)
		if err != nil {
			return err
		}
		h.Custom = &Custom{Series: c.Cut(from+1, to), Values: Weights{}}
		if len(c.Keys) > 0 {
			tree, err := memberRuns(ctx, program.Reader{Store: s.c.Store, AccountID: callerID}, run)
			if err != nil {
				return err
			}
			n.reserve(run, tree)
		}
		for i, name := range c.Keys {
			n.custom(name)
			h.Custom.Values = append(h.Custom.Values, Weight{name, lastRecord(c.Values[i][:to])})
		}
	}
	return nil
}

// lastRecord is the last value that is a number, NaN without one.
func lastRecord(values []float64) float64 {
	for i := len(values) - 1; i >= 0; i-- {
		if v := values[i]; !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// figureBlocks computes the blocks of figures.
func (s *Service) figureBlocks(ctx context.Context, h *History, callerID string, run *program.Run, q Query, d *result.Daily, from, to int) (err error) {
	if q.Metrics || q.Fees {
		o := metrics.Options{
			BarsPerYear: run.Summary.Alignment.BarsPerYear, RiskFree: q.RiskFree,
			GrossExposure: d.Gross[from+1 : to], Traded: d.Traded[from+1 : to],
		}
		series := d.Series(from, to)
		ratios, err := s.c.Trials.Trials(ctx, run.ProgramID)
		if err != nil {
			return err
		}
		tried := trialsOf(ratios)
		o.Trials, o.TrialSharpeVariance = tried.count, tried.variance
		if q.Benchmark != "" {
			if o.Benchmark, err = s.benchmark(ctx, callerID, q.Benchmark, series); err != nil {
				return err
			}
			if q.Beside {
				h.Beside = &Beside{Symbol: o.Benchmark.Symbol}
				h.Beside.Returns, h.Beside.From = metrics.Aligned(series, o.Benchmark.Series)
			}
		}
		if q.Metrics {
			h.Metrics = metrics.Compute(series, o)
		}
		if q.Fees {
			h.Fees = feesBlock(d, from, to, q, o)
		}
	}
	if q.Timing {
		stored, err := s.c.Runs.Stored(ctx, run)
		if err != nil {
			return err
		}
		if h.Timing, err = s.timing(ctx, callerID, stored, d, from, to); err != nil {
			return err
		}
	}
	return nil
}
