package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// releases records calls of Release.
type releases struct {
	Lanes
	more  bool
	err   error
	calls map[string]int
	ended []int64
}

func (r *releases) Release(_ context.Context, queue string, ended []int64) (bool, error) {
	r.calls[queue]++
	r.ended = slices.Sorted(slices.Values(ended))
	return r.more, r.err
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
			if store.calls[RunQueue] != calls || !slices.Equal(store.ended, ended) {
				t.Errorf("%s: %d calls, ended %v; want %d, %v", what, store.calls[RunQueue], store.ended, calls, ended)
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
		store.more = true
		r.ended(RunQueue, 4)
		want("the last", 2, 1, 3, 4)
		for range 4 {
			r.begun(RunQueue)
		}
		r.ended(RunQueue, 5)
		want("busy, but others wait", 3, 1, 3, 4, 5)
		if n := store.calls[GenerationQueue]; n != 0 {
			t.Errorf("%d calls for a queue in which nothing has happened", n)
		}
		close(recorded)
		store.err = errors.New("down")
		time.Sleep(releaseInterval)
		settle()
		if n := store.calls[GenerationQueue]; n != 1 {
			t.Errorf("%d calls for the other queue after the interval, want 1", n)
		}
		time.Sleep(3 * releaseInterval)
		want("long after", store.calls[RunQueue])
		stop()
		<-done
	})
}
