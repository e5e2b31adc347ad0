package columnar_test

import (
	"bytes"
	"errors"
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

// result returns a table like a model's daily result: a date, then numbers.
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
	"none_plain": {Compression: columnar.Uncompressed}, "zstd_plain": {Compression: columnar.Zstd},
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

// drawn returns a record with every supported type, with nulls.
func drawn(t *rapid.T) arrow.RecordBatch {
	rows := rapid.IntRange(0, 300).Draw(t, "rows")
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "date", Type: arrow.FixedWidthTypes.Date32},
		{Name: "key", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "plain", Type: arrow.BinaryTypes.String},
		{Name: "float", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "long", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "int", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		{Name: "bool", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "time", Type: arrow.FixedWidthTypes.Timestamp_us, Nullable: true},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	nulls := rapid.SampledFrom([]int{0, 2, 10}).Draw(t, "nulls")
	for i := range rows {
		b.Field(0).(*array.Date32Builder).Append(arrow.Date32(i))
		b.Field(2).(*array.StringBuilder).Append(rapid.StringN(0, 5, -1).Draw(t, "plain"))
		for _, c := range []int{1, 3, 4, 5, 6, 7} {
			if nulls > 0 && rapid.IntRange(0, nulls).Draw(t, "null") == 0 {
				b.Field(c).AppendNull()
				continue
			}
			switch f := b.Field(c).(type) {
			case *array.StringBuilder:
				f.Append(rapid.SampledFrom([]string{"", "SPY", "AGG"}).Draw(t, "key"))
			case *array.Float64Builder:
				f.Append(rapid.Float64().Draw(t, "float"))
			case *array.Int64Builder:
				f.Append(rapid.Int64().Draw(t, "long"))
			case *array.Int32Builder:
				f.Append(rapid.Int32().Draw(t, "int"))
			case *array.BooleanBuilder:
				f.Append(rapid.Bool().Draw(t, "bool"))
			case *array.TimestampBuilder:
				f.Append(arrow.Timestamp(rapid.Int64Range(0, 1<<50).Draw(t, "time")))
			}
		}
	}
	return b.NewRecordBatch()
}

func TestParquetRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		record := drawn(t)
		o := columnar.WriteOptions{
			Compression: rapid.SampledFrom([]columnar.Compression{columnar.Snappy, columnar.Zstd, columnar.Uncompressed}).Draw(t, "codec"),
			Dictionary:  []string{"key"}, Delta: []string{"date"}, Statistics: []string{"date"},
		}
		var b bytes.Buffer
		w, err := columnar.NewWriter(&b, record.Schema(), o)
		if err != nil {
			t.Fatal(err)
		}
		cut := rapid.Int64Range(0, record.NumRows()).Draw(t, "cut")
		for _, part := range []arrow.RecordBatch{record.NewSlice(0, cut), record.NewSlice(cut, record.NumRows())} {
			if err := w.WriteRowGroup(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
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
		equal(t, record, got)
		from := rapid.Int64Range(0, record.NumRows()-cut).Draw(t, "from")
		n := rapid.Int64Range(0, record.NumRows()-cut-from).Draw(t, "n")
		if group := len(f.RowGroups()) - 1; f.RowGroups()[group] == record.NumRows()-cut {
			part, err := f.Read([]string{"float", "key", "bool"}, columnar.Range{RowGroup: group, Offset: from, Rows: n})
			if err != nil {
				t.Fatal(err)
			}
			want := record.NewSlice(cut+from, cut+from+n)
			for i, c := range []int{3, 1, 6} {
				if !array.Equal(want.Column(c), part.Column(i)) {
					t.Fatalf("column %s of rows %d+%d:\n%v\n%v", part.ColumnName(i), from, n, want.Column(c), part.Column(i))
				}
			}
		}
	})
}

func equal(t *rapid.T, want, got arrow.RecordBatch) {
	for i, f := range want.Schema().Fields() {
		if !array.Equal(want.Column(i), got.Column(i)) {
			t.Fatalf("column %s:\n%v\n%v", f.Name, want.Column(i), got.Column(i))
		}
	}
}

func TestReadRefuses(t *testing.T) {
	var b bytes.Buffer
	if err := columnar.WriteParquet(&b, result(10, 3), columnar.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	f, err := columnar.NewParquetFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read([]string{"nothing"}, columnar.All); !errors.Is(err, columnar.ErrNoColumn) {
		t.Errorf("err = %v", err)
	}
	for _, at := range []columnar.Range{{RowGroup: 1}, {Offset: 5, Rows: 6}, {Offset: -1, Rows: 1}, {Rows: -1}, {Offset: math.MaxInt64, Rows: 1}} {
		if _, err := f.Read(nil, at); err == nil {
			t.Errorf("%+v was read", at)
		}
	}
	if _, err := columnar.ReadParquet(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, columnar.ErrNotFound) {
		t.Errorf("err = %v", err)
	}
}

// Damaged objects give errors, never a panic or unlimited memory.
func FuzzReadParquet(f *testing.F) {
	for _, o := range codecs {
		var b bytes.Buffer
		if err := columnar.WriteParquet(&b, result(20, 3), o); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(_ *testing.T, content []byte) {
		file, err := columnar.NewParquetFile(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return
		}
		_, _ = file.Read(nil, columnar.All)
	})
}
