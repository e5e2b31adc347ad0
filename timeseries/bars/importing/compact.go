//go:build duckdb_arrow

package importing

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/storage/duck"
	"ballast/timeseries/bars"
)

// CompactOptions limit one compaction.
type CompactOptions struct {
	Segments int // merge assets with at least this many current segments; 0 means 8
	Assets   int // at most this many assets, those with the most segments first; 0 means 1000
}

// Compact rewrites the bars of assets with many segments into one segment each, in new
// objects, and returns how many assets it merged. The bars do not change, so the assets
// keep their versions, and every version stays readable from the old objects. A
// compaction that conflicts with an import changes nothing and is not an error: the next
// one will do the work.
func (im *Importer) Compact(ctx context.Context, o CompactOptions) (int, error) {
	if o.Segments == 0 {
		o.Segments = 8
	}
	if o.Assets == 0 {
		o.Assets = 1000
	}
	ids, err := im.c.Store.Fragmented(ctx, max(o.Segments, 2), o.Assets)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	snapshot, err := im.c.Store.ByID(ctx, ids, bars.Latest)
	if err != nil {
		return 0, err
	}
	n, err := im.compact(ctx, snapshot)
	if errors.Is(err, bars.ErrConflict) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("compact bars: %w", err)
	}
	return n, nil
}

func (im *Importer) compact(ctx context.Context, snapshot bars.Snapshot) (n int, err error) {
	change := bars.Change{Base: snapshot.Version}
	merged := map[string]*outgoing{}
	for _, g := range snapshot.Segments {
		change.Removed = append(change.Removed, g.Ref)
		if o, ok := merged[g.AssetID]; ok {
			o.rows += g.Rows
			o.last = g.Last
		} else {
			merged[g.AssetID] = &outgoing{assetID: g.AssetID, rows: g.Rows, first: g.First, last: g.Last}
		}
		change.Record.Rows += g.Rows
	}
	for _, a := range snapshot.Assets {
		if o, ok := merged[a.ID]; ok {
			o.symbol = a.Symbol
		}
	}
	conn, err := im.c.DB.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Discard()) }()
	from, record, err := stored(ctx, im.c.Bucket, snapshot.Segments, func(id string) string { return merged[id].symbol })
	if err != nil {
		return 0, err
	}
	defer record.Release()
	arrived, err := array.NewRecordReader(record.Schema(), []arrow.RecordBatch{record})
	if err != nil {
		return 0, err
	}
	defer arrived.Release()
	release, err := conn.View("arrived", arrived)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := conn.Exec(ctx, "CREATE TEMP TABLE m AS SELECT g.symbol, p.* EXCLUDE (symbol, filename)"+from); err != nil {
		return 0, err
	}
	order, err := symbolsInOrder(ctx, conn)
	if err != nil {
		return 0, err
	}
	bySymbol := map[string]*outgoing{}
	for _, o := range merged {
		bySymbol[o.symbol] = o
	}
	out := make([]outgoing, len(order))
	for i, symbol := range order {
		out[i] = *bySymbol[symbol]
	}
	rows, err := conn.Read(ctx, "SELECT date, total_return, close, adj_close, dividend, split FROM m ORDER BY symbol, date")
	if err != nil {
		return 0, err
	}
	w := &objectWriter{bucket: im.c.Bucket, assets: out, rows: rows, progress: func(int64) {}}
	change.Added, err = w.write(ctx)
	rows.Release()
	if err != nil {
		return 0, err
	}
	change.Record.Kind, change.Record.At = bars.CompactionKind, im.c.Now()
	if _, err := im.c.Store.Commit(ctx, change); err != nil {
		if errors.Is(err, bars.ErrConflict) {
			err = errors.Join(err, w.undo(ctx))
		}
		return 0, err
	}
	return len(out), nil
}

func symbolsInOrder(ctx context.Context, conn *duck.Conn) ([]string, error) {
	records, err := conn.Query(ctx, "SELECT DISTINCT symbol FROM m ORDER BY symbol")
	if err != nil {
		return nil, err
	}
	defer duck.Release(records)
	var out []string
	for _, r := range records {
		out = append(out, texts(r, 0)...)
	}
	return out, nil
}
