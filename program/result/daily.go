package result

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/backtest"
	"ballast/metrics"
	"ballast/program"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// part names a portion of a run's result that is decoded and cached on its own.
type part string

// Parts of a result; other packages ask for the exported ones.
const (
	partCore          part = "core"
	PartWeights       part = backtest.WeightPrefix
	PartContributions part = backtest.ContributionPrefix
	PartCustom        part = backtest.CustomPrefix
	partLedger        part = "ledger"
	PartTiming        part = "timing"
)

// decoded is a part of a run's result in Go memory. Size is in bytes.
type decoded interface{ Size() int64 }

// Daily is the daily table of a run without its columns by key. Row 0 is the base.
type Daily struct {
	Dates    []timeseries.Date
	Returns  []float64 // row 0 has no meaning
	Gross    []float64
	Traded   []float64
	Decision backtest.Decision // the last one
}

// Size returns the memory that the table takes, in bytes.
func (d *Daily) Size() int64 {
	return int64(4*cap(d.Dates)) + 8*int64(cap(d.Returns)+cap(d.Gross)+cap(d.Traded)) + 64*int64(len(d.Decision.Weights))
}

// Size returns the memory that the columns take, in bytes.
func (c *Columns) Size() int64 {
	n := int64(0)
	for i := range c.Values {
		n += 8*int64(cap(c.Values[i])) + int64(len(c.Keys[i])) + 40
	}
	return n
}

// Cut returns the rows from from up to, but not including, to. They share the
// columns' memory.
func (c *Columns) Cut(from, to int) Columns {
	out := Columns{Keys: c.Keys, Values: make([][]float64, len(c.Values))}
	for i := range c.Values {
		out.Values[i] = c.Values[i][from:to]
	}
	return out
}

// Daily reads the core of a run's daily table. Its result, like those of Keyed and
// Ledger, is shared with the cache and must not be changed.
func (r *Store) Daily(ctx context.Context, run *program.Run) (*Daily, error) {
	return Remembered(r, run, partCore, func() (*Daily, error) {
		d := &Daily{}
		err := r.read(ctx, run.Tables[sandbox.DailyTable].Key, func(f *columnar.ParquetFile) error {
			summary, err := backtest.SummaryOf(f.Schema())
			if err != nil {
				return err
			}
			d.Decision = summary.LastDecision
			table, err := f.Read(coreColumns[:], columnar.All)
			if err != nil {
				return err
			}
			defer table.Release()
			return d.take(table)
		})
		return d, err
	})
}

// Sessions implements program.Sessions.
func (r *Store) Sessions(ctx context.Context, run *program.Run) ([]timeseries.Date, error) {
	d, err := r.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	return d.Dates, nil
}

// Keyed reads the columns that the daily table has per key: weights, contributions or
// custom series. Null becomes NaN.
func (r *Store) Keyed(ctx context.Context, run *program.Run, p part) (*Columns, error) {
	return Remembered(r, run, p, func() (*Columns, error) {
		c := &Columns{}
		err := r.read(ctx, run.Tables[sandbox.DailyTable].Key, func(f *columnar.ParquetFile) error {
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

// Remembered returns a part from the cache, or reads and caches it.
func Remembered[T decoded](r *Store, run *program.Run, p part, read func() (T, error)) (T, error) {
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

// read opens an object of a result. Results are small files that are read as whole
// columns; a query engine would spend more time on planning than on reading.
func (r *Store) read(ctx context.Context, key string, use func(*columnar.ParquetFile) error) (err error) {
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

// coreColumns are the columns of the core: the dates, followed by the numbers.
var coreColumns = [...]string{"date", "return", "gross_exposure", "traded"}

// DailyOf copies the core out of a whole daily table. It leaves the last decision
// empty, because that is not among the columns.
func DailyOf(table arrow.RecordBatch) (*Daily, error) {
	d := &Daily{}
	return d, d.take(table)
}

// Figures computes the figures of the whole history.
func (d *Daily) Figures(barsPerYear int) *metrics.Figures {
	return metrics.FiguresOf(metrics.Compute(d.Series(0, len(d.Dates)), metrics.Options{
		BarsPerYear: barsPerYear, GrossExposure: d.Gross[1:], Traded: d.Traded[1:],
	}))
}

// take copies the core columns from a record.
func (d *Daily) take(table arrow.RecordBatch) error {
	var at [len(coreColumns)]int
	for i, name := range coreColumns {
		found := table.Schema().FieldIndices(name)
		if len(found) != 1 {
			return fmt.Errorf("%d columns are named %s, not one", len(found), name)
		}
		at[i] = found[0]
	}
	dates, ok := table.Column(at[0]).(*array.Date32)
	if !ok || dates.Len() == 0 {
		return fmt.Errorf("column %s is not dates, or has no rows", coreColumns[0])
	}
	d.Dates = make([]timeseries.Date, dates.Len())
	for i, v := range dates.Date32Values() {
		d.Dates[i] = timeseries.Date(v)
	}
	for i, column := range []*[]float64{&d.Returns, &d.Gross, &d.Traded} {
		var err error
		if *column, err = floats(table, at[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// floats copies a column of numbers, with NaN for null.
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

// Why explains why a window of the table is empty.
func (d *Daily) Why(start, end timeseries.Date) string {
	first, last := d.Dates[0], d.Dates[len(d.Dates)-1]
	switch {
	case len(d.Dates) == 1:
		return fmt.Sprintf("The model starts on %s and has no returns yet.", first)
	case start != timeseries.NoDate && start > last:
		return fmt.Sprintf("The history ends on %s, before the window.", last)
	case end != timeseries.NoDate && end <= first:
		return fmt.Sprintf("The first return is on %s, after the window.", d.Dates[1])
	}
	return "The window contains no session."
}

// Series returns the returns of the rows after from up to, but not including, to. Row
// from is the base.
func (d *Daily) Series(from, to int) timeseries.Series {
	return timeseries.Series{Base: d.Dates[from], Dates: d.Dates[from+1 : to], Returns: d.Returns[from+1 : to]}
}
