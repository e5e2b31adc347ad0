package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/confine"
)

// Answer returns the rows of a statement as they arrive. Only one goroutine may use it at
// a time.
type Answer struct {
	child  *process
	bytes  *unframed
	reader *ipc.Reader
	ctx    context.Context
	cancel context.CancelFunc
	parent context.Context
	err    error
}

// openAnswer sends an order, and waits for the first bytes of the answer or for its end.
// With an error it returns a closed answer, which knows what the attempt cost.
func openAnswer(ctx context.Context, k *process, o *Order, data [][]byte) (*Answer, error) {
	a := &Answer{child: k, bytes: &unframed{r: k.out}, parent: ctx}
	// The child has its own deadline and can report more about it.
	a.ctx, a.cancel = context.WithTimeout(ctx, o.Limits.Time+grace)
	context.AfterFunc(a.ctx, k.kill)
	sent := make(chan error, 1)
	go func() { sent <- k.send(o, data) }()
	var err error
	if a.reader, err = ipc.NewReader(a.bytes, ipc.WithAllocator(&bounded{left: mostBatch})); err != nil {
		a.err = err
		if a.err = a.why(); a.err == nil { // the answer ended before its first row
			a.err = fmt.Errorf("query process: %w", err)
		}
		a.Close()
		return a, a.err
	}
	return a, nil
}

// grace is how long after its deadline a child may still report it.
const grace = 2 * time.Second

// Schema describes the columns.
func (a *Answer) Schema() *arrow.Schema { return a.reader.Schema() }

// Next reads the next batch.
func (a *Answer) Next() bool {
	if a.err != nil {
		return false
	}
	if a.reader.Next() {
		return true
	}
	a.err = a.reader.Err()
	if a.err == nil {
		_, a.err = io.Copy(io.Discard, a.bytes) // up to the last frame
	}
	a.err = a.why()
	return false
}

// Batch returns the batch that Next has read. It is released by the following Next.
func (a *Answer) Batch() arrow.RecordBatch { return a.reader.RecordBatch() }

// Err says why rows are missing: a *Failure, the context's error, or an error of the
// process. It is nil if all rows were read.
func (a *Answer) Err() error { return a.err }

// Cut reports whether there were more rows than requested. It is known when Next has
// returned false.
func (a *Answer) Cut() bool { return a.bytes.end != nil && a.bytes.end.Cut }

// Guards returns the guards that protected the process. They are known when Next has
// returned false.
func (a *Answer) Guards() confine.Report {
	if a.bytes.end == nil {
		return nil
	}
	return a.bytes.end.Guards
}

// Close ends the process. It may be called at any time, and more than once.
func (a *Answer) Close() {
	if a.reader != nil {
		a.reader.Release()
		a.reader = nil
	}
	a.child.close()
	a.cancel()
}

// CPU returns the processor time that the process took. It is known once the answer is
// closed.
func (a *Answer) CPU() time.Duration {
	state := a.child.cmd.ProcessState
	if state == nil {
		return 0
	}
	return state.UserTime() + state.SystemTime()
}

// why returns the error of an answer that has ended, or nil if it ended normally.
func (a *Answer) why() error {
	if e := a.bytes.end; e != nil {
		if e.Failure != nil {
			return e.Failure
		}
		return a.err
	}
	switch {
	case a.parent.Err() != nil:
		return a.parent.Err()
	case a.ctx.Err() != nil:
		return &Failure{Reason: Time}
	}
	a.child.close()
	switch state := a.child.cmd.ProcessState; {
	case a.child.stderr.outOfMemory():
		return &Failure{Reason: Memory}
	case overTime(state):
		return &Failure{Reason: Time}
	default:
		return fmt.Errorf("the query process died: %s: %s: %w", state, a.child.stderr, errors.Join(a.err, io.ErrUnexpectedEOF))
	}
}

// mostBatch limits the memory of a batch, in bytes.
const mostBatch = 256 << 20

// bounded is an allocator with a limit, because the child chooses the sizes.
type bounded struct {
	memory.GoAllocator
	left int
}

// Allocate implements memory.Allocator.
func (b *bounded) Allocate(n int) []byte {
	b.take(n)
	return b.GoAllocator.Allocate(n)
}

// Reallocate implements memory.Allocator.
func (b *bounded) Reallocate(n int, old []byte) []byte {
	b.take(n - len(old))
	return b.GoAllocator.Reallocate(n, old)
}

// Free implements memory.Allocator.
func (b *bounded) Free(old []byte) { b.left += len(old) }

// take panics if the limit is exceeded; the Arrow reader turns that into an error.
func (b *bounded) take(n int) {
	if n > b.left {
		panic(errTooLong)
	}
	b.left -= n
}
