package export

import (
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/timeseries"
)

// builder builds a batch of records, value by value in the order of the columns.
type builder struct {
	columns *array.RecordBuilder
	next    int
}

func newBuilder(schema *arrow.Schema) *builder {
	return &builder{columns: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
}

// record returns the batch and starts a new one.
func (b *builder) record() arrow.RecordBatch { return b.columns.NewRecordBatch() }

// column returns the builder of the next value. A value of the wrong type is a
// programming mistake, and panics.
func (b *builder) column() array.Builder {
	c := b.columns.Field(b.next)
	b.next = (b.next + 1) % b.columns.Schema().NumFields()
	return c
}

func (b *builder) text(s string) { b.column().(*array.StringBuilder).Append(s) }

// textOrNull appends a text, or null if it is empty.
func (b *builder) textOrNull(s string) {
	if s == "" {
		b.column().AppendNull()
		return
	}
	b.text(s)
}

func (b *builder) boolean(v bool) { b.column().(*array.BooleanBuilder).Append(v) }

func (b *builder) number(v float64) { b.column().(*array.Float64Builder).Append(v) }

func (b *builder) numberOrNull(v *float64) {
	if v == nil {
		b.column().AppendNull()
		return
	}
	b.number(*v)
}

// date appends a date, or null for NoDate.
func (b *builder) date(d timeseries.Date) {
	if d == timeseries.NoDate {
		b.column().AppendNull()
		return
	}
	b.column().(*array.Date32Builder).Append(arrow.Date32(d))
}

// moment appends a time, or null for nil.
func (b *builder) moment(t *time.Time) {
	if t == nil {
		b.column().AppendNull()
		return
	}
	b.column().(*array.TimestampBuilder).Append(arrow.Timestamp(t.UnixMicro()))
}
