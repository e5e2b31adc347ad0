package jobs

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river"
)

// releaser lets waiting runs into the queues whenever this process has ended one. While
// its workers are all busy and nobody waits, it asks nothing of the database.
type releaser struct {
	store Lanes
	log   *slog.Logger
	kick  chan struct{}

	mu     sync.Mutex
	queues map[string]*releasing
	over   map[int64]time.Time // jobs that have ended here, but are perhaps still recorded as running
}

// releasing is what the releaser knows about one queue.
type releasing struct {
	slots int
	busy  int
	more  bool // runs were waiting when the releaser last looked
	due   bool
}

const (
	// releaseInterval is how long a waiting run waits at most for its release if the
	// process that should have released it died.
	releaseInterval = 5 * time.Second
	// releasePause gathers the ends of short runs into one statement. The jobs in
	// reserve last longer.
	releasePause = 2 * time.Millisecond
	// longestRecording is more than River takes to record an end.
	longestRecording = 10 * time.Second
)

func newReleaser(store Lanes, slots Slots, log *slog.Logger) *releaser {
	return &releaser{
		store: store, log: log, kick: make(chan struct{}, 1), over: map[int64]time.Time{},
		queues: map[string]*releasing{RunQueue: {slots: slots.Runs}, GenerationQueue: {slots: slots.Generations}},
	}
}

// begun says that a worker has begun with a job of the queue.
func (r *releaser) begun(queue string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queues[queue].busy++
}

// ended says that a job has made room in the queue, for now or for good.
func (r *releaser) ended(queue string, job int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over[job] = time.Now()
	q := r.queues[queue]
	q.busy--
	// Another process may have queued runs, of which this one only learns by asking. An
	// idle worker has the time.
	if q.more || q.busy == 0 || q.busy < q.slots-1 {
		q.due = true
		select {
		case r.kick <- struct{}{}:
		default:
		}
	}
}

// work releases runs until ctx ends. recorded are the ends that River has recorded.
func (r *releaser) work(ctx context.Context, recorded <-chan *river.Event) {
	tick := time.NewTicker(releaseInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-recorded:
			if !ok {
				recorded = nil // the queue has stopped
				continue
			}
			r.forget(e.Job.ID)
		case <-tick.C:
			r.all()
			r.release(ctx)
		case <-r.kick:
			select {
			case <-ctx.Done():
				return
			case <-time.After(releasePause):
			}
			r.release(ctx)
		}
	}
}

func (r *releaser) forget(job int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.over, job)
}

// all makes all queues due, and forgets ends whose event was lost.
func (r *releaser) all() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range r.queues {
		q.due = true
	}
	maps.DeleteFunc(r.over, func(_ int64, at time.Time) bool { return time.Since(at) > longestRecording })
}

// release asks for each queue that is due.
func (r *releaser) release(ctx context.Context) {
	for name, q := range r.queues { // the map itself does not change
		r.mu.Lock()
		due := q.due
		q.due = false
		over := slices.AppendSeq([]int64{}, maps.Keys(r.over))
		r.mu.Unlock()
		if !due {
			continue
		}
		more, err := r.store.Release(ctx, name, over)
		if err != nil {
			if ctx.Err() == nil {
				r.log.WarnContext(ctx, "waiting runs were not released", "queue", name, "error", err)
			}
			continue
		}
		r.mu.Lock()
		q.more = more
		r.mu.Unlock()
	}
}
