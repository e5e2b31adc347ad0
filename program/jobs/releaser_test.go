package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// releases records calls of Release.
type releases struct {
	mu    sync.Mutex
	more  bool
	err   error
	calls map[string]int
	ended []int64
}

func (*releases) LeaveLane(context.Context, int64, string, string, bool) error { return nil }

func (*releases) FillLane(context.Context, string) error { return nil }

func (r *releases) Release(_ context.Context, queue string, ended []int64) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[queue]++
	r.ended = slices.Sorted(slices.Values(ended))
	return r.more, r.err
}

// set changes what Release returns from now on.
func (r *releases) set(more bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.more, r.err = more, err
}

// seen returns how often Release was called for a queue, and with which ends at last.
func (r *releases) seen(queue string) (int, []int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls[queue], r.ended
}

// The releaser asks when a worker is idle or others wait, once for all ends at the same
// time, and leaves out what River has recorded.
func TestReleaserAsksSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &releases{calls: map[string]int{}}
		r := newReleaser(store, Slots{Runs: 4, Generations: 4}, slog.New(slog.DiscardHandler))
		recorded := make(chan *river.Event)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.work(ctx, recorded)
		}()
		settle := func() {
			time.Sleep(10 * releasePause)
			synctest.Wait()
		}
		want := func(what string, calls int, ended ...int64) {
			t.Helper()
			settle()
			if n, last := store.seen(RunQueue); n != calls || !slices.Equal(last, ended) {
				t.Errorf("%s: %d calls, ended %v; want %d, %v", what, n, last, calls, ended)
			}
		}
		for range 4 {
			r.begun(RunQueue)
		}
		r.ended(RunQueue, 1)
		want("while the others are busy", 0)
		r.ended(RunQueue, 2)
		r.ended(RunQueue, 3)
		want("two at once", 1, 1, 2, 3)
		recorded <- &river.Event{Job: &rivertype.JobRow{ID: 2}}
		store.set(true, nil)
		r.ended(RunQueue, 4)
		want("the last", 2, 1, 3, 4)
		for range 4 {
			r.begun(RunQueue)
		}
		r.ended(RunQueue, 5)
		want("busy, but others wait", 3, 1, 3, 4, 5)
		if n, _ := store.seen(GenerationQueue); n != 0 {
			t.Errorf("%d calls for a queue in which nothing has happened", n)
		}
		close(recorded)
		store.set(true, errors.New("down"))
		time.Sleep(releaseInterval)
		settle()
		if n, _ := store.seen(GenerationQueue); n != 1 {
			t.Errorf("%d calls for the other queue after the interval, want 1", n)
		}
		time.Sleep(3 * releaseInterval)
		so, _ := store.seen(RunQueue)
		want("long after", so)
		stop()
		<-done
	})
}
