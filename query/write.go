package query

import (
	"bufio"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/number"
	"ballast/storage/columnar"
)

// Rows are the rows of an answer as they arrive. *Answer is one.
type Rows interface {
	Schema() *arrow.Schema
	Next() bool
	Batch() arrow.RecordBatch // valid until the next call of Next
	Err() error               // after Next has returned false
	Cut() bool                // likewise: there were more rows than requested
}

// WriteArrow writes rows as an Arrow IPC stream.
func WriteArrow(w io.Writer, rows Rows) error {
	stream := ipc.NewWriter(w, ipc.WithSchema(rows.Schema()))
	for rows.Next() {
		if err := stream.Write(rows.Batch()); err != nil {
			return fmt.Errorf("write Arrow: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return stream.Close()
}

// rowGroupRows is the number of rows in a row group of a Parquet answer.
const rowGroupRows = 128 << 10

// WriteParquet writes rows as a Parquet file. The footer comes last, so an incomplete
// file has none.
func WriteParquet(w io.Writer, rows Rows) error {
	file, err := columnar.NewWriter(w, rows.Schema(), columnar.WriteOptions{Bare: true})
	if err != nil {
		return err
	}
	g := &rowGroup{schema: rows.Schema()}
	defer g.clear()
	for rows.Next() {
		if g.add(rows.Batch()); g.rows >= rowGroupRows {
			if err := g.write(file); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := g.write(file); err != nil {
		return err
	}
	return file.Close()
}

// rowGroup holds batches that are written together.
type rowGroup struct {
	schema  *arrow.Schema
	batches []arrow.RecordBatch
	rows    int64
}

func (g *rowGroup) add(b arrow.RecordBatch) {
	b.Retain()
	g.batches, g.rows = append(g.batches, b), g.rows+b.NumRows()
}

func (g *rowGroup) clear() {
	for _, b := range g.batches {
		b.Release()
	}
	g.batches, g.rows = nil, 0
}

func (g *rowGroup) write(file *columnar.Writer) error {
	if g.rows == 0 {
		return nil
	}
	defer g.clear()
	columns := make([]arrow.Array, g.schema.NumFields())
	for i := range columns {
		parts := make([]arrow.Array, len(g.batches))
		for k, b := range g.batches {
			parts[k] = b.Column(i)
		}
		var err error
		if columns[i], err = array.Concatenate(parts, memory.DefaultAllocator); err != nil {
			return fmt.Errorf("write Parquet: %w", err)
		}
		defer columns[i].Release()
	}
	whole := array.NewRecordBatch(g.schema, columns, g.rows)
	defer whole.Release()
	return file.WriteRowGroup(whole)
}

// WriteCSV writes a header and one line per row. Null and numbers that are not finite are
// empty; lists and structs are JSON.
func WriteCSV(w io.Writer, rows Rows) error {
	out := csv.NewWriter(w)
	head := make([]string, rows.Schema().NumFields())
	for i, f := range rows.Schema().Fields() {
		head[i] = f.Name
	}
	if err := out.Write(head); err != nil {
		return err
	}
	line := make([]string, len(head))
	for rows.Next() {
		batch := rows.Batch()
		for row := range int(batch.NumRows()) {
			for i := range line {
				var err error
				if line[i], err = Format(batch.Column(i), row); err != nil {
					return err
				}
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return errors.Join(rows.Err(), out.Error())
}

// Format returns one value as text, and null as "".
func Format(column arrow.Array, row int) (string, error) {
	b, err := appendValue(nil, column, row)
	if err != nil || string(b) == "null" {
		return "", err
	}
	if len(b) > 0 && b[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		return s, err
	}
	return string(b), nil
}

// WriteJSON writes {columns, rows, row_count, truncated}. Each row is a list of values in
// the order of the columns.
func WriteJSON(w io.Writer, rows Rows) error {
	out := bufio.NewWriterSize(w, 32<<10)
	type column struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	columns := make([]column, rows.Schema().NumFields())
	for i, f := range rows.Schema().Fields() {
		columns[i] = column{f.Name, typeName(f.Type)}
	}
	b, err := json.Marshal(columns)
	if err != nil {
		return err
	}
	b = append(append([]byte(`{"columns":`), b...), `,"rows":[`...)
	n := int64(0)
	for rows.Next() {
		batch := rows.Batch()
		for row := range int(batch.NumRows()) {
			if n > 0 {
				b = append(b, ',')
			}
			n++
			b = append(b, '[')
			for i := range columns {
				if i > 0 {
					b = append(b, ',')
				}
				if b, err = appendValue(b, batch.Column(i), row); err != nil {
					return err
				}
			}
			b = append(b, ']')
			if len(b) > 16<<10 {
				if _, err := out.Write(b); err != nil {
					return err
				}
				b = b[:0]
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	b = append(b, `],"row_count":`...)
	b = strconv.AppendInt(b, n, 10)
	b = append(b, `,"truncated":`...)
	b = append(strconv.AppendBool(b, rows.Cut()), '}')
	if _, err := out.Write(b); err != nil {
		return err
	}
	return out.Flush()
}

// typeName returns the SQL type of a column, accurate enough to interpret its values.
func typeName(t arrow.DataType) string {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW, arrow.DICTIONARY:
		return string(Text)
	case arrow.BOOL:
		return string(Boolean)
	case arrow.INT64:
		return string(Integer)
	case arrow.INT32:
		return "INTEGER"
	case arrow.FLOAT64:
		return string(Number)
	case arrow.DATE32:
		return string(Date)
	case arrow.LIST:
		if l, ok := t.(*arrow.ListType); ok {
			return typeName(l.Elem()) + "[]"
		}
	case arrow.TIMESTAMP:
		if at, ok := t.(*arrow.TimestampType); ok && at.TimeZone != "" {
			return string(Moment)
		}
		return "TIMESTAMP"
	}
	return t.String()
}

// appendValue appends one value as JSON. Numbers that are not finite are null. Decimals
// and integers of more than 64 bits are strings, so that no reader rounds them.
// Timestamps are in UTC.
func appendValue(b []byte, column arrow.Array, row int) ([]byte, error) {
	if column.IsNull(row) {
		return append(b, "null"...), nil
	}
	switch c := column.(type) {
	case *array.Float64:
		return number.Append(b, c.Value(row)), nil
	case *array.Float32:
		v := float64(c.Value(row))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(b, "null"...), nil
		}
		return strconv.AppendFloat(b, v, 'g', -1, 32), nil
	case *array.Int8, *array.Int16, *array.Int32, *array.Int64, *array.Uint8, *array.Uint16, *array.Uint32, *array.Uint64:
		return append(b, column.ValueStr(row)...), nil
	case *array.Boolean:
		return strconv.AppendBool(b, c.Value(row)), nil
	case *array.Date32:
		return appendText(b, c.Value(row).ToTime().Format(time.DateOnly))
	case *array.Timestamp:
		return appendTimestamp(b, c, row)
	case array.ListLike:
		from, to := c.ValueOffsets(row)
		b = append(b, '[')
		for i := from; i < to; i++ {
			if i > from {
				b = append(b, ',')
			}
			var err error
			if b, err = appendValue(b, c.ListValues(), int(i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	case *array.Struct:
		b = append(b, '{')
		for i, f := range c.DataType().(*arrow.StructType).Fields() {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendText(b, f.Name); err != nil {
				return b, err
			}
			if b, err = appendValue(append(b, ':'), c.Field(i), row); err != nil {
				return b, err
			}
		}
		return append(b, '}'), nil
	case *array.Dictionary:
		return appendValue(b, c.Dictionary(), c.GetValueIndex(row))
	case *array.Binary:
		return appendText(b, base64.StdEncoding.EncodeToString(c.Value(row)))
	}
	return appendText(b, column.ValueStr(row))
}

func appendTimestamp(b []byte, c *array.Timestamp, row int) ([]byte, error) {
	kind, ok := c.DataType().(*arrow.TimestampType)
	if !ok {
		return b, fmt.Errorf("a timestamp of type %s", c.DataType())
	}
	at := c.Value(row).ToTime(kind.Unit).UTC()
	if kind.TimeZone == "" {
		return appendText(b, at.Format("2006-01-02T15:04:05.999999999"))
	}
	return appendText(b, at.Format(time.RFC3339Nano))
}

func appendText(b []byte, s string) ([]byte, error) {
	text, err := json.Marshal(s)
	return append(b, text...), err
}
