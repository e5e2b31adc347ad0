package columnar_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"ballast/storage/columnar"
)

// BenchmarkRead compares Read with pqarrow's reader on three columns of a 20-year result,
// narrow and wide, and on one asset's bars in the middle of a row group. Both have opened
// the file before. docs/dependencies.md has the figures.
func BenchmarkRead(b *testing.B) {
	delta := columnar.WriteOptions{Delta: []string{"date"}}
	for _, test := range []struct {
		name    string
		content []byte
		columns []string
		at      columnar.Range
	}{
		{"result", groups(b, columnar.WriteOptions{}, result(5040, 15)), []string{"date", "c1", "c2"}, columnar.Range{Rows: 5040}},
		{"wide", groups(b, columnar.WriteOptions{}, result(5040, 110)), []string{"date", "c1", "c2"}, columnar.Range{Rows: 5040}},
		{"segment", groups(b, delta, result(6000, 2), result(6000, 2)), []string{"date", "c1"}, columnar.Range{RowGroup: 1, Offset: 3000, Rows: 2520}},
	} {
		own, err := columnar.NewParquetFile(bytes.NewReader(test.content), int64(len(test.content)))
		if err != nil {
			b.Fatal(err)
		}
		for name, read := range map[string]func() (arrow.RecordBatch, error){
			"own":     func() (arrow.RecordBatch, error) { return own.Read(test.columns, test.at) },
			"pqarrow": peerRead(b, test.content, len(test.columns), test.at),
		} {
			b.Run(test.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					record, err := read()
					if err != nil {
						b.Fatal(err)
					}
					if record.NumRows() != test.at.Rows {
						b.Fatalf("%d rows", record.NumRows())
					}
				}
			})
		}
	}
}

// peerRead returns a function that reads the first columns of a range with pqarrow.
// The file is opened once.
func peerRead(b *testing.B, content []byte, columns int, at columnar.Range) func() (arrow.RecordBatch, error) {
	b.Helper()
	opened, err := file.NewParquetReader(bytes.NewReader(content))
	if err != nil {
		b.Fatal(err)
	}
	reader, err := pqarrow.NewFileReader(opened, pqarrow.ArrowReadProperties{BatchSize: at.Rows}, memory.DefaultAllocator)
	if err != nil {
		b.Fatal(err)
	}
	indices := make([]int, columns)
	for i := range indices {
		indices[i] = i
	}
	return func() (arrow.RecordBatch, error) {
		records, err := reader.GetRecordReader(b.Context(), indices, []int{at.RowGroup})
		if err != nil {
			return nil, err
		}
		if at.Offset > 0 {
			if err := records.SeekToRow(at.Offset); err != nil {
				return nil, err
			}
		}
		return records.Read()
	}
}

// groups returns a Parquet file with one row group per record.
func groups(b *testing.B, o columnar.WriteOptions, records ...arrow.RecordBatch) []byte {
	b.Helper()
	var out bytes.Buffer
	w, err := columnar.NewWriter(&out, records[0].Schema(), o)
	for _, record := range records {
		if err == nil {
			err = w.WriteRowGroup(record)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkWrite compares WriteParquet with pqarrow's writer on a 20-year result.
func BenchmarkWrite(b *testing.B) {
	record := result(5040, 15)
	properties := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDictionaryDefault(false),
		parquet.WithStats(false), parquet.WithVersion(parquet.V2_LATEST), parquet.WithDataPageSize(1<<20), parquet.WithBatchSize(1<<16))
	for name, write := range map[string]func(*bytes.Buffer) error{
		"own": func(out *bytes.Buffer) error {
			return columnar.WriteParquet(out, record, columnar.WriteOptions{})
		},
		"pqarrow": func(out *bytes.Buffer) error {
			w, err := pqarrow.NewFileWriter(record.Schema(), out, properties, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
			if err != nil {
				return err
			}
			if err := w.Write(record); err != nil {
				return err
			}
			return w.Close()
		},
	} {
		b.Run(name, func(b *testing.B) {
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				if err := write(&out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
