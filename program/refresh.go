package program

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"ballast/timeseries"
)

// RefreshStore begins recurring refreshes.
type RefreshStore interface {
	// Refresh queues, members before what holds them, the models that are to be
	// refreshed by themselves and whose bars or members have moved since their
	// live run, or whose last try has failed; of the others it notes that nothing
	// has changed.
	Refresh(ctx context.Context, r Refresh) (Refreshed, error)
}

// Refresh is one recurring refresh of all models.
type Refresh struct {
	Session timeseries.Date // the latest whose bars are expected
	Now     time.Time
	Force   bool // failed ones are tried again whatever their next retry is
}

// Refreshed counts what a refresh found.
type Refreshed struct {
	Due       int // models whose bars have moved, or which had failed
	Waiting   int // others above them
	Unchanged int
}

// Refresher carries out the recurring refresh.
type Refresher struct {
	Store  RefreshStore
	Bars   func(ctx context.Context) error // brings in new bars; nil where nothing brings them in
	When   Nightly
	Logger *slog.Logger
	Now    func() time.Time
}

// Refresh brings in new bars, then queues the models that have to follow. Bars
// that could not be brought in stop nobody: what moved by other ways is followed,
// and the error comes afterwards, so that they are asked for again.
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
