package segments

import (
	"fmt"
	"math"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/timeseries"
)

// rows holds the rows of one run in one table, by date, without model_id and run_id.
// Columns of each kind are in the table's order.
type rows struct {
	run    Run
	dates  [][]arrow.Date32 // the first one orders the rows
	texts  [][]int32        // indexes into codes
	floats [][]float64      // NaN is null
}

// newRows returns rows of a table with capacity n.
func newRows(t Table, run Run, n int) *rows {
	r := &rows{run: run}
	for _, f := range columns[t] {
		switch f.Type {
		case day:
			r.dates = append(r.dates, make([]arrow.Date32, 0, n))
		case text:
			r.texts = append(r.texts, make([]int32, 0, n))
		default:
			r.floats = append(r.floats, make([]float64, 0, n))
		}
	}
	return r
}

func (r *rows) len() int { return len(r.dates[0]) }

// bytes is the memory of the rows in bytes.
func (r *rows) bytes() int { return r.len() * (4*len(r.dates) + 4*len(r.texts) + 8*len(r.floats)) }

// from returns the first row in or after a year.
func (r *rows) from(year int) int {
	first := arrow.Date32(timeseries.NewDate(year, 1, 1))
	return sort.Search(r.len(), func(i int) bool { return r.dates[0][i] >= first })
}

// codes numbers strings that repeat.
type codes struct {
	numbers map[string]int32
	texts   []string
}

func (c *codes) number(s string) int32 {
	n, ok := c.numbers[s]
	if !ok {
		if c.numbers == nil {
			c.numbers = map[string]int32{}
		}
		n = int32(len(c.texts)) //nolint:gosec // a group has fewer strings than that
		c.numbers[s] = n
		c.texts = append(c.texts, s)
	}
	return n
}

// span is a range of a run's rows.
type span struct {
	*rows
	begin, end int
}

// record joins spans into one record. c numbers their strings.
func record(t Table, spans []span, c *codes) arrow.RecordBatch {
	n := 0
	for _, s := range spans {
		n += s.end - s.begin
	}
	models, runs := &codes{}, &codes{}
	model, run := make([]int32, 0, n), make([]int32, 0, n)
	whole := newRows(t, Run{}, n)
	for _, s := range spans {
		m, r := models.number(s.run.ModelID), runs.number(s.run.ID)
		for range s.end - s.begin {
			model, run = append(model, m), append(run, r)
		}
		for i := range s.dates {
			whole.dates[i] = append(whole.dates[i], s.dates[i][s.begin:s.end]...)
		}
		for i := range s.texts {
			whole.texts[i] = append(whole.texts[i], s.texts[i][s.begin:s.end]...)
		}
		for i := range s.floats {
			whole.floats[i] = append(whole.floats[i], s.floats[i][s.begin:s.end]...)
		}
	}
	arrays := []arrow.Array{coded(model, models.texts), coded(run, runs.texts)}
	for _, f := range columns[t] {
		switch f.Type {
		case day:
			arrays = append(arrays, datesOf(whole.dates[0]))
			whole.dates = whole.dates[1:]
		case text:
			arrays = append(arrays, coded(whole.texts[0], c.texts))
			whole.texts = whole.texts[1:]
		default:
			arrays = append(arrays, floatsOf(whole.floats[0], f.Nullable))
			whole.floats = whole.floats[1:]
		}
	}
	return array.NewRecordBatch(t.Schema(), arrays, int64(n))
}

func coded(numbers []int32, texts []string) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(texts, nil)
	index := array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Int32, len(numbers),
		[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(numbers))}, nil, 0, 0))
	return array.NewDictionaryArray(text, index, b.NewArray())
}

func datesOf(values []arrow.Date32) arrow.Array {
	return array.MakeFromData(array.NewData(day, len(values),
		[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Date32Traits.CastToBytes(values))}, nil, 0, 0))
}

func floatsOf(values []float64, nullable bool) arrow.Array {
	var valid *memory.Buffer
	nulls := 0
	if nullable {
		bits := make([]byte, bitutil.BytesForBits(int64(len(values))))
		for i, v := range values {
			if math.IsNaN(v) {
				nulls++
			} else {
				bitutil.SetBit(bits, i)
			}
		}
		valid = memory.NewBufferBytes(bits)
	}
	return array.MakeFromData(array.NewData(number, len(values),
		[]*memory.Buffer{valid, memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(values))}, nil, nulls, 0))
}

// dateColumn returns a column of dates without copying it.
func dateColumn(record arrow.RecordBatch, i int) ([]arrow.Date32, error) {
	c, ok := record.Column(i).(*array.Date32)
	if !ok {
		return nil, fmt.Errorf("column %s is %s, not dates", record.ColumnName(i), record.Column(i).DataType())
	}
	return c.Date32Values(), nil
}

// floatColumn returns a column of numbers, with NaN for null.
func floatColumn(record arrow.RecordBatch, i int) ([]float64, error) {
	c, ok := record.Column(i).(*array.Float64)
	if !ok {
		return nil, fmt.Errorf("column %s is %s, not numbers", record.ColumnName(i), record.Column(i).DataType())
	}
	values := c.Float64Values()
	for k := 0; c.NullN() > 0 && k < len(values); k++ {
		if c.IsNull(k) {
			values[k] = math.NaN() // the record belongs to this package
		}
	}
	return values, nil
}

func textColumn(record arrow.RecordBatch, i int) (*array.String, error) {
	c, ok := record.Column(i).(*array.String)
	if !ok {
		return nil, fmt.Errorf("column %s is %s, but must hold strings", record.ColumnName(i), record.Column(i).DataType())
	}
	return c, nil
}
