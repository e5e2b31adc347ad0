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
	PublicURL string // prefix of the links, without a final slash
	Logger    *slog.Logger
	Now       func() time.Time
}

const (
	// patience is the age at which a notice is given up, because it is no longer news.
	patience = 24 * time.Hour
	// firstWait is the wait after the first attempt. It doubles with each further
	// attempt, up to longestWait.
	firstWait   = time.Minute
	longestWait = time.Hour
)

// Notify sends the notice about a run, if one is pending. It returns how long to wait
// before the next call, or 0 if the notice has ended.
//
// If the service crashes after the mail server has accepted the mail and before that is
// recorded, the notice is sent again. It has the same Message-ID, so mailboxes can
// recognise the copy.
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
			return 0, ctx.Err() // the service is stopping; its next start tries again
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
