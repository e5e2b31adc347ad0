package columnar

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// column collects the rows of one column, with gaps for nulls.
type column struct {
	kind   arrow.DataType
	rows   int64
	filled int64 // rows so far
	nulls  int64
	valid  []byte // bitmap
	levels []int16

	int32s   []int32
	int64s   []int64
	float64s []float64
	bools    []bool
	offsets  []int32
	text     []byte
	pieces   []parquet.ByteArray
}

func newColumn(kind arrow.DataType, rows int64) (*column, error) {
	c := &column{kind: kind, rows: rows, valid: make([]byte, bitutil.BytesForBits(rows))}
	switch kind.ID() {
	case arrow.INT32, arrow.DATE32:
		c.int32s = make([]int32, rows)
	case arrow.INT64, arrow.TIMESTAMP:
		c.int64s = make([]int64, rows)
	case arrow.FLOAT64:
		c.float64s = make([]float64, rows)
	case arrow.BOOL:
		c.bools = make([]bool, rows)
	case arrow.STRING:
		c.offsets = make([]int32, 1, rows+1)
	default:
		return nil, fmt.Errorf("columns of type %s are not supported; accepted are bool, int32, int64, float64, date32, timestamp and utf8", kind)
	}
	return c, nil
}

// readChunk appends the rows of g from column i of the row group.
func (c *column) readChunk(group *file.RowGroupReader, i int, g Range) error {
	chunk, err := group.Column(i)
	if err != nil {
		return err
	}
	if g.Rows == 0 {
		return nil
	}
	nullable := chunk.Descriptor().MaxDefinitionLevel() > 0
	if nullable && int64(cap(c.levels)) < g.Rows {
		c.levels = make([]int16, g.Rows)
	}
	switch r := chunk.(type) {
	case *file.Int32ColumnChunkReader:
		err = readValues(c, c.int32s, g, r.Skip, r.ReadBatch, nullable)
	case *file.Int64ColumnChunkReader:
		err = readValues(c, c.int64s, g, r.Skip, r.ReadBatch, nullable)
	case *file.Float64ColumnChunkReader:
		err = readValues(c, c.float64s, g, r.Skip, r.ReadBatch, nullable)
	case *file.BooleanColumnChunkReader:
		err = readValues(c, c.bools, g, r.Skip, r.ReadBatch, nullable)
	case *file.ByteArrayColumnChunkReader:
		err = c.readText(r, g, nullable)
	default:
		err = fmt.Errorf("columns of physical type %s are not supported", chunk.Type())
	}
	if err != nil {
		return err
	}
	return chunk.Err()
}

// readValues reads g.Rows rows into dst. The file stores values without gaps, so it
// spreads them to the rows that are not null.
func readValues[T any](c *column, dst []T, g Range, skip func(int64) (int64, error), read func(int64, []T, []int16, []int16) (int64, int, error), nullable bool) error {
	if err := skipRows(skip, g.Offset); err != nil {
		return err
	}
	if int64(len(dst)) < c.filled+g.Rows {
		return fmt.Errorf("the column is not stored as %s", c.kind)
	}
	out := dst[c.filled : c.filled+g.Rows]
	var levels []int16
	if nullable {
		levels = c.levels[:g.Rows]
	}
	var rows int64
	var values int
	for rows < g.Rows {
		var sub []int16
		if nullable {
			sub = levels[rows:]
		}
		n, v, err := read(g.Rows-rows, out[values:], sub, nil)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("%d rows of %d", rows, g.Rows)
		}
		rows, values = rows+n, values+v
	}
	c.mark(levels, g.Rows, int64(values))
	if int64(values) == g.Rows {
		return nil
	}
	var zero T
	for row, next := int(g.Rows)-1, values-1; row >= 0; row-- {
		if levels[row] == 0 {
			out[row] = zero
			continue
		}
		out[row] = out[next]
		next--
	}
	return nil
}

func (c *column) readText(r *file.ByteArrayColumnChunkReader, g Range, nullable bool) error {
	if c.offsets == nil {
		return fmt.Errorf("the column is not stored as %s", c.kind)
	}
	if err := skipRows(r.Skip, g.Offset); err != nil {
		return err
	}
	if int64(cap(c.pieces)) < g.Rows {
		c.pieces = make([]parquet.ByteArray, g.Rows)
	}
	var done int64
	for done < g.Rows {
		var levels []int16
		if nullable {
			levels = c.levels[:g.Rows-done]
		}
		// The strings point into a page, so they are copied before the next page is read.
		n, v, err := r.ReadBatchInPage(g.Rows-done, c.pieces[:g.Rows-done], levels, nil)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("%d rows of %d", done, g.Rows)
		}
		next := 0
		for row := range int(n) {
			if !nullable || levels[row] > 0 {
				c.text = append(c.text, c.pieces[next]...)
				next++
			}
			c.offsets = append(c.offsets, int32(len(c.text)))
		}
		c.mark(levels, n, int64(v))
		done += n
	}
	return nil
}

// mark sets the validity of the next rows by their definition levels.
func (c *column) mark(levels []int16, rows, values int64) {
	if values == rows {
		bitutil.SetBitsTo(c.valid, c.filled, rows, true)
	} else {
		for i := range rows {
			if levels[i] > 0 {
				bitutil.SetBit(c.valid, int(c.filled+i))
			}
		}
	}
	c.filled += rows
	c.nulls += rows - values
}

func (c *column) array() arrow.Array {
	var valid *memory.Buffer
	if c.nulls > 0 {
		valid = memory.NewBufferBytes(c.valid)
	}
	buffers := []*memory.Buffer{valid, nil}
	switch c.kind.ID() {
	case arrow.INT32, arrow.DATE32:
		buffers[1] = memory.NewBufferBytes(arrow.GetBytes(c.int32s))
	case arrow.INT64, arrow.TIMESTAMP:
		buffers[1] = memory.NewBufferBytes(arrow.GetBytes(c.int64s))
	case arrow.FLOAT64:
		buffers[1] = memory.NewBufferBytes(arrow.GetBytes(c.float64s))
	case arrow.BOOL:
		bits := make([]byte, bitutil.BytesForBits(c.rows))
		for i, b := range c.bools {
			bitutil.SetBitTo(bits, i, b)
		}
		buffers[1] = memory.NewBufferBytes(bits)
	case arrow.STRING:
		buffers = []*memory.Buffer{valid, memory.NewBufferBytes(arrow.GetBytes(c.offsets)), memory.NewBufferBytes(c.text)}
	}
	return array.MakeFromData(array.NewData(c.kind, int(c.rows), buffers, nil, int(c.nulls), 0))
}

func skipRows(skip func(int64) (int64, error), n int64) error {
	if n == 0 {
		return nil
	}
	skipped, err := skip(n)
	if err == nil && skipped != n {
		err = fmt.Errorf("%d rows of %d before the first", skipped, n)
	}
	return err
}
