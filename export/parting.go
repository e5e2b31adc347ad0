package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"golang.org/x/sync/errgroup"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

const (
	// yearRows is the number of rows that the writer of a year collects before it
	// writes. It is small because the writers of all years are open at the same time.
	yearRows = 1 << 14
	// symbolsOpen limits the files per symbol that are written at the same time.
	symbolsOpen = 8
)

// parting distributes rows among the writers of the parts.
type parting struct {
	ctx    context.Context //nolint:containedctx // of the one call that makes it
	cancel context.CancelFunc
	group  *errgroup.Group
	bucket columnar.Bucket
	folder string
	table  Table
	format Format
	by     Partition
	column int    // index of the column that decides the part of a row
	skip   string // name of the column that files leave out, or ""

	open map[string]chan arrow.RecordBatch
	keys []string // keys of the objects, in the order in which they were begun
}

func newParting(ctx context.Context, bucket columnar.Bucket, folder string, t Table, f Format, by Partition) (*parting, error) {
	p := &parting{bucket: bucket, folder: folder, table: t, format: f, by: by, open: map[string]chan arrow.RecordBatch{}}
	name := "date"
	if by == BySymbol {
		name, p.skip = "symbol", "symbol"
	}
	found := t.Schema().FieldIndices(name)
	if len(found) == 0 || t == Assets || !slices.Contains(Partitions, by) {
		return nil, fmt.Errorf("export: %s cannot be divided by %s", t, by)
	}
	p.column = found[0]
	ctx, p.cancel = context.WithCancel(ctx)
	p.group, p.ctx = errgroup.WithContext(ctx)
	if by == BySymbol {
		p.group.SetLimit(symbolsOpen)
	}
	return p, nil
}

// all distributes all batches and waits for the writers.
func (p *parting) all(rows *Rows) error {
	defer p.cancel()
	err := p.each(rows)
	if err != nil {
		p.cancel()
	}
	for _, part := range p.open {
		close(part)
	}
	// A writer that fails cancels the context, and each then reports the cancellation.
	// The writer's own error is the one to return.
	if failed := p.group.Wait(); failed != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return failed
	}
	return err
}

func (p *parting) each(rows *Rows) error {
	for {
		record, err := rows.Next(p.ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := p.deal(record); err != nil {
			return err
		}
	}
}

// deal sends the rows of a batch to the writers of their parts.
func (p *parting) deal(record arrow.RecordBatch) error {
	order, parts, err := p.split(record)
	if err != nil {
		return err
	}
	for _, name := range order {
		part, ok := p.open[name]
		if !ok {
			if p.by == BySymbol {
				p.closeOthers() // rows are ordered by symbol, so earlier symbols are complete
			}
			part = p.begin(name)
		}
		whole, err := p.gather(parts[name])
		if err != nil {
			return err
		}
		select {
		case part <- whole:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
	return nil
}

func (p *parting) closeOthers() {
	for name, part := range p.open {
		close(part)
		delete(p.open, name)
	}
}

// split cuts a batch into slices, one for each stretch of rows of the same part.
func (p *parting) split(record arrow.RecordBatch) (order []string, parts map[string][]arrow.RecordBatch, err error) {
	name, err := p.namer(record.Column(p.column))
	if err != nil {
		return nil, nil, err
	}
	parts = map[string][]arrow.RecordBatch{}
	rows := int(record.NumRows())
	for from := 0; from < rows; {
		part, same := name(from)
		to := from + 1
		for to < rows && same(to) {
			to++
		}
		if parts[part] == nil {
			order = append(order, part)
		}
		parts[part] = append(parts[part], record.NewSlice(int64(from), int64(to)))
		from = to
	}
	return order, parts, nil
}

// namer returns a function that names the part of a row, and reports whether another
// row belongs to the same part.
func (p *parting) namer(column arrow.Array) (func(row int) (part string, same func(int) bool), error) {
	switch c := column.(type) {
	case *array.Date32:
		dates := c.Date32Values()
		return func(row int) (string, func(int) bool) {
			year, _, _ := timeseries.Date(dates[row]).YMD()
			first, last := yearBounds(year)
			return strconv.Itoa(year), func(other int) bool { return dates[other] >= first && dates[other] <= last }
		}, nil
	case *array.Dictionary:
		if values, ok := c.Dictionary().(*array.String); ok {
			return func(row int) (string, func(int) bool) {
				value := c.GetValueIndex(row)
				return values.Value(value), func(other int) bool { return c.GetValueIndex(other) == value }
			}, nil
		}
	}
	return nil, fmt.Errorf("export: cannot partition by a column of type %s", column.DataType())
}

// gather copies slices into one batch, so that no slice keeps the memory of the
// original batch.
func (p *parting) gather(slices []arrow.RecordBatch) (arrow.RecordBatch, error) {
	schema := dropColumn(slices[0].Schema(), p.skip)
	var columns []arrow.Array
	var rows int64
	for _, s := range slices {
		rows += s.NumRows()
	}
	for i, f := range slices[0].Schema().Fields() {
		if f.Name == p.skip {
			continue
		}
		pieces := make([]arrow.Array, len(slices))
		for j, s := range slices {
			pieces[j] = s.Column(i)
		}
		whole, err := array.Concatenate(pieces, memory.DefaultAllocator)
		if err != nil {
			return nil, fmt.Errorf("concatenate the batches of a partition: %w", err)
		}
		columns = append(columns, whole)
	}
	return array.NewRecordBatch(schema, columns, rows), nil
}

// begin starts the writer of a part. The writer ends when its channel is closed.
func (p *parting) begin(name string) chan arrow.RecordBatch {
	part := make(chan arrow.RecordBatch)
	p.open[name] = part
	key := path.Join(p.folder, string(p.by)+"="+url.QueryEscape(name), string(p.table)+p.format.Extension())
	p.keys = append(p.keys, key)
	p.group.Go(func() error {
		return p.bucket.Put(p.ctx, key, func(w io.Writer) error {
			out, err := newSink(w, p.table, p.skip, p.format)
			if err != nil {
				return err
			}
			if p.by == ByYear {
				out.least = yearRows
			}
			return p.drain(part, out)
		})
	})
	return part
}

func (p *parting) drain(part <-chan arrow.RecordBatch, out *sink) error {
	for {
		select {
		case record, more := <-part:
			if p.ctx.Err() != nil {
				return p.ctx.Err() // the channel was closed because of an error
			}
			if !more {
				return out.close()
			}
			if err := out.add(record); err != nil {
				return err
			}
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
}

// yearBounds returns the first and the last day of a year.
func yearBounds(year int) (first, last arrow.Date32) {
	day := func(year int) arrow.Date32 { return arrow.Date32(timeseries.NewDate(year, time.January, 1)) }
	return day(year), day(year+1) - 1
}
