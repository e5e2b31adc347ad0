package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/csv"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/storage/columnar"
)

// Format is how a table is written.
type Format string

// The formats.
const (
	Parquet Format = "parquet" // row groups of about 65,000 rows, Snappy
	Arrow   Format = "arrow"   // the IPC stream
	CSV     Format = "csv"     // UTF-8 with a header; null is an empty field
)

// Formats lists all formats.
var Formats = []Format{Parquet, Arrow, CSV}

// Write writes all rows. It writes nothing before the first row is available. After an
// error, the output lacks the mark with which the format ends; CSV has no such mark.
func Write(ctx context.Context, w io.Writer, rows *Rows, f Format) error {
	first, err := rows.Next(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	out, err := newSink(w, rows.Table, "", f)
	if err != nil {
		return err
	}
	for record := first; record != nil; {
		if err := out.add(record); err != nil {
			return err
		}
		if record, err = rows.Next(ctx); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return out.close()
}

// sink writes batches in one format; it joins small batches.
type sink struct {
	target interface {
		Write(arrow.RecordBatch) error
	}
	end   func() error
	least int64 // rows to collect before writing; 0 means batchRows
	held  []arrow.RecordBatch
	rows  int64 // number of rows in held
}

// newSink starts writing rows of a table: all columns of its batches except skip.
func newSink(w io.Writer, t Table, skip string, f Format) (*sink, error) {
	switch schema := dropColumn(t.Schema(), skip); f {
	case Parquet:
		file, err := columnar.NewWriter(w, dropColumn(t.carried(), skip), t.encoding())
		if err != nil {
			return nil, err
		}
		return &sink{target: rowGroups{file}, end: file.Close}, nil
	case Arrow:
		stream := ipc.NewWriter(w, ipc.WithSchema(schema))
		return &sink{target: written{stream, schema}, end: stream.Close}, nil
	case CSV:
		text := csv.NewWriter(w, schema, csv.WithHeader(true), csv.WithNullWriter(""))
		return &sink{target: written{text, schema}, end: func() error { return errors.Join(text.Flush(), text.Error()) }}, nil
	}
	return nil, fmt.Errorf("export: no format %q", f)
}

// dropColumn returns the schema without a column.
func dropColumn(schema *arrow.Schema, name string) *arrow.Schema {
	fields := slices.DeleteFunc(slices.Clone(schema.Fields()), func(f arrow.Field) bool { return f.Name == name })
	return arrow.NewSchema(fields, nil)
}

// rowGroups writes each batch as a row group.
type rowGroups struct{ file *columnar.Writer }

func (g rowGroups) Write(record arrow.RecordBatch) error { return g.file.WriteRowGroup(record) }

// written decodes dictionary columns to plain strings before it writes.
type written struct {
	target interface {
		Write(arrow.RecordBatch) error
	}
	schema *arrow.Schema
}

func (w written) Write(record arrow.RecordBatch) error {
	record, err := plain(w.schema, record)
	if err != nil {
		return err
	}
	return w.target.Write(record)
}

// add collects a batch, and writes once there are enough rows.
func (s *sink) add(record arrow.RecordBatch) error {
	s.held = append(s.held, record)
	s.rows += record.NumRows()
	if s.rows < cmp.Or(s.least, batchRows) {
		return nil
	}
	return s.flush()
}

func (s *sink) flush() error {
	record, err := concatenate(s.held)
	if err != nil {
		return err
	}
	s.held, s.rows = s.held[:0], 0
	return s.target.Write(record)
}

// close writes the remaining rows and the end of the format.
func (s *sink) close() error {
	if s.rows > 0 {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return s.end()
}

// concatenate joins batches into one.
func concatenate(parts []arrow.RecordBatch) (arrow.RecordBatch, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	columns := make([]arrow.Array, parts[0].NumCols())
	var rows int64
	for _, p := range parts {
		rows += p.NumRows()
	}
	for i := range columns {
		pieces := make([]arrow.Array, len(parts))
		for j, p := range parts {
			pieces[j] = p.Column(i)
		}
		var err error
		if columns[i], err = array.Concatenate(pieces, memory.DefaultAllocator); err != nil {
			return nil, fmt.Errorf("concatenate batches: %w", err)
		}
	}
	return array.NewRecordBatch(parts[0].Schema(), columns, rows), nil
}
