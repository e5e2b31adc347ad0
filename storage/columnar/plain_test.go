package columnar_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"pgregory.net/rapid"

	"ballast/storage/columnar"
)

// drawnPlain returns a record of the types whose memory is written directly.
func drawnPlain(t *rapid.T, rows int) arrow.RecordBatch {
	meta := arrow.NewMetadata([]string{"summary"}, []string{`{"a":1}`})
	nullable := rapid.Bool().Draw(t, "nullable")
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "date", Type: arrow.FixedWidthTypes.Date32, Nullable: nullable},
		{Name: "key", Type: arrow.BinaryTypes.String, Nullable: nullable},
		{Name: "weight.A,B \"c\"", Type: arrow.PrimitiveTypes.Float64, Nullable: nullable},
		{Name: "return", Type: arrow.PrimitiveTypes.Float64},
	}, &meta)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	every := rapid.SampledFrom([]int{0, 1, 2, 7}).Draw(t, "every")
	texts := []string{"", "SPY", "ärger", "x\x00y"}
	for i := range rows {
		for c := range 4 {
			if nullable && c < 3 && every > 0 && (i*5+c)%every == 0 {
				b.Field(c).AppendNull()
				continue
			}
			switch f := b.Field(c).(type) {
			case *array.Date32Builder:
				f.Append(arrow.Date32(i*3 - 7))
			case *array.StringBuilder:
				f.Append(texts[(i*i+c)%len(texts)])
			case *array.Float64Builder:
				f.Append(float64(i) / 3)
			}
		}
	}
	return b.NewRecordBatch()
}

// Other readers get the original record from a file whose pages come directly from
// memory.
func TestPlainRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 40).Draw(t, "rows")
		if rapid.IntRange(0, 19).Draw(t, "pages") == 0 {
			rows += 1<<17 - 20
		}
		record := drawnPlain(t, rows)
		o := columnar.WriteOptions{Compression: rapid.SampledFrom([]columnar.Compression{columnar.Snappy, columnar.Zstd, columnar.Uncompressed}).Draw(t, "codec")}
		var b bytes.Buffer
		if err := columnar.WriteParquet(&b, record, o); err != nil {
			t.Fatal(err)
		}
		own, err := columnar.NewParquetFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := own.Read(nil, columnar.All)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, record, got)
		if !got.Schema().Metadata().Equal(record.Schema().Metadata()) {
			t.Fatalf("metadata %v, want %v", got.Schema().Metadata(), record.Schema().Metadata())
		}
		other, err := generalRead(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if other.NumRows() != record.NumRows() {
			t.Fatalf("%d rows, want %d", other.NumRows(), record.NumRows())
		}
		for i := range record.Columns() {
			for at, chunk := 0, 0; chunk < len(other.Column(i).Data().Chunks()); chunk++ {
				part := other.Column(i).Data().Chunk(chunk)
				want := array.NewSlice(record.Column(i), int64(at), int64(at+part.Len()))
				if !array.Equal(part, want) {
					t.Fatalf("column %s differs for the library's reader", record.ColumnName(i))
				}
				at += part.Len()
			}
		}
	})
}

// generalRead reads a file as other programs with Arrow do.
func generalRead(content []byte) (arrow.Table, error) {
	r, err := file.NewParquetReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	f, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	return f.ReadTable(context.Background())
}

// Slices, and columns with nulls although their field excludes them, use the general
// writer.
func TestPlainLeavesTheRest(t *testing.T) {
	record := result(100, 5)
	for _, cut := range []int64{1, 8} {
		t.Run(fmt.Sprint(cut), func(t *testing.T) {
			want := record.NewSlice(cut, 90)
			var b bytes.Buffer
			if err := columnar.WriteParquet(&b, want, columnar.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			f, err := columnar.NewParquetFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Read(nil, columnar.All)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want.Columns() {
				if !array.Equal(want.Column(i), got.Column(i)) {
					t.Errorf("column %s differs", want.ColumnName(i))
				}
			}
		})
	}
}

// A writer whose output fails reports the error, and the next file is complete.
func TestPlainOnBrokenWriter(t *testing.T) {
	record := result(1000, 5)
	if err := columnar.WriteParquet(broken{}, record, columnar.WriteOptions{}); err == nil {
		t.Fatal("no error")
	}
	var b bytes.Buffer
	if err := columnar.WriteParquet(&b, record, columnar.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := generalRead(b.Bytes()); err != nil {
		t.Fatal(err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }
