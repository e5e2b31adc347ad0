package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
)

// eventsQueue is separate from the queue of runs, so that waiting for other people's
// servers delays no run.
const eventsQueue = "events"

// DeliverArgs sends the events in the line of a delivery. It may be executed twice,
// and at the same time as another job of the same line, because each attempt is
// claimed.
type DeliverArgs struct {
	DeliveryID string `json:"delivery_id"`
	WebhookID  string `json:"webhook_id"`
	AccountID  string `json:"account_id"`
}

// Kind names the job.
func (DeliverArgs) Kind() string { return "deliver" }

// InsertOpts keeps the job out of the queue of runs.
func (DeliverArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: eventsQueue} }

// Deliverer sends events. webhook.Deliverer implements it.
type Deliverer interface {
	// Deliver returns how long to wait before it is called again; 0 means never.
	Deliver(ctx context.Context, deliveryID string) (time.Duration, error)
}

// deliverWorker sends events.
type deliverWorker struct {
	river.WorkerDefaults[DeliverArgs]
	deliverer Deliverer
	shares    *shares
	log       *slog.Logger
}

// deliverPause is when a line that could not be read is tried again.
const deliverPause = 10 * time.Second

// Work continues with the line. The job stays until its delivery has ended; failures
// here are retried without limit.
func (w *deliverWorker) Work(ctx context.Context, job *river.Job[DeliverArgs]) error {
	release, turn := w.shares.take(job.Args.AccountID, job.Args.WebhookID)
	if release == nil {
		return river.JobSnooze(turn)
	}
	defer release()
	wait, err := w.deliverer.Deliver(ctx, job.Args.DeliveryID)
	switch {
	case err != nil && ctx.Err() != nil:
		return err // the service is stopping: the next start resumes the job
	case err != nil:
		w.log.WarnContext(ctx, "events not sent", "delivery_id", job.Args.DeliveryID, "error", err)
		return river.JobSnooze(deliverPause)
	case wait > 0:
		return river.JobSnooze(wait)
	}
	return nil
}

// Timeout sets none, because each attempt has its own.
func (w *deliverWorker) Timeout(*river.Job[DeliverArgs]) time.Duration { return -1 }
