package export

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// batchRows is about how many rows a batch has, and a row group of Parquet.
const batchRows = 1 << 16

// Rows is a table on its way to a writer. It is for one goroutine at a time.
type Rows struct {
	Table Table
	Total int64 // about how many rows will come, 0 where nobody knows
	// Progress, where set, is told the number of rows so far.
	Progress func(rows int64)

	ahead   arrow.RecordBatch // read by Open
	ended   bool
	done    int64 // rows given
	next    batches
	release []func()
	ctx     context.Context // of what reads; nil ends with nothing
	slot    *slot           // nil without a bound
}

// Watch measures how fast the caller of an export takes what is written to w. It
// belongs right before the connection.
func (r *Rows) Watch(w io.Writer) io.Writer { return r.slot.watch(w) }

// OnStall calls f once when the export has to make room for others, since its
// caller does not read. The stop function is context.AfterFunc's.
func (r *Rows) OnStall(f func()) (stop func() bool) {
	if r.ctx == nil {
		return func() bool { return true }
	}
	return context.AfterFunc(r.ctx, func() {
		if r.Stalled() {
			f()
		}
	})
}

// Stalled reports whether the export has to make room.
func (r *Rows) Stalled() bool { return r.ctx != nil && errors.Is(context.Cause(r.ctx), ErrStalled) }

// batches gives the next batch of a table, io.EOF after the last.
type batches func(ctx context.Context) (arrow.RecordBatch, error)

// newRows reads the first batch, so that what can go wrong early does so here.
func newRows(ctx context.Context, t Table, next batches, release func()) (*Rows, error) {
	r := &Rows{Table: t, next: next}
	if release != nil {
		r.release = append(r.release, release)
	}
	if err := r.read(ctx); err != nil && !errors.Is(err, io.EOF) {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Next returns the next batch; io.EOF after the last one.
func (r *Rows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.Stalled() {
		return nil, ErrStalled
	}
	if r.ahead == nil {
		if err := r.read(ctx); err != nil {
			return nil, err
		}
	}
	record := r.ahead
	r.ahead = nil
	r.done += record.NumRows()
	if r.Progress != nil {
		r.Progress(r.done)
	}
	return record, nil
}

// read reads the next batch ahead.
func (r *Rows) read(ctx context.Context) (err error) {
	if r.ended {
		return io.EOF
	}
	r.ahead, err = r.next(ctx)
	r.ended = errors.Is(err, io.EOF)
	return err
}

// Close ends what still reads. It may be called twice.
func (r *Rows) Close() {
	for _, release := range r.release {
		release()
	}
	r.release = nil
}

// ended is a table without rows.
func ended(context.Context) (arrow.RecordBatch, error) { return nil, io.EOF }
