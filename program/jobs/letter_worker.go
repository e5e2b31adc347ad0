package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
)

// lettersQueue is worked where a mail server is configured.
const lettersQueue = "letters"

// LetterArgs writes to a model's owner about the run that it has come to serve.
// It may be worked twice: a letter that has ended is left as it is.
type LetterArgs struct {
	RunID     string `json:"run_id"`
	AccountID string `json:"account_id"`
}

// Kind names the job.
func (LetterArgs) Kind() string { return "letter" }

// InsertOpts keeps the job off the queue of the runs.
func (LetterArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: lettersQueue} }

// Writer sends letters; letter.Writer is one.
type Writer interface {
	// Write returns how long to wait before it is called again, 0 for never.
	Write(ctx context.Context, runID string) (time.Duration, error)
}

// letterWorker sends letters.
type letterWorker struct {
	river.WorkerDefaults[LetterArgs]
	writer Writer
	shares *shares
	log    *slog.Logger
}

// Work sends the letter, or asks for another try.
func (w *letterWorker) Work(ctx context.Context, job *river.Job[LetterArgs]) error {
	release, turn := w.shares.take(job.Args.AccountID, job.Args.AccountID)
	if release == nil {
		return river.JobSnooze(turn)
	}
	defer release()
	wait, err := w.writer.Write(ctx, job.Args.RunID)
	switch {
	case err != nil && ctx.Err() != nil:
		return err // stopped with the service: the next start takes it up
	case err != nil:
		w.log.WarnContext(ctx, "letter not written", "run_id", job.Args.RunID, "error", err)
		return river.JobSnooze(deliverPause)
	case wait > 0:
		return river.JobSnooze(wait)
	}
	return nil
}

// Timeout leaves the time to the mail server.
func (w *letterWorker) Timeout(*river.Job[LetterArgs]) time.Duration { return -1 }
