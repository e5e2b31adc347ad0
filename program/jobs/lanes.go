package jobs

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"
)

// The queues of runs. Each has a lane beside it that one run of every account is
// in, so that an account's first run waits for no run of another account.
const (
	RunQueue        = river.QueueDefault
	GenerationQueue = "generation" // of runs whose script a language model has to write first

	firstLane = "_first"
)

// FirstLane is the lane beside a queue of runs.
func FirstLane(queue string) string { return queue + firstLane }

// Lanes moves jobs of runs between a queue and its first lane.
type Lanes interface {
	// LeaveLane takes a job out of the queue's first lane and moves the oldest
	// waiting job of its account into it, where no other is in it. What has been put
	// off is moved where hurry is set.
	LeaveLane(ctx context.Context, job int64, accountID, queue string, hurry bool) error
	// FillLane moves the oldest waiting job of every account that has none in the
	// queue's first lane into it.
	FillLane(ctx context.Context, queue string) error
}

// lanes keeps the first lanes moving.
type lanes struct {
	store Lanes
	log   *slog.Logger

	mu    sync.Mutex
	inUse map[string]struct{} // queue and account of the jobs in first lanes that this process works
}

func newLanes(store Lanes, log *slog.Logger) *lanes {
	return &lanes{store: store, log: log, inUse: map[string]struct{}{}}
}

// enter reports whether a job may be worked in the lane that it is in: jobs that
// were queued at the same moment can be there together.
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

// leave takes a job out of its lane and lets the account's next one in. Where that
// fails fill makes up for it.
func (l *lanes) leave(ctx context.Context, job *river.Job[RunArgs], hurry bool) {
	queue := strings.TrimSuffix(job.Queue, firstLane)
	if err := l.store.LeaveLane(ctx, job.ID, job.Args.AccountID, queue, hurry); err != nil && ctx.Err() == nil {
		l.log.WarnContext(ctx, "a job was not moved out of its lane", "run_id", job.Args.RunID, "error", err)
	}
}

// fillInterval bounds how long an account's first job waits for its lane: it was
// queued behind one that left the lane at the same moment, or whose process died.
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
