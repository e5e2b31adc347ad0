package jobs

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"
)

// Queues of runs. Each has a lane beside it that holds one run of every account, so
// that an account's first run never waits for runs of other accounts.
const (
	RunQueue        = river.QueueDefault
	GenerationQueue = "generation" // runs whose script must first be written by a language model

	firstLane = "_first"
)

// FirstLane returns the name of the lane beside a queue of runs.
func FirstLane(queue string) string { return queue + firstLane }

// Lanes moves jobs between a queue of runs and its first lane.
type Lanes interface {
	// LeaveLane takes a job out of the queue's first lane and, if the account has no
	// other job in it, moves its oldest waiting job there. With hurry, a job that was
	// postponed may be moved too.
	LeaveLane(ctx context.Context, job int64, accountID, queue string, hurry bool) error
	// FillLane moves the oldest waiting job of every account that has none in the
	// queue's first lane into it.
	FillLane(ctx context.Context, queue string) error
	// Release lets waiting runs into the queue if it takes more, and reports whether
	// others still wait. The ended jobs count as gone, although they are still recorded
	// as running.
	Release(ctx context.Context, queue string, ended []int64) (more bool, err error)
}

// lanes keeps the first lanes filled.
type lanes struct {
	store Lanes
	log   *slog.Logger

	mu    sync.Mutex
	inUse map[string]struct{} // queue and account of the lane jobs that this process is working on
}

func newLanes(store Lanes, log *slog.Logger) *lanes {
	return &lanes{store: store, log: log, inUse: map[string]struct{}{}}
}

// enter reports whether a job may run in its lane: jobs that were queued at the same
// time can both be in it.
func (l *lanes) enter(queue, accountID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := queue + " " + accountID
	if _, ok := l.inUse[key]; ok {
		return false
	}
	l.inUse[key] = struct{}{}
	return true
}

func (l *lanes) exit(queue, accountID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.inUse, queue+" "+accountID)
}

// leave takes a job out of its lane and lets the account's next one in. If that
// fails, fill makes up for it.
func (l *lanes) leave(ctx context.Context, job *river.Job[RunArgs], hurry bool) {
	queue := strings.TrimSuffix(job.Queue, firstLane)
	if err := l.store.LeaveLane(ctx, job.ID, job.Args.AccountID, queue, hurry); err != nil && ctx.Err() == nil {
		l.log.WarnContext(ctx, "a job was not moved out of its lane", "run_id", job.Args.RunID, "error", err)
	}
}

// fillInterval is how long an account's first job waits for its lane at most, if it
// was queued behind one that left at the same time, or whose process died.
const fillInterval = 250 * time.Millisecond

// fill keeps the lanes filled until ctx ends.
func (l *lanes) fill(ctx context.Context) {
	tick := time.NewTicker(fillInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, queue := range []string{RunQueue, GenerationQueue} {
			if err := l.store.FillLane(ctx, queue); err != nil && ctx.Err() == nil {
				l.log.WarnContext(ctx, "the first lane of a queue was not filled", "queue", queue, "error", err)
			}
		}
	}
}
