package mail

import (
	"context"
	"log/slog"
	"strings"
	"time"
)

// Mailer hands a message over to a mail server.
type Mailer interface {
	Send(ctx context.Context, m *Message) error
}

// Notifier sends notices.
type Notifier struct {
	Store     Store
	Changes   Changes
	Mailer    Mailer
	PublicURL string // begins the links, without a final slash
	Logger    *slog.Logger
	Now       func() time.Time
}

const (
	// patience is how old a notice may grow before it is given up: later it is no news.
	patience = 24 * time.Hour
	// firstWait doubles with each attempt, up to longestWait.
	firstWait   = time.Minute
	longestWait = time.Hour
)

// Notify sends the notice about a run, where there is one to send. It returns how
// long to wait before it is called again, 0 where the notice has ended.
//
// A crash between the mail server's yes and the note of it sends a notice twice,
// under the same Message-ID, by which mailboxes know it for one.
func (w *Notifier) Notify(ctx context.Context, runID string) (time.Duration, error) {
	l, err := w.Store.Notice(ctx, runID)
	if err != nil || l == nil {
		return 0, err
	}
	if !l.Wanted {
		return 0, w.Store.EndNotice(ctx, runID, Unchanged, "the owner has turned these mails off", w.Now())
	}
	change, err := w.Changes(ctx, l.FormerRunID, l.RunID)
	if err != nil {
		return 0, err
	}
	if change == nil {
		return 0, w.Store.EndNotice(ctx, runID, Unchanged, "", w.Now())
	}
	m, err := Compose(l, change, w.PublicURL)
	if err != nil {
		return 0, err
	}
	log := w.Logger.With("run_id", runID)
	if err := w.Mailer.Send(ctx, m); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err() // stopped with the service: the next start takes it up
		}
		why := strings.ReplaceAll(err.Error(), l.To, "the owner's address")
		log.WarnContext(ctx, "allocation mail not sent", "reason", why)
		if w.Now().Sub(l.CreatedAt) > patience {
			return 0, w.Store.EndNotice(ctx, runID, Failed, why, w.Now())
		}
		return min(firstWait<<min(l.Attempts, 10), longestWait), w.Store.RetryNotice(ctx, runID, why)
	}
	log.InfoContext(ctx, "allocation mail sent")
	return 0, w.Store.EndNotice(ctx, runID, Sent, "", w.Now())
}
