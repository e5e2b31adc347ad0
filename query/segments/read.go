package segments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/backtest"
	"ballast/storage/columnar"
)

// Run is a complete run of a model, with the keys of its own files.
type Run struct {
	ID      string
	ModelID string
	Daily   string
	Ledger  string
}

// Objects reads the files of runs.
type Objects interface {
	// Path returns a local file that holds the object, or columnar.ErrNotFound.
	Path(ctx context.Context, key string) (string, error)
}

// read returns the rows of a run in a table.
func (t Table) read(ctx context.Context, objects Objects, run Run, c *codes) (_ *rows, err error) {
	key := run.Daily
	if t == Trades {
		key = run.Ledger
	}
	path, err := objects.Path(ctx, key)
	if err != nil {
		return nil, err
	}
	f, err := columnar.OpenParquet(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	switch t {
	case Returns:
		return readReturns(run, f)
	case Weights:
		return t.readKeyed(run, f, backtest.WeightPrefix, c)
	case Contributions:
		return t.readKeyed(run, f, backtest.ContributionPrefix, c)
	case Diagnostics:
		return t.readKeyed(run, f, backtest.CustomPrefix, c)
	case Trades:
		return readTrades(run, f, c)
	}
	return nil, fmt.Errorf("there is no table %q", t)
}

func readReturns(run Run, f *columnar.ParquetFile) (*rows, error) {
	record, err := f.Read([]string{"date", "return", "equity", "gross_exposure", "traded"}, columnar.All)
	if err != nil {
		return nil, err
	}
	r := &rows{run: run, dates: make([][]arrow.Date32, 1)}
	if r.dates[0], err = dateColumn(record, 0); err != nil {
		return nil, err
	}
	for i := 1; i <= 4; i++ {
		values, err := floatColumn(record, i)
		if err != nil {
			return nil, err
		}
		r.floats = append(r.floats, values)
	}
	equity := r.floats[1]
	peak, highest := make([]float64, len(equity)), math.Inf(-1)
	for i, v := range equity {
		highest = max(highest, v)
		peak[i] = highest
	}
	r.floats = append(r.floats, peak)
	return r, nil
}

// readKeyed turns the columns with a prefix into rows: for each date, one row per column
// that is not null there, in the order of the file.
func (t Table) readKeyed(run Run, f *columnar.ParquetFile, prefix string, c *codes) (*rows, error) {
	names := []string{"date"}
	var keys []int32
	for _, field := range f.Schema().Fields() {
		if key, ok := strings.CutPrefix(field.Name, prefix); ok {
			names, keys = append(names, field.Name), append(keys, c.number(key))
		}
	}
	if len(keys) == 0 {
		return newRows(t, run, 0), nil
	}
	record, err := f.Read(names, columnar.All)
	if err != nil {
		return nil, err
	}
	dates, err := dateColumn(record, 0)
	if err != nil {
		return nil, err
	}
	values := make([][]float64, len(keys))
	for k := range keys {
		if values[k], err = floatColumn(record, k+1); err != nil {
			return nil, err
		}
	}
	out := newRows(t, run, len(dates)*len(keys))
	for i, date := range dates {
		for k, key := range keys {
			if v := values[k][i]; !math.IsNaN(v) {
				out.dates[0] = append(out.dates[0], date)
				out.texts[0] = append(out.texts[0], key)
				out.floats[0] = append(out.floats[0], v)
			}
		}
	}
	return out, nil
}

func readTrades(run Run, f *columnar.ParquetFile, c *codes) (*rows, error) {
	record, err := f.Read([]string{"fill", "decided", "reason", "key", "before", "target", "traded", "turnover"}, columnar.All)
	if err != nil {
		return nil, err
	}
	r := newRows(Trades, run, int(record.NumRows()))
	for i := range r.dates {
		if r.dates[i], err = dateColumn(record, i); err != nil {
			return nil, err
		}
	}
	for i := range r.texts {
		column, err := textColumn(record, i+2)
		if err != nil {
			return nil, err
		}
		for row := range column.Len() {
			r.texts[i] = append(r.texts[i], c.number(strings.Clone(column.Value(row)))) // the value is a view of the record
		}
	}
	for i := range r.floats {
		if r.floats[i], err = floatColumn(record, i+4); err != nil {
			return nil, err
		}
	}
	return r, nil
}
