//go:build duckdb_arrow

package importing

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/id"
	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

const (
	rowGroupRows = 4096    // a row group closes with the segment that brings it to this size
	objectRows   = 4 << 20 // and an object with the row group that does so
)

// schema is the layout of the objects. docs/bars.md describes it for other programs.
var schema = arrow.NewSchema([]arrow.Field{
	{Name: "asset_id", Type: arrow.BinaryTypes.String},
	{Name: "symbol", Type: arrow.BinaryTypes.String},
	{Name: "date", Type: arrow.FixedWidthTypes.Date32},
	{Name: "total_return", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "close", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "adj_close", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "dividend", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "split", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

var writeOptions = columnar.WriteOptions{
	Compression: columnar.Zstd,
	Dictionary:  []string{"asset_id", "symbol", "dividend", "split"},
	Delta:       []string{"date"},
	Statistics:  []string{"asset_id", "symbol", "date"},
}

// outgoing holds the number of one asset's rows that will be written to an object.
type outgoing struct {
	assetID string
	symbol  string
	rows    int64
	first   timeseries.Date
	last    timeseries.Date
}

// objectWriter writes rows into new objects. The rows arrive as date and numbers, in the
// order of the assets.
type objectWriter struct {
	bucket   columnar.Bucket
	assets   []outgoing
	rows     array.RecordReader
	progress func(done int64)

	batch   arrow.RecordBatch // the batch being read
	taken   int64             // rows of batch already used
	written int64
	keys    []string
	added   []bars.Segment
}

// write writes all rows and returns the segments. The objects are then durable. After an
// error it deletes the objects written so far.
func (w *objectWriter) write(ctx context.Context) ([]bars.Segment, error) {
	for len(w.assets) > 0 {
		key := bars.Prefix + id.New("") + ".parquet"
		w.keys = append(w.keys, key)
		if err := w.bucket.Put(ctx, key, func(f io.Writer) error { return w.object(key, f) }); err != nil {
			return nil, errors.Join(err, w.undo(ctx))
		}
	}
	return w.added, nil
}

// undo deletes the objects, which no manifest names yet.
func (w *objectWriter) undo(ctx context.Context) error {
	var err error
	for _, key := range w.keys {
		err = errors.Join(err, w.bucket.Delete(context.WithoutCancel(ctx), key))
	}
	return err
}

func (w *objectWriter) object(key string, f io.Writer) error {
	file, err := columnar.NewWriter(f, schema, writeOptions)
	if err != nil {
		return err
	}
	var rows int64
	for group := 0; len(w.assets) > 0 && rows < objectRows; group++ {
		var n int64
		count := 0
		for n < rowGroupRows && count < len(w.assets) {
			a := w.assets[count]
			w.added = append(w.added, bars.Segment{Ref: bars.Ref{Object: key, RowGroup: group, Offset: n}, AssetID: a.assetID, Rows: a.rows, First: a.first, Last: a.last})
			n += a.rows
			count++
		}
		record, err := w.rowGroup(w.assets[:count], n)
		if err != nil {
			return err
		}
		if err := file.WriteRowGroup(record); err != nil {
			return err
		}
		w.assets = w.assets[count:]
		rows += n
		w.written += n
		w.progress(w.written)
	}
	return file.Close()
}

// rowGroup collects the next n rows into one record and adds their assets.
func (w *objectWriter) rowGroup(assets []outgoing, n int64) (arrow.RecordBatch, error) {
	ids, symbols := array.NewStringBuilder(memory.DefaultAllocator), array.NewStringBuilder(memory.DefaultAllocator)
	ids.Reserve(int(n))
	symbols.Reserve(int(n))
	for _, a := range assets {
		for range a.rows {
			ids.Append(a.assetID)
			symbols.Append(a.symbol)
		}
	}
	parts, err := w.take(n)
	defer func() {
		for _, p := range parts {
			p.Release()
		}
	}()
	if err != nil {
		return nil, err
	}
	arrays := []arrow.Array{ids.NewArray(), symbols.NewArray()}
	for c := range schema.NumFields() - 2 {
		pieces := make([]arrow.Array, len(parts))
		for i, p := range parts {
			pieces[i] = p.Column(c)
		}
		whole, err := array.Concatenate(pieces, memory.DefaultAllocator)
		if err != nil {
			return nil, err
		}
		arrays = append(arrays, whole)
	}
	return array.NewRecordBatch(schema, arrays, n), nil
}

// take returns slices of the incoming batches with n rows in total.
func (w *objectWriter) take(n int64) (parts []arrow.RecordBatch, err error) {
	for n > 0 {
		if w.batch == nil || w.taken == w.batch.NumRows() {
			if !w.rows.Next() {
				return parts, errors.Join(fmt.Errorf("write bars: %d rows are missing", n), w.rows.Err())
			}
			w.batch, w.taken = w.rows.RecordBatch(), 0
			continue
		}
		k := min(n, w.batch.NumRows()-w.taken)
		parts = append(parts, w.batch.NewSlice(w.taken, w.taken+k))
		w.taken += k
		n -= k
	}
	return parts, nil
}
