package program

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/backtest"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// part is what is decoded, and kept, of a run's result at a time.
type part string

const (
	partCore          part = "core"
	partWeights       part = backtest.WeightPrefix
	partContributions part = backtest.ContributionPrefix
	partCustom        part = backtest.CustomPrefix
	partLedger        part = "ledger"
	partTiming        part = "timing"
)

// decoded is a part of a run's result in Go memory.
type decoded interface{ size() int64 }

// daily is the daily table of a run without the columns that there is one a key
// of: row 0 is the base.
type daily struct {
	dates    []timeseries.Date
	returns  []float64 // row 0 means nothing
	gross    []float64
	traded   []float64
	decision backtest.Decision // the last one
}

func (d *daily) size() int64 {
	return int64(4*cap(d.dates)) + 8*int64(cap(d.returns)+cap(d.gross)+cap(d.traded)) + 64*int64(len(d.decision.Weights))
}

// size implements decoded; row 0 of columns of a result is the base.
func (c *Columns) size() int64 {
	n := int64(0)
	for i := range c.Values {
		n += 8*int64(cap(c.Values[i])) + int64(len(c.Keys[i])) + 40
	}
	return n
}

// cut is the columns' rows from from to to, on the same memory.
func (c *Columns) cut(from, to int) Columns {
	out := Columns{Keys: c.Keys, Values: make([][]float64, len(c.Values))}
	for i := range c.Values {
		out.Values[i] = c.Values[i][from:to]
	}
	return out
}

// daily reads the core of a run's daily table. What it returns, and what keyed
// and ledger do, is shared: callers do not write to it.
func (r *Results) daily(ctx context.Context, run *Run) (*daily, error) {
	return remembered(r, run, partCore, func() (*daily, error) {
		d := &daily{}
		err := r.read(ctx, run.Result.Daily, func(f *columnar.ParquetFile) error {
			summary, err := backtest.SummaryOf(f.Schema())
			if err != nil {
				return err
			}
			d.decision = summary.LastDecision
			table, err := f.Read([]string{"date", "return", "gross_exposure", "traded"}, columnar.All)
			if err != nil {
				return err
			}
			defer table.Release()
			return d.take(table)
		})
		return d, err
	})
}

// keyed reads the columns that there is one a key of: weights, contributions or
// custom series. What is null is NaN.
func (r *Results) keyed(ctx context.Context, run *Run, p part) (*Columns, error) {
	return remembered(r, run, p, func() (*Columns, error) {
		c := &Columns{}
		err := r.read(ctx, run.Result.Daily, func(f *columnar.ParquetFile) error {
			names := []string{}
			for _, field := range f.Schema().Fields() {
				if key, ok := strings.CutPrefix(field.Name, string(p)); ok {
					names, c.Keys = append(names, field.Name), append(c.Keys, key)
				}
			}
			if len(names) == 0 {
				return nil
			}
			table, err := f.Read(names, columnar.All)
			if err != nil {
				return err
			}
			defer table.Release()
			for i := range names {
				values, err := floats(table, i)
				if err != nil {
					return err
				}
				c.Values = append(c.Values, values)
			}
			return nil
		})
		return c, err
	})
}

// remembered answers from the cache, or reads and keeps.
func remembered[T decoded](r *Results, run *Run, p part, read func() (T, error)) (T, error) {
	if kept, ok := r.tables.get(run.ID, p); ok {
		if t, ok := kept.(T); ok {
			return t, nil
		}
	}
	t, err := read()
	if err != nil {
		return t, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	r.tables.add(run.ID, p, t)
	return t, nil
}

// read opens an object of a result: one small file of whole columns, which cost
// a query engine more to plan than to read.
func (r *Results) read(ctx context.Context, key string, use func(*columnar.ParquetFile) error) (err error) {
	path, err := r.bucket.Path(ctx, key)
	if err != nil {
		return err
	}
	file, err := columnar.OpenParquet(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return use(file)
}

// take copies the core's columns out of a record.
func (d *daily) take(table arrow.RecordBatch) error {
	dates, ok := table.Column(0).(*array.Date32)
	if !ok || dates.Len() == 0 {
		return fmt.Errorf("column %s is not dates, or has no rows", table.ColumnName(0))
	}
	d.dates = make([]timeseries.Date, dates.Len())
	for i, v := range dates.Date32Values() {
		d.dates[i] = timeseries.Date(v)
	}
	for i, column := range []*[]float64{&d.returns, &d.gross, &d.traded} {
		var err error
		if *column, err = floats(table, i+1); err != nil {
			return err
		}
	}
	return nil
}

// floats copies a column of numbers, NaN for null.
func floats(table arrow.RecordBatch, i int) ([]float64, error) {
	column, ok := table.Column(i).(*array.Float64)
	if !ok {
		return nil, fmt.Errorf("column %s is not numbers", table.ColumnName(i))
	}
	out := append([]float64(nil), column.Float64Values()...)
	if column.NullN() > 0 {
		for k := range out {
			if column.IsNull(k) {
				out[k] = math.NaN()
			}
		}
	}
	return out, nil
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

// why says why a window of the table is empty.
func (d *daily) why(start, end timeseries.Date) string {
	first, last := d.dates[0], d.dates[len(d.dates)-1]
	switch {
	case len(d.dates) == 1:
		return fmt.Sprintf("The model was established on %s and has no return yet.", first)
	case start != timeseries.NoDate && start > last:
		return fmt.Sprintf("The history ends on %s, before the window.", last)
	case end != timeseries.NoDate && end <= first:
		return fmt.Sprintf("The first return is of %s, after the window.", d.dates[1])
	}
	return "No session lies in the window."
}
