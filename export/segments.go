package export

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

const noDate = timeseries.NoDate

const (
	// openObjects limits the objects that one export keeps open.
	openObjects = 64
	// keptGroups limits the decoded row groups that one export keeps. If many small
	// imports have spread an asset over several objects, neighbours in the alphabet
	// are neighbours in each object. A row group is about 300 kB.
	keptGroups = 24
)

// barColumns are the columns that are read from an object; the manifest has the rest.
var barColumns = []string{"date", "total_return", "close", "dividend", "split"}

// segmentReader reads segments of the bar store, cut to a window of dates. Only one
// goroutine may use it.
type segmentReader struct {
	bucket     columnar.Bucket
	start, end timeseries.Date
	files      *simplelru.LRU[string, *columnar.ParquetFile]
	groups     *simplelru.LRU[groupKey, arrow.RecordBatch]
	problems   error // errors of closing files
}

type groupKey struct {
	object string
	group  int
}

func newSegmentReader(bucket columnar.Bucket, start, end timeseries.Date) *segmentReader {
	r := &segmentReader{bucket: bucket, start: start, end: end}
	// NewLRU fails only if the size is below 1.
	r.files, _ = simplelru.NewLRU(openObjects, func(_ string, f *columnar.ParquetFile) {
		r.problems = errors.Join(r.problems, f.Close())
	})
	r.groups, _ = simplelru.NewLRU[groupKey, arrow.RecordBatch](keptGroups, nil)
	return r
}

func (r *segmentReader) close() error {
	r.groups.Purge()
	r.files.Purge()
	return r.problems
}

// read adds the rows of a segment that lie in the window.
func (r *segmentReader) read(ctx context.Context, b *barBatch, a BarAsset, g bars.Segment) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.start != noDate && g.Last < r.start || r.end != noDate && g.First > r.end {
		return nil
	}
	group, err := r.group(ctx, groupKey{g.Object, g.RowGroup})
	if err != nil {
		return err
	}
	if g.Offset+g.Rows > group.NumRows() {
		return fmt.Errorf("object %s does not have %[3]d rows from row %[2]d on in row group %[4]d", g.Object, g.Offset, g.Rows, g.RowGroup)
	}
	days, ok := group.Column(0).(*array.Date32)
	if !ok {
		return fmt.Errorf("object %s has a date column of type %s", g.Object, group.Column(0).DataType())
	}
	dates := days.Date32Values()[g.Offset : g.Offset+g.Rows]
	if timeseries.Date(dates[0]) != g.First || timeseries.Date(dates[len(dates)-1]) != g.Last {
		return fmt.Errorf("object %s differs from the manifest in row group %d, row %d", g.Object, g.RowGroup, g.Offset)
	}
	from, to := 0, len(dates)
	if r.start != noDate {
		from = sort.Search(len(dates), func(i int) bool { return timeseries.Date(dates[i]) >= r.start })
	}
	if r.end != noDate {
		to = sort.Search(len(dates), func(i int) bool { return timeseries.Date(dates[i]) > r.end })
	}
	if from < to {
		b.add(a, group.NewSlice(g.Offset+int64(from), g.Offset+int64(to)))
	}
	return nil
}

// group reads a whole row group, once.
func (r *segmentReader) group(ctx context.Context, key groupKey) (arrow.RecordBatch, error) {
	if record, ok := r.groups.Get(key); ok {
		return record, nil
	}
	file, ok := r.files.Get(key.object)
	if !ok {
		path, err := r.bucket.Path(ctx, key.object)
		if err != nil {
			return nil, err
		}
		if file, err = columnar.OpenParquet(path); err != nil {
			return nil, err
		}
		r.files.Add(key.object, file)
	}
	counts := file.RowGroups()
	if key.group >= len(counts) {
		return nil, fmt.Errorf("object %s has %d row groups; the manifest names row group %d", key.object, len(counts), key.group)
	}
	record, err := file.Read(barColumns, columnar.Range{RowGroup: key.group, Rows: counts[key.group]})
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", key.object, err)
	}
	r.groups.Add(key, record)
	return record, nil
}

// barBatch collects slices of row groups into one batch.
type barBatch struct {
	ids, symbols *names
	pieces       [][]arrow.Array // by column of barColumns
	rows         int64

	last       string // id of the asset that was added last
	id, symbol int32  // its indexes in ids and symbols
}

func newBarBatch() *barBatch {
	return &barBatch{
		ids: newNames(), symbols: newNames(), pieces: make([][]arrow.Array, len(barColumns)),
	}
}

func (b *barBatch) add(a BarAsset, part arrow.RecordBatch) {
	n := part.NumRows()
	if a.ID != b.last {
		b.last, b.id, b.symbol = a.ID, b.ids.value(a.ID), b.symbols.value(a.Symbol)
	}
	b.ids.rows(b.id, int(n))
	b.symbols.rows(b.symbol, int(n))
	for i := range b.pieces {
		b.pieces[i] = append(b.pieces[i], part.Column(i))
	}
	b.rows += n
}

func (b *barBatch) record() (arrow.RecordBatch, error) {
	columns := []arrow.Array{b.ids.array(), b.symbols.array()}
	for _, pieces := range b.pieces {
		whole, err := array.Concatenate(pieces, memory.DefaultAllocator)
		if err != nil {
			return nil, fmt.Errorf("concatenate bars: %w", err)
		}
		columns = append(columns, whole)
	}
	return array.NewRecordBatch(Bars.carried(), columns, b.rows), nil
}
