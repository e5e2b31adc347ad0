package columnar_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"pgregory.net/rapid"

	"ballast/storage/columnar"
)

// result makes a table like a model's daily result: a date, then numbers.
func result(rows, columns int) arrow.RecordBatch {
	fields := []arrow.Field{{Name: "date", Type: arrow.FixedWidthTypes.Date32}}
	dates := array.NewDate32Builder(memory.DefaultAllocator)
	for i := range rows {
		dates.Append(arrow.Date32(10_000 + i*7/5))
	}
	arrays := []arrow.Array{dates.NewArray()}
	for c := 1; c < columns; c++ {
		fields = append(fields, arrow.Field{Name: fmt.Sprintf("c%d", c), Type: arrow.PrimitiveTypes.Float64, Nullable: true})
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		for i := range rows {
			if i == 0 && c%2 == 1 {
				b.AppendNull()
				continue
			}
			b.Append(math.Sin(float64(i)*1.7+float64(c)) / 100)
		}
		arrays = append(arrays, b.NewArray())
	}
	meta := arrow.NewMetadata([]string{"summary"}, []string{`{"a":1}`})
	return array.NewRecordBatch(arrow.NewSchema(fields, &meta), arrays, int64(rows))
}

func TestParquetKeepsSchemaMetadata(t *testing.T) {
	var b bytes.Buffer
	if err := columnar.WriteParquet(&b, result(10, 3), columnar.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	f, err := columnar.NewParquetFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := f.Schema().Metadata().GetValue("summary"); !ok || v != `{"a":1}` {
		t.Errorf("summary = %q, %v", v, ok)
	}
}

var codecs = map[string]columnar.WriteOptions{
	"snappy": {Delta: []string{"date"}}, "zstd": {Compression: columnar.Zstd, Delta: []string{"date"}},
	"none": {Compression: columnar.Uncompressed, Delta: []string{"date"}}, "snappy_plain": {},
}

func BenchmarkWriteParquet(b *testing.B) {
	record := result(5000, 15)
	for name, o := range codecs {
		b.Run(name, func(b *testing.B) {
			var w bytes.Buffer
			for b.Loop() {
				w.Reset()
				if err := columnar.WriteParquet(&w, record, o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.Len()), "file-bytes")
		})
	}
}

func BenchmarkReadParquet(b *testing.B) {
	record := result(5000, 15)
	for name, o := range codecs {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "x.parquet")
			w, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			if err := columnar.WriteParquet(w, record, o); err != nil {
				b.Fatal(err)
			}
			w.Close()
			for b.Loop() {
				if _, err := columnar.ReadParquet(path, []string{"date", "c1"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var _ = rapid.Check
