package export

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// batchRows is the approximate number of rows of a batch, and of a Parquet row group.
const batchRows = 1 << 16

// Rows is an open table that a writer reads. Only one goroutine may use it at a time.
type Rows struct {
	Table Table
	Total int64 // approximate number of rows, or 0 if unknown
	// Progress, if set, is called after each batch with the number of rows so far.
	Progress func(rows int64)

	ahead   arrow.RecordBatch // read by Open
	ended   bool
	done    int64 // rows returned so far
	next    batches
	release []func()
	ctx     context.Context // ends with ErrStalled if the slot is taken away; nil before Open returns
	slot    *slot           // nil if exports are not limited
}

// Watch returns a writer to w that measures how fast the caller of an export reads.
// w should be the connection itself, without a buffer in between.
func (r *Rows) Watch(w io.Writer) io.Writer { return r.slot.watch(w) }

// OnStall calls f once if the export loses its slot because its caller does not read.
// The stop function is that of context.AfterFunc.
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

// Stalled reports whether the export has lost its slot to another.
func (r *Rows) Stalled() bool { return r.ctx != nil && errors.Is(context.Cause(r.ctx), ErrStalled) }

// batches returns the next batch of a table, or io.EOF after the last.
type batches func(ctx context.Context) (arrow.RecordBatch, error)

// newRows reads the first batch, so that early errors appear before anything is written.
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

// Next returns the next batch, or io.EOF after the last.
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

// Close ends all reading and gives the slot back. It may be called twice.
func (r *Rows) Close() {
	for _, release := range r.release {
		release()
	}
	r.release = nil
}

// ended is a table without rows.
func ended(context.Context) (arrow.RecordBatch, error) { return nil, io.EOF }
