package export

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

// results opens the results of runs, one run after the other.
func (s *Service) results(ctx context.Context, accountID string, q Query) (*Rows, error) {
	next, err := s.named(ctx, accountID, q)
	if err != nil {
		return nil, err
	}
	w := &resultWalk{next: next, table: q.Table, query: history.Query{
		Returns: q.Table == Returns, Allocation: q.Table == Allocations || q.Table == Trades, Contribution: q.Table == Contributions,
		Tree: q.Table == Tree, Custom: q.Table == Diagnostics, Metrics: q.Table == Metrics, Full: true, Start: q.Start, End: q.End,
	}}
	return newRows(ctx, q.Table, w.batch, nil)
}

// reading reads the history of one run. symbol and name are those of its model; symbol
// is "" if the caller may read the run but not the model.
type reading struct {
	symbol, name string
	history      func(ctx context.Context, q history.Query) (*history.History, error)
}

// readings returns the reading of the next run, or nil after the last run.
type readings func(ctx context.Context) (*reading, error)

// named returns the runs that a query names, each once. If the query names none, it
// returns all runs that the account's models serve.
func (s *Service) named(ctx context.Context, accountID string, q Query) (readings, error) {
	if len(q.Models)+len(q.RunIDs) == 0 {
		return s.allLive(accountID), nil
	}
	var all []*reading
	seen := map[string]bool{}
	for _, ref := range q.Models {
		m, err := s.c.Models.Sheet(ctx, accountID, ref)
		if err == nil && m.Live == nil {
			err = fault.New(fault.NoHistory, "The model %q has no history yet: it is %s.", ref, m.Status)
		}
		if err != nil {
			return nil, inQuery(err, "models", ref)
		}
		if !seen[m.Live.ID] {
			seen[m.Live.ID] = true
			all = append(all, &reading{m.Symbol, m.Name, func(ctx context.Context, q history.Query) (*history.History, error) {
				return s.c.Histories.History(ctx, accountID, ref, q)
			}})
		}
	}
	for _, ref := range q.RunIDs {
		r, err := s.c.Runs.Run(ctx, accountID, ref)
		if err == nil && r.Status != program.RunComplete {
			err = fault.New(fault.NoHistory, "The run %s has no result: it is %s.", r.ID, r.Status)
		}
		if err != nil {
			return nil, inQuery(err, "run_ids", ref)
		}
		if !seen[r.ID] {
			seen[r.ID] = true
			one := s.own(accountID, r.ID, "", r.ProgramName)
			m, err := s.c.Models.Sheet(ctx, accountID, r.ProgramID)
			switch {
			case err == nil:
				one.symbol = m.Symbol
			case fault.TypeOf(err) != fault.NotFound: // NotFound is a shared run of a model that is not shared
				return nil, err
			}
			all = append(all, one)
		}
	}
	return func(context.Context) (*reading, error) {
		if len(all) == 0 {
			return nil, nil //nolint:nilnil // the end
		}
		one := all[0]
		all = all[1:]
		return one, nil
	}, nil
}

func (s *Service) own(accountID, runID, symbol, name string) *reading {
	return &reading{symbol, name, func(ctx context.Context, q history.Query) (*history.History, error) {
		return s.c.Histories.RunHistory(ctx, accountID, runID, q)
	}}
}

// allLive pages through the runs that the account's models serve.
func (s *Service) allLive(accountID string) readings {
	var page []LiveRun
	after, done := "", false
	return func(ctx context.Context) (*reading, error) {
		if len(page) == 0 && !done {
			var err error
			if page, err = s.c.RunPages.LiveRunsAfter(ctx, accountID, after, recordPage); err != nil {
				return nil, err
			}
			done = len(page) < recordPage
			if n := len(page); n > 0 {
				after = page[n-1].ProgramID
			}
		}
		if len(page) == 0 {
			return nil, nil //nolint:nilnil // the end
		}
		one := s.own(accountID, page[0].RunID, page[0].Symbol, page[0].Name)
		page = page[1:]
		return one, nil
	}
}

// resultWalk reads the results of one run after another. A run with many rows comes in
// several batches.
type resultWalk struct {
	table   Table
	query   history.Query
	next    readings
	model   *reading          // the run that is being read
	history *history.History  // its history; nil before the first run
	names   map[string]string // names of the history's keys
	series  []series          // series of the history, for days
	day     int               // index of the next day of the history
}

func (w *resultWalk) batch(ctx context.Context) (arrow.RecordBatch, error) {
	for {
		if w.history != nil {
			if record := w.part(); record != nil {
				return record, nil
			}
		}
		read, err := w.next(ctx)
		if err != nil {
			return nil, err
		}
		if read == nil {
			return nil, io.EOF
		}
		if w.history, err = read.history(ctx, w.query); err != nil {
			return nil, err
		}
		w.model, w.day, w.names = read, 0, map[string]string{}
		for _, l := range w.history.Labels {
			w.names[l.Key] = l.Name
		}
		w.series = w.seriesOf(w.history)
	}
}

// part returns the next rows of the current history, or nil after the last.
func (w *resultWalk) part() arrow.RecordBatch {
	h := w.history
	switch w.table {
	case Trades, Metrics:
		w.history = nil // one batch has all rows
		if w.table == Metrics {
			return w.metrics(h)
		}
		return w.trades(h)
	}
	if w.day >= len(h.Dates) {
		return nil
	}
	if w.table == Returns {
		return w.returns()
	}
	return w.days()
}

func (w *resultWalk) returns() arrow.RecordBatch {
	h := w.history
	n := len(h.Dates)
	w.day = n
	values := array.NewFloat64Builder(memory.DefaultAllocator)
	values.AppendValues(h.Returns, nil)
	return array.NewRecordBatch(Returns.carried(), []arrow.Array{
		repeated(h.ModelID, n), repeated(w.model.symbol, n), w.modelName(n), repeated(h.RunID, n), dateColumn(h.Dates, 1), values.NewArray(),
	}, int64(n))
}

// modelName returns a column that repeats the model's name, which is never null.
func (w *resultWalk) modelName(n int) arrow.Array {
	c := newNames()
	c.rows(c.value(w.model.name), n)
	return c.array()
}

// dateColumn returns a column that repeats each date the given number of times.
func dateColumn(dates []timeseries.Date, times int) arrow.Array {
	b := array.NewDate32Builder(memory.DefaultAllocator)
	b.Reserve(len(dates) * times)
	for _, d := range dates {
		for range times {
			b.Append(arrow.Date32(d))
		}
	}
	return b.NewArray()
}
