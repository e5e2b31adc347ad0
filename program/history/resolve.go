package history

import (
	"context"
	"fmt"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
	"ballast/script"
	"ballast/timeseries"
)

// History reads blocks of a model's history: of its live run, or of the run that the
// query names. Unless the query says otherwise, the window starts where the default
// view does.
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
	h, err := s.read(ctx, accountID, run, q)
	if err == nil && len(h.Dates) == 0 && asked == timeseries.NoDate && q.End > run.Base && q.End < q.Start {
		h.Note = fmt.Sprintf("The model's default view starts on %s, after end_date. Give a start_date, or full_history=true.", q.Start)
	}
	return h, err
}

// noResult explains why a model has no history, and what to do.
func noResult(m *program.Sheet) error {
	if m.Status == program.StatusFailed {
		return fault.New(fault.NoHistory, "The model has no history: its build failed. Read the model's error, then rebuild it.")
	}
	return fault.New(fault.NoHistory, "The model has no history yet: it is %s. Read it again when its build has ended.", m.Status)
}

// RunHistory reads blocks of one run's result: everything that was computed, unless
// the query gives a window.
func (s *Service) RunHistory(ctx context.Context, accountID, ref string, q Query) (*History, error) {
	run, err := s.c.Runs.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if kind := program.KindOf(run.ProgramID); kind != program.KindModel {
		return nil, fault.New(fault.NoHistory, "The run belongs to %s, which has a result but no history.", script.WithArticle(kind))
	}
	return s.read(ctx, accountID, run, q)
}

// runOf reads a run of the model. Another model's run is not found.
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
