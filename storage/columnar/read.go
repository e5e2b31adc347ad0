package columnar

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// ErrNoColumn says that a file lacks a requested column.
var ErrNoColumn = errors.New("no such column")

// Range selects Rows rows of one row group, starting at Offset.
type Range struct {
	RowGroup int
	Offset   int64
	Rows     int64
}

// All selects every row of every row group.
var All = Range{RowGroup: -1}

// ParquetFile is an open Parquet file whose footer has been read. It is safe
// for concurrent use.
type ParquetFile struct {
	source   io.ReaderAt
	size     int64
	close    func() error
	footer   *metadata.FileMetaData
	schema   *arrow.Schema
	position map[string]int
	counts   []int64 // rows of each row group
}

// OpenParquet opens a local file. The caller must close it.
func OpenParquet(path string) (*ParquetFile, error) {
	o, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("open Parquet: %w", err)
	}
	f, err := NewParquetFile(o, o.Size)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open Parquet %s: %w", path, err), o.Close())
	}
	f.close = o.Close
	return f, nil
}

// NewParquetFile reads the footer of a file of size bytes. Closing it does not
// close r.
func NewParquetFile(r io.ReaderAt, size int64) (_ *ParquetFile, err error) {
	defer caught(&err)
	reader, err := file.NewParquetReader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	footer := reader.MetaData()
	schema, err := pqarrow.FromParquet(footer.Schema, nil, footer.KeyValueMetadata())
	if err != nil {
		return nil, err
	}
	f := &ParquetFile{source: r, size: size, close: func() error { return nil }, footer: footer, schema: schema,
		position: make(map[string]int, schema.NumFields())}
	for i, field := range schema.Fields() {
		f.position[field.Name] = i
	}
	if footer.Schema.NumColumns() != schema.NumFields() {
		return nil, errors.New("nested columns are not read here")
	}
	for i := range reader.NumRowGroups() {
		n := footer.RowGroup(i).NumRows()
		if n < 0 || n > math.MaxInt32 {
			return nil, fmt.Errorf("row group %d claims %d rows", i, n)
		}
		f.counts = append(f.counts, n)
	}
	return f, nil
}

// Schema returns the file's Arrow schema, with its stored metadata.
func (f *ParquetFile) Schema() *arrow.Schema { return f.schema }

// RowGroups returns the number of rows of each row group.
func (f *ParquetFile) RowGroups() []int64 { return f.counts }

// Rows returns the number of rows of the file.
func (f *ParquetFile) Rows() int64 { return f.footer.NumRows }

// Close closes the file. Records read from it remain valid.
func (f *ParquetFile) Close() error { return f.close() }

// Read returns the named columns of a range of rows, in the given order, as one record
// in Go memory; nil selects all columns in the file's order. Dictionary-encoded text
// is returned as plain text. Read returns ErrNoColumn if a column is missing, and an
// error for a range outside the file or a column type other than bool, int32, int64,
// float64, date32, timestamp and utf8.
func (f *ParquetFile) Read(columns []string, at Range) (_ arrow.RecordBatch, err error) {
	defer caught(&err)
	groups := []Range{at}
	if at.RowGroup < 0 {
		groups = groups[:0]
		for i, n := range f.counts {
			groups = append(groups, Range{RowGroup: i, Rows: n})
		}
	} else if at.RowGroup >= len(f.counts) || at.Offset < 0 || at.Rows < 0 || at.Offset > f.counts[at.RowGroup]-at.Rows {
		return nil, fmt.Errorf("read Parquet: rows %d+%d of row group %d are outside the file", at.Offset, at.Rows, at.RowGroup)
	}
	if columns == nil {
		for _, field := range f.schema.Fields() {
			columns = append(columns, field.Name)
		}
	}
	var total int64
	for _, g := range groups {
		total += g.Rows
	}
	reader, err := file.NewParquetReader(io.NewSectionReader(f.source, 0, f.size), file.WithMetadata(f.footer), file.WithReadProps(properties))
	if err != nil {
		return nil, fmt.Errorf("read Parquet: %w", err)
	}
	fields := make([]arrow.Field, len(columns))
	arrays := make([]arrow.Array, len(columns))
	for i, name := range columns {
		at, ok := f.position[name]
		if !ok {
			return nil, fmt.Errorf("read Parquet: column %q: %w", name, ErrNoColumn)
		}
		fields[i] = f.schema.Field(at)
		if d, ok := fields[i].Type.(*arrow.DictionaryType); ok {
			fields[i].Type = d.ValueType
		}
		c, err := newColumn(fields[i].Type, total)
		if err == nil {
			for _, g := range groups {
				if err = c.readChunk(reader.RowGroup(g.RowGroup), at, g); err != nil {
					break
				}
			}
		}
		if err != nil {
			return nil, fmt.Errorf("read Parquet: column %q: %w", name, err)
		}
		arrays[i] = c.array()
	}
	meta := f.schema.Metadata()
	return array.NewRecordBatch(arrow.NewSchema(fields, &meta), arrays, total), nil
}

var properties = &parquet.ReaderProperties{
	MaxCompressedPageSize:   parquet.DefaultMaxCompressedPageSize,
	MaxUncompressedPageSize: parquet.DefaultMaxUncompressedPageSize,
}

// caught turns a panic into an error, since the decoders panic on some damaged files.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("read Parquet: damaged file: %v", p)
	}
}

// ReadParquet reads columns of a whole local file.
func ReadParquet(path string, columns []string) (record arrow.RecordBatch, err error) {
	f, err := OpenParquet(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.Read(columns, All)
}

// Reopen opens the same object again by its path. It does not read the footer again,
// since objects never change. It works on a closed file too.
func (f *ParquetFile) Reopen(path string) (*ParquetFile, error) {
	o, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("open Parquet: %w", err)
	}
	if o.Size != f.size {
		return nil, errors.Join(fmt.Errorf("open Parquet %s: not the same object", path), o.Close())
	}
	again := *f
	again.source, again.close = o, o.Close
	return &again, nil
}
