package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
)

// mailQueue is worked on by processes with a configured mail server.
const mailQueue = "letters" // as stored with the jobs

// MailArgs mails a model's owner about the run that the model now serves. It may be
// executed twice: a notice that has ended is left unchanged.
type MailArgs struct {
	RunID     string `json:"run_id"`
	AccountID string `json:"account_id"`
}

// Kind names the job.
func (MailArgs) Kind() string { return "letter" }

// InsertOpts keeps the job out of the queue of runs.
func (MailArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: mailQueue} }

// Notifier sends mails. mail.Notifier implements it.
type Notifier interface {
	// Notify returns how long to wait before it is called again; 0 means never.
	Notify(ctx context.Context, runID string) (time.Duration, error)
}

// mailWorker sends mails.
type mailWorker struct {
	river.WorkerDefaults[MailArgs]
	notifier Notifier // nil if no mail server is configured
	shares   *shares
	log      *slog.Logger
}

// Work sends the mail, or asks for another try.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[MailArgs]) error {
	if w.notifier == nil {
		return elsewhere()
	}
	release, turn := w.shares.take(job.Args.AccountID, job.Args.AccountID)
	if release == nil {
		return river.JobSnooze(turn)
	}
	defer release()
	wait, err := w.notifier.Notify(ctx, job.Args.RunID)
	switch {
	case err != nil && ctx.Err() != nil:
		return err // the service is stopping: the next start resumes the job
	case err != nil:
		w.log.WarnContext(ctx, "allocation mail not sent", "run_id", job.Args.RunID, "error", err)
		return river.JobSnooze(deliverPause)
	case wait > 0:
		return river.JobSnooze(wait)
	}
	return nil
}

// Timeout sets none; the mail server decides.
func (w *mailWorker) Timeout(*river.Job[MailArgs]) time.Duration { return -1 }
