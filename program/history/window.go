package history

import (
	"context"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/result"
	"ballast/timeseries"
)

// window is the rows of a complete run's daily table that a history covers. All
// blocks are made from it.
type window struct {
	run      *program.Run // as the reader sees it
	reader   program.Reader
	results  *result.Store
	daily    *result.Daily
	from, to int // row of the base, and the row after the last
	names    *names
	runs     map[string]*program.Run // the run and the runs that it was pinned to; nil until a block needs them
}

// window reads the daily table of a run and finds the rows that the query asks for.
func (s *Service) window(ctx context.Context, callerID string, run *program.Run, q Query) (*window, error) {
	if run.Status != program.RunComplete {
		return nil, fault.New(fault.NoHistory, "The run %s has no result: it is %s.", run.ID, run.Status)
	}
	d, err := s.c.Results.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	w := &window{
		run: run, reader: program.Reader{Store: s.c.Store, AccountID: callerID}, results: s.c.Results, daily: d, names: namesOf(run),
	}
	w.from, w.to = program.Window(d.Dates, q.Start, q.End)
	return w, nil
}

// dates returns the dates with a return: all except the base.
func (w *window) dates() []timeseries.Date { return w.daily.Dates[w.from+1 : w.to] }

// returns returns the daily returns.
func (w *window) returns() []float64 { return w.daily.Returns[w.from+1 : w.to] }

// series returns the returns as a series that starts at the base.
func (w *window) series() timeseries.Series { return w.daily.Series(w.from, w.to) }

// memberRuns returns the run and the runs that it was pinned to, by id.
func (w *window) memberRuns(ctx context.Context) (map[string]*program.Run, error) {
	if w.runs == nil {
		runs, err := memberRuns(ctx, w.reader, w.run)
		if err != nil {
			return nil, err
		}
		w.runs = runs
	}
	return w.runs, nil
}
