package series

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

// dateColumn is the name of the column of dates in a file.
const dateColumn = "date"

// Encode writes a table as a Parquet file.
func Encode(t *Table) ([]byte, error) {
	fields := []arrow.Field{{Name: dateColumn, Type: arrow.FixedWidthTypes.Date32}}
	for _, key := range t.Keys {
		fields = append(fields, arrow.Field{Name: key, Type: arrow.PrimitiveTypes.Float64})
	}
	builder := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer builder.Release()
	for i, field := range builder.Fields() {
		switch column := field.(type) {
		case *array.Date32Builder:
			for _, d := range t.Dates {
				column.Append(arrow.Date32(d))
			}
		case *array.Float64Builder:
			column.AppendValues(t.Columns[i-1], nil)
		}
	}
	record := builder.NewRecordBatch()
	defer record.Release()
	var b bytes.Buffer
	err := columnar.WriteParquet(&b, record, columnar.WriteOptions{Compression: columnar.Zstd})
	return b.Bytes(), err
}

// Decode reads what Encode has written.
func Decode(b []byte) (*Table, error) {
	f, err := columnar.NewParquetFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fmt.Errorf("decode series: %w", err)
	}
	record, err := f.Read(nil, columnar.All)
	if err != nil {
		return nil, fmt.Errorf("decode series: %w", err)
	}
	t := &Table{}
	for i, field := range record.Schema().Fields() {
		switch column := record.Column(i).(type) {
		case *array.Date32:
			for _, d := range column.Date32Values() {
				t.Dates = append(t.Dates, timeseries.Date(d))
			}
		case *array.Float64:
			t.Keys, t.Columns = append(t.Keys, field.Name), append(t.Columns, column.Float64Values())
		default:
			return nil, fmt.Errorf("decode series: column %q has the type %s", field.Name, field.Type)
		}
	}
	return t, nil
}
