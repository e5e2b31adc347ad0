package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/metrics"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// History reads blocks of a model's history: of its live run, or of the run that
// the query names. The window begins where the default view does unless the
// query says otherwise.
func (s *Service) History(ctx context.Context, accountID, ref string, q HistoryQuery) (*History, error) {
	m, err := s.Sheet(ctx, accountID, ref)
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
		return nil, fault.New(fault.NoHistory, "The model has no history yet: it is %s. Read it again when its build has ended.", m.Status)
	}
	if q.Start == timeseries.NoDate && !q.Full {
		q.Start = m.StartDate
	}
	return s.history(ctx, m.AccountID, run, q)
}

// RunHistory reads blocks of one run's result, everything computed unless the
// query gives a window.
func (s *Service) RunHistory(ctx context.Context, accountID, ref string, q HistoryQuery) (*History, error) {
	run, err := s.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	return s.history(ctx, run.AccountID, run, q)
}

// runOf reads a run of the model; another model's run is not found.
func (s *Service) runOf(ctx context.Context, accountID string, m *Sheet, ref string) (*Run, error) {
	if runID, ok := id.Parse(id.Run, ref); ok && m.Live != nil && runID == m.Live.ID {
		return m.Live, nil
	}
	run, err := s.Run(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if run.ProgramID != m.ID {
		return nil, notFound("run", ref)
	}
	return run, nil
}

// history reads the blocks of a complete run.
func (s *Service) history(ctx context.Context, ownerID string, run *Run, q HistoryQuery) (*History, error) {
	if run.Status != RunComplete {
		return nil, fault.New(fault.NoHistory, "The run %s has no result: it is %s.", run.ID, run.Status)
	}
	d, err := s.results.daily(ctx, run, q.Allocation)
	if err != nil {
		return nil, err
	}
	from, to := d.window(q.Start, q.End)
	h := &History{
		ModelID: run.ProgramID, RunID: run.ID, AsOf: run.Last,
		Base: d.dates[from], Dates: d.dates[from+1 : to],
	}
	if h.AsOf == timeseries.NoDate {
		h.AsOf = run.Base
	}
	if q.Returns {
		h.Returns = d.returns[from+1 : to]
	}
	if q.Allocation {
		end := q.End
		if end == timeseries.NoDate {
			end = d.dates[to-1]
		}
		if h.Allocation, h.Labels, err = s.allocation(ctx, run, d, from, to, end); err != nil {
			return nil, err
		}
	}
	if q.Metrics {
		if h.Metrics, err = s.metrics(ctx, ownerID, run, d, from, to, q); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// metrics computes the figures of rows from to to of a result.
func (s *Service) metrics(ctx context.Context, ownerID string, run *Run, d *daily, from, to int, q HistoryQuery) (*metrics.Block, error) {
	o := metrics.Options{
		BarsPerYear: run.Summary.Alignment.BarsPerYear, RiskFree: q.RiskFree,
		GrossExposure: d.gross[from+1 : to], Traded: d.traded[from+1 : to],
	}
	if q.Benchmark != "" {
		b, err := s.benchmark(ctx, ownerID, q.Benchmark)
		if err != nil {
			return nil, err
		}
		o.Benchmark = b
	}
	series := timeseries.Series{Base: d.dates[from], Dates: d.dates[from+1 : to], Returns: d.returns[from+1 : to]}
	return metrics.Compute(series, o), nil
}

// benchmark reads what a model is compared with: an asset or one of the owner's models.
func (s *Service) benchmark(ctx context.Context, accountID, ref string) (*metrics.BenchmarkSeries, error) {
	u, err := resolve(ctx, s.assets, s.store, accountID, []string{ref})
	if err != nil {
		return nil, err
	}
	detail := fault.Detail{Location: "query.benchmark", Message: fmt.Sprintf("%q is neither an asset nor one of your models", ref)}
	if nearest, missing := u.unknown[ref]; missing {
		detail.Suggestion = nearest
		return nil, fault.New(fault.InvalidParameter, "There is no benchmark %q.", ref).With(detail)
	}
	if a := u.assets[ref]; a != nil {
		loaded, err := s.bars.Load(ctx, []string{a.ID}, a.BarsVersion)
		if err != nil {
			return nil, fmt.Errorf("load the benchmark's bars: %w", err)
		}
		if loaded[a.ID].Empty() {
			detail.Message = fmt.Sprintf("%s has no bars stored", a.Symbol)
			return nil, fault.New(fault.InvalidParameter, "The benchmark %s has no history.", a.Symbol).With(detail)
		}
		return &metrics.BenchmarkSeries{Symbol: a.Symbol, Series: loaded[a.ID]}, nil
	}
	m := u.models[ref]
	if m.Live == nil {
		detail.Message = fmt.Sprintf("the model %s has no result yet", m.Symbol)
		return nil, fault.New(fault.InvalidParameter, "The benchmark %s has no history.", m.Symbol).With(detail)
	}
	series, _, err := s.results.Series(ctx, m.Live)
	if err != nil {
		return nil, err
	}
	return &metrics.BenchmarkSeries{Symbol: m.Symbol, Series: series}, nil
}

// daily is the daily table of a run in Go memory: row 0 is the base.
type daily struct {
	dates   []timeseries.Date
	returns []float64 // row 0 means nothing
	gross   []float64
	traded  []float64
	keys    []string    // of weights, CASH last; nil where not asked for
	weights [][]float64 // by key
}

// daily reads a run's daily table, from its object where it is not in memory: as
// whole columns of one small file, which cost a query engine more to plan than
// to read. The table is shared: callers do not write to it.
func (r *Results) daily(ctx context.Context, run *Run, weights bool) (_ *daily, err error) {
	if d, ok := r.tables.get(run.ID, weights); ok {
		return d, nil
	}
	path, err := r.bucket.Path(ctx, run.Result.Daily)
	if err != nil {
		return nil, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	file, err := columnar.OpenParquet(path)
	if err != nil {
		return nil, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	columns := []string{"date", "return", "gross_exposure", "traded"}
	if weights {
		for _, f := range file.Schema().Fields() {
			if strings.HasPrefix(f.Name, backtest.WeightPrefix) {
				columns = append(columns, f.Name)
			}
		}
	}
	table, err := file.Read(columns, columnar.All)
	if err != nil {
		return nil, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	defer table.Release()
	d := &daily{}
	if err := d.append(table); err != nil {
		return nil, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	if len(d.dates) == 0 {
		return nil, fmt.Errorf("result of run %s has no rows", run.ID)
	}
	r.tables.add(run.ID, weights, d)
	return d, nil
}

func (d *daily) append(record arrow.RecordBatch) error {
	for i, field := range record.Schema().Fields() {
		switch column := record.Column(i).(type) {
		case *array.Date32:
			for _, v := range column.Date32Values() {
				d.dates = append(d.dates, timeseries.Date(v))
			}
		case *array.Float64:
			values := d.column(field.Name)
			*values = append(*values, column.Float64Values()...)
		default:
			return fmt.Errorf("column %s has type %s", field.Name, field.Type)
		}
	}
	return nil
}

// column is where the values of a float column go.
func (d *daily) column(name string) *[]float64 {
	switch name {
	case "return":
		return &d.returns
	case "gross_exposure":
		return &d.gross
	case "traded":
		return &d.traded
	}
	key := strings.TrimPrefix(name, backtest.WeightPrefix)
	i := slices.Index(d.keys, key)
	if i < 0 {
		i = len(d.keys)
		d.keys = append(d.keys, key)
		d.weights = append(d.weights, nil)
	}
	return &d.weights[i]
}

// window gives the row of the base and the row after the last for dates from
// start to end, inclusive; a window without rows is an empty one.
func (d *daily) window(start, end timeseries.Date) (from, to int) {
	from, to = 0, len(d.dates)
	if start != timeseries.NoDate {
		from = max(0, sort.Search(len(d.dates), func(i int) bool { return d.dates[i] >= start })-1)
	}
	if end != timeseries.NoDate {
		to = sort.Search(len(d.dates), func(i int) bool { return d.dates[i] > end })
	}
	return from, max(to, from+1)
}
