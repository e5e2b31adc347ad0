package jobs

import (
	"context"
	"log/slog"
	"strings"
	"sync"

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
	// Advance moves the account's oldest waiting job of the queue into its first
	// lane, where no other job than the one that is leaving is in it. What has been
	// put off is moved where hurry is set.
	Advance(ctx context.Context, accountID, queue string, leaving int64, hurry bool) error
	// Retreat moves a job from the first lane back into its queue.
	Retreat(ctx context.Context, job int64, queue string) error
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

// advance lets the account's next job into the lane that one has left. Where that
// fails the account's jobs are worked in their turn all the same.
func (l *lanes) advance(ctx context.Context, job *river.Job[RunArgs], hurry bool) {
	queue := strings.TrimSuffix(job.Queue, firstLane)
	if err := l.store.Advance(ctx, job.Args.AccountID, queue, job.ID, hurry); err != nil && ctx.Err() == nil {
		l.log.WarnContext(ctx, "an account's next run was not moved to the front", "account_id", job.Args.AccountID, "error", err)
	}
}

// retreat takes a job that waits for something out of its lane.
func (l *lanes) retreat(ctx context.Context, job *river.Job[RunArgs]) {
	if err := l.store.Retreat(ctx, job.ID, strings.TrimSuffix(job.Queue, firstLane)); err != nil && ctx.Err() == nil {
		l.log.WarnContext(ctx, "a run that waits was not moved to the back", "run_id", job.Args.RunID, "error", err)
	}
}
