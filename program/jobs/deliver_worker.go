package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
)

// eventsQueue is worked beside that of the runs: what waits for somebody else's
// server holds up no run.
const eventsQueue = "events"

// DeliverArgs sends what stands in line where a delivery stands. It may be worked
// twice, and beside another of the same line: each attempt is claimed.
type DeliverArgs struct {
	DeliveryID string `json:"delivery_id"`
	WebhookID  string `json:"webhook_id"`
	AccountID  string `json:"account_id"`
}

// Kind names the job.
func (DeliverArgs) Kind() string { return "deliver" }

// InsertOpts keeps the job off the queue of the runs.
func (DeliverArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: eventsQueue} }

// Deliverer sends events; webhook.Deliverer is one.
type Deliverer interface {
	// Deliver returns how long to wait before it is called again, 0 for never.
	Deliver(ctx context.Context, deliveryID string) (time.Duration, error)
}

// deliverWorker sends events.
type deliverWorker struct {
	river.WorkerDefaults[DeliverArgs]
	deliverer Deliverer
	shares    *shares
	log       *slog.Logger
}

// deliverPause is how soon a line is looked at again that could not be read.
const deliverPause = 10 * time.Second

// Work goes on with the line. The job stays until its delivery has ended: what
// fails here is tried again however often.
func (w *deliverWorker) Work(ctx context.Context, job *river.Job[DeliverArgs]) error {
	release, turn := w.shares.take(job.Args.AccountID, job.Args.WebhookID)
	if release == nil {
		return river.JobSnooze(turn)
	}
	defer release()
	wait, err := w.deliverer.Deliver(ctx, job.Args.DeliveryID)
	switch {
	case err != nil && ctx.Err() != nil:
		return err // stopped with the service: the next start takes it up
	case err != nil:
		w.log.WarnContext(ctx, "events not sent", "delivery_id", job.Args.DeliveryID, "error", err)
		return river.JobSnooze(deliverPause)
	case wait > 0:
		return river.JobSnooze(wait)
	}
	return nil
}

// Timeout leaves the time to each attempt.
func (w *deliverWorker) Timeout(*river.Job[DeliverArgs]) time.Duration { return -1 }
