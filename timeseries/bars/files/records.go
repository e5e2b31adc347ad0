package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/fault"
	"ballast/timeseries"
)

// Schema is the layout of the records. row numbers the bars from 1, line is the bar's
// place in the file. Missing and unreadable cells are null, with two exceptions if the
// file has the column: a missing dividend is 0, and a split that is missing or 0 is 1.
// 0 is 1.
var Schema = arrow.NewSchema([]arrow.Field{
	{Name: "row", Type: arrow.PrimitiveTypes.Int64},
	{Name: "line", Type: arrow.PrimitiveTypes.Int64},
	{Name: "symbol", Type: arrow.BinaryTypes.String},
	{Name: "date", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	{Name: string(TotalReturn), Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: string(Close), Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: string(Adjusted), Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: string(Dividend), Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: string(Split), Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

// recordRows is the number of rows in each record except the last.
const recordRows = 1 << 14

// Records reads the file from its beginning. Problems and Symbols are complete
// when the reader has ended.
func (f *File) Records(ctx context.Context) *Records {
	r := &Records{file: f, builder: array.NewRecordBuilder(memory.DefaultAllocator, Schema), symbols: map[string]string{}}
	r.references.Store(1)
	f.problems, f.known = problems{}, map[string]bool{}
	for _, s := range f.layout.series {
		if s.symbol != "" {
			f.known[s.symbol] = true
		}
	}
	r.rows, r.err = f.data(ctx, func(done int64) {
		if f.half {
			done = (f.size + done) / 2
		}
		f.options.Progress(min(done, f.size), f.size)
	})
	return r
}

// Records is a stream of record batches, an array.RecordReader.
type Records struct {
	file       *File
	rows       rows
	builder    *array.RecordBuilder
	current    arrow.RecordBatch
	row        int64
	err        error
	ended      bool
	symbols    map[string]string // in capitals, by cell
	references atomic.Int64
}

var _ array.RecordReader = (*Records)(nil)

// Schema implements array.RecordReader.
func (*Records) Schema() *arrow.Schema { return Schema }

// Err returns the error that ended the stream early.
func (r *Records) Err() error { return r.err }

// Retain implements array.RecordReader.
func (r *Records) Retain() { r.references.Add(1) }

// Release implements array.RecordReader.
func (r *Records) Release() {
	if r.references.Add(-1) == 0 {
		r.drop()
		r.builder.Release()
	}
}

func (r *Records) drop() {
	if r.current != nil {
		r.current.Release()
		r.current = nil
	}
}

// RecordBatch implements array.RecordReader.
func (r *Records) RecordBatch() arrow.RecordBatch { return r.current }

// Record implements array.RecordReader.
func (r *Records) Record() arrow.RecordBatch { return r.current } //nolint:staticcheck // the interface has both

// Next implements array.RecordReader.
func (r *Records) Next() bool {
	r.drop()
	if r.err != nil || r.ended {
		return false
	}
	for begin := r.row; r.row-begin < recordRows; {
		cells, line, err := r.rows.next()
		var bad *malformed
		switch {
		case errors.Is(err, io.EOF):
			r.ended = true
		case errors.As(err, &bad):
			r.file.problems.add(MalformedRow, "", timeseries.NoDate, fmt.Sprintf("line %d: %s", line, bad.what))
			continue
		case err != nil:
			r.err = err
			return false
		}
		if r.ended {
			break
		}
		if err := r.take(cells, line); err != nil {
			r.err = err
			return false
		}
	}
	r.current = r.builder.NewRecordBatch()
	return r.current.NumRows() > 0
}

// take appends the bars of one row.
func (r *Records) take(cells []string, line int64) error {
	l := r.file.layout
	if n := l.cells; n > 0 && len(cells) != n {
		if len(cells) < n {
			r.file.problems.add(MalformedRow, "", timeseries.NoDate, fmt.Sprintf("line %d has fewer cells than the header", line))
			return nil
		}
		for _, surplus := range cells[n:] {
			if strings.TrimSpace(surplus) != "" {
				r.file.problems.add(MalformedRow, "", timeseries.NoDate, fmt.Sprintf("line %d has more cells than the header", line))
				return nil
			}
		}
	}
	if l.period >= 0 {
		if p := strings.TrimSpace(cells[l.period]); !strings.EqualFold(p, "D") {
			return fault.New(fault.InvalidBody, "%s, line %d: the period is %q, but only daily bars (D) can be imported; download the daily file", r.file.name, line, p)
		}
	}
	var date timeseries.Date
	var dateErr error
	dated := false
	for i := range l.series {
		s := &l.series[i]
		symbol := s.symbol
		if l.symbol >= 0 {
			symbol = r.symbol(cells[l.symbol])
		}
		if only := r.file.options.Only; only != nil && !only[symbol] {
			continue
		}
		if l.wide && r.file.blank(s, cells) {
			continue // a day without a bar
		}
		if !dated {
			date, dateErr = parseDate(strings.TrimSpace(cells[l.date]), r.file.survey.order)
			dated = true
		}
		r.bar(cells, line, s, symbol, date, dateErr)
	}
	return nil
}

// blank reports whether all cells of a series are empty.
func (f *File) blank(s *series, cells []string) bool {
	for _, at := range s.columns {
		if at < len(cells) && !isMissing(strings.TrimSpace(cells[at])) {
			return false
		}
	}
	return true
}

// symbol converts a cell to upper case.
func (r *Records) symbol(cell string) string {
	symbol, ok := r.symbols[cell]
	if !ok {
		cell = strings.Clone(cell)
		symbol = strings.ToUpper(strings.TrimSpace(cell))
		if r.file.layout.stooq {
			symbol = strings.TrimSuffix(symbol, ".US")
		}
		r.symbols[cell] = symbol
		r.file.known[symbol] = true
	}
	return symbol
}

func (r *Records) bar(cells []string, line int64, s *series, symbol string, date timeseries.Date, dateErr error) {
	r.row++
	r.builder.Field(0).(*array.Int64Builder).Append(r.row)
	r.builder.Field(1).(*array.Int64Builder).Append(line)
	r.builder.Field(2).(*array.StringBuilder).Append(symbol)
	if dateErr == nil {
		r.builder.Field(3).(*array.Date32Builder).Append(arrow.Date32(date))
	} else {
		r.builder.Field(3).AppendNull()
		r.badDate(strings.TrimSpace(cells[r.file.layout.date]), line, symbol, date, dateErr)
		date = timeseries.NoDate
	}
	for i, role := range Numbers {
		column := r.builder.Field(4 + i).(*array.Float64Builder)
		at, ok := s.columns[role]
		if !ok {
			column.AppendNull()
			continue
		}
		cell := strings.TrimSpace(cells[at])
		if cell == "" || isMissing(cell) {
			absent(column, role)
			continue
		}
		x, err := parseNumber(cell, r.file.survey.decimal)
		switch {
		case err != nil:
			r.badNumber(role, cell, symbol, date, err)
			absent(column, role)
		case x == 0 && role == Split:
			column.Append(1)
		default:
			column.Append(x)
		}
	}
}

// absent appends the value that a missing number means.
func absent(column *array.Float64Builder, role Role) {
	switch role {
	case Dividend:
		column.Append(0)
	case Split:
		column.Append(1)
	default:
		column.AppendNull()
	}
}

func (r *Records) badDate(cell string, line int64, symbol string, date timeseries.Date, err error) {
	switch {
	case errors.Is(err, errCentury):
		r.file.problems.add(BadDate, symbol, date, err.Error()[len("is "):])
	case cell == "":
		r.file.problems.add(BadDate, symbol, timeseries.NoDate, fmt.Sprintf("%s %d has no date", r.file.Unit(), line))
	default:
		r.file.problems.add(BadDate, symbol, timeseries.NoDate, fmt.Sprintf("%s %d: %q %v", r.file.Unit(), line, short(cell), err))
	}
}

func (r *Records) badNumber(role Role, cell, symbol string, date timeseries.Date, err error) {
	text := fmt.Sprintf("%s %q %v", role, short(cell), err)
	switch {
	case errors.Is(err, errAmbiguous):
		text += "; use --decimal . or --decimal , to decide"
	case r.file.survey.decimal == ',':
		text += "; the numbers of this file have decimal commas"
	}
	r.file.problems.add(BadNumber, symbol, date, text)
}

// short returns the beginning of a cell, for messages.
func short(cell string) string {
	if len(cell) > 40 {
		return strings.ToValidUTF8(cell[:40], "") + "…"
	}
	return cell
}
