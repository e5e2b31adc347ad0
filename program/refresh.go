package program

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"ballast/timeseries"
)

// RefreshStore starts recurring refreshes.
type RefreshStore interface {
	// Refresh queues the models that refresh automatically and whose bars or members
	// have changed since their live run, or whose last try failed; members come
	// before the models that hold them. For the other models it records that nothing
	// has changed.
	Refresh(ctx context.Context, r Refresh) (Refreshed, error)
}

// Refresh is one recurring refresh of all models.
type Refresh struct {
	Session timeseries.Date // the latest session whose bars are expected
	Now     time.Time
	Force   bool // try failed models again even if their next retry is later
}

// Refreshed counts what a refresh found.
type Refreshed struct {
	Due       int // models with new bars, or that had failed
	Waiting   int // models that hold those
	Unchanged int
}

// Refresher carries out the recurring refresh.
type Refresher struct {
	Store  RefreshStore
	Bars   func(ctx context.Context) error // loads new bars; nil: none are loaded
	When   Nightly
	Logger *slog.Logger
	Now    func() time.Time
}

// Refresh loads new bars, then queues the models that have to follow. If bars cannot
// be loaded, models are still refreshed for whatever else has changed; the error is
// returned afterwards, so that the bars are loaded again.
func (r *Refresher) Refresh(ctx context.Context, force bool) error {
	var missing error
	if r.Bars != nil {
		if err := r.Bars(ctx); err != nil {
			if ctx.Err() != nil {
				return err
			}
			missing = fmt.Errorf("refresh bars: %w", err)
		}
	}
	now := r.Now()
	session := r.When.Session(now)
	found, err := r.Store.Refresh(ctx, Refresh{Session: session, Now: now, Force: force})
	if err != nil {
		return err
	}
	r.Logger.InfoContext(ctx, "refresh begun", "session", session, "due", found.Due, "waiting", found.Waiting, "unchanged", found.Unchanged)
	return missing
}
