package execution

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"ballast/program"
)

// progressInterval is how often progress is written. Runs that end sooner write none,
// because a write would cost more than the run.
const progressInterval = 400 * time.Millisecond

// errUnwanted is the cause of a context that ends because its run was deleted while it
// was in progress, or has been ended by somebody else.
var errUnwanted = errors.New("the run was deleted, or has ended")

// progressWriter records how far a run has come, in the background and only the
// latest state.
type progressWriter struct {
	mu      sync.Mutex
	current program.Progress
	cancel  context.CancelFunc
	done    chan struct{}
}

// progressStore stores how far runs have come.
type progressStore interface {
	SetProgress(ctx context.Context, runID string, p program.Progress) (wanted bool, err error)
}

// startProgress begins writing. It calls stop with errUnwanted when nobody wants the
// run's result any more.
func startProgress(ctx context.Context, store progressStore, log *slog.Logger, runID string, stop context.CancelCauseFunc) *progressWriter {
	ctx, cancel := context.WithCancel(ctx)
	w := &progressWriter{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			p := w.latest()
			if p.Step == "" {
				continue
			}
			wanted, err := store.SetProgress(ctx, runID, p)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				log.WarnContext(ctx, "progress not written", "error", err)
			case !wanted:
				stop(errUnwanted)
				return
			}
		}
	}()
	return w
}

// set records a step. Within a step the count never decreases, even if work starts
// again.
func (w *progressWriter) set(step string, done, total int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current.Step == step && w.current.Total == total {
		done = max(done, w.current.Done)
	}
	w.current = program.Progress{Step: step, Done: done, Total: total}
}

func (w *progressWriter) latest() program.Progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.current
}

// stop ends the writing and waits for a write in progress, so that none comes after
// the publication.
func (w *progressWriter) stop() {
	w.cancel()
	<-w.done
}
