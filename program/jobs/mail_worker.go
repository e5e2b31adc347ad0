package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
)

// mailQueue is worked where a mail server is configured.
const mailQueue = "letters" // as stored with the jobs

// MailArgs writes to a model's owner about the run that it has come to serve.
// It may be worked twice: a notice that has ended is left as it is.
type MailArgs struct {
	RunID     string `json:"run_id"`
	AccountID string `json:"account_id"`
}

// Kind names the job.
func (MailArgs) Kind() string { return "letter" }

// InsertOpts keeps the job off the queue of the runs.
func (MailArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: mailQueue} }

// Notifier sends mails; mail.Notifier is one.
type Notifier interface {
	// Notify returns how long to wait before it is called again, 0 for never.
	Notify(ctx context.Context, runID string) (time.Duration, error)
}

// mailWorker sends mails.
type mailWorker struct {
	river.WorkerDefaults[MailArgs]
	notifier Notifier
	shares   *shares
	log      *slog.Logger
}

// Work sends the mail, or asks for another try.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[MailArgs]) error {
	release, turn := w.shares.take(job.Args.AccountID, job.Args.AccountID)
	if release == nil {
		return river.JobSnooze(turn)
	}
	defer release()
	wait, err := w.notifier.Notify(ctx, job.Args.RunID)
	switch {
	case err != nil && ctx.Err() != nil:
		return err // stopped with the service: the next start takes it up
	case err != nil:
		w.log.WarnContext(ctx, "allocation mail not sent", "run_id", job.Args.RunID, "error", err)
		return river.JobSnooze(deliverPause)
	case wait > 0:
		return river.JobSnooze(wait)
	}
	return nil
}

// Timeout leaves the time to the mail server.
func (w *mailWorker) Timeout(*river.Job[MailArgs]) time.Duration { return -1 }
