package export

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// names builds a dictionary column of texts that repeat.
type names struct {
	values *array.StringBuilder
	index  *array.Int32Builder
}

func newNames() *names {
	return &names{array.NewStringBuilder(memory.DefaultAllocator), array.NewInt32Builder(memory.DefaultAllocator)}
}

// value adds a text to the dictionary and returns its index.
func (c *names) value(s string) int32 {
	c.values.Append(s)
	return int32(c.values.Len() - 1) //nolint:gosec // a batch has fewer rows than that
}

// orNone is value, except that it returns -1, which is null, for the empty text.
func (c *names) orNone(s string) int32 {
	if s == "" {
		return -1
	}
	return c.value(s)
}

// rows appends n rows with the text at an index; -1 is null.
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

// repeated returns a column of n times the same text, or null if it is empty.
func repeated(s string, n int) arrow.Array {
	c := newNames()
	c.rows(c.orNone(s), n)
	return c.array()
}

// plain returns the batch with its dictionary columns decoded to plain strings.
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
