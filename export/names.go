package export

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// names is a column of texts that repeat, by number.
type names struct {
	values *array.StringBuilder
	index  *array.Int32Builder
}

func newNames() *names {
	return &names{array.NewStringBuilder(memory.DefaultAllocator), array.NewInt32Builder(memory.DefaultAllocator)}
}

// value adds a text that rows can have, and gives its number.
func (c *names) value(s string) int32 {
	c.values.Append(s)
	return int32(c.values.Len() - 1) //nolint:gosec // a batch has fewer rows than that
}

// orNone is value, and -1 for the empty text, of which rows are null.
func (c *names) orNone(s string) int32 {
	if s == "" {
		return -1
	}
	return c.value(s)
}

// rows adds n rows of a value.
func (c *names) rows(value int32, n int) {
	c.index.Reserve(n)
	if value < 0 {
		c.index.AppendNulls(n)
		return
	}
	for range n {
		c.index.UnsafeAppend(value)
	}
}

func (c *names) array() arrow.Array {
	return array.NewDictionaryArray(coded, c.index.NewArray(), c.values.NewArray())
}

// repeated is a column of one text, null where it is empty.
func repeated(s string, n int) arrow.Array {
	c := newNames()
	c.rows(c.orNone(s), n)
	return c.array()
}

// plain is a batch with its texts written out.
func plain(schema *arrow.Schema, record arrow.RecordBatch) (arrow.RecordBatch, error) {
	columns := make([]arrow.Array, record.NumCols())
	for i := range columns {
		columns[i] = record.Column(i)
		d, ok := columns[i].(*array.Dictionary)
		if !ok {
			continue
		}
		values, ok := d.Dictionary().(*array.String)
		if !ok {
			return nil, fmt.Errorf("column %s has dictionary indexes of type %s", record.ColumnName(i), d.DataType())
		}
		b := array.NewStringBuilder(memory.DefaultAllocator)
		b.Reserve(d.Len())
		for row := range d.Len() {
			if d.IsNull(row) {
				b.AppendNull()
				continue
			}
			b.Append(values.Value(d.GetValueIndex(row)))
		}
		columns[i] = b.NewArray()
	}
	return array.NewRecordBatch(schema, columns, record.NumRows()), nil
}
