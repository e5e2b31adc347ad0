package execution

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"ballast/program"
)

// progressInterval is how often progress is written. Runs that end sooner write none,
// because a write would cost more than the run.
const progressInterval = 400 * time.Millisecond

// progressWriter records how far a run has come, in the background and only the
// latest state.
type progressWriter struct {
	mu      sync.Mutex
	current program.Progress
	written program.Progress
	cancel  context.CancelFunc
	done    chan struct{}
}

func startProgress(ctx context.Context, store Store, log *slog.Logger, runID string) *progressWriter {
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
			p, changed := w.next()
			if !changed {
				continue
			}
			if err := store.SetProgress(ctx, runID, p); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "progress not written", "error", err)
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

func (w *progressWriter) next() (program.Progress, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := w.current != w.written
	w.written = w.current
	return w.current, changed
}

// stop ends the writing and waits for a write in progress, so that none comes after
// the publication.
func (w *progressWriter) stop() {
	w.cancel()
	<-w.done
}
