package program

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

// asked counts refreshes.
type asked struct{ times int }

func (a *asked) Refresh(context.Context, Refresh) (Refreshed, error) {
	a.times++
	return Refreshed{}, nil
}

// An error in loading bars is returned after the models have been refreshed.
func TestRefreshGoesOnWithoutBars(t *testing.T) {
	t.Parallel()
	gone := errors.New("the file is gone")
	store := &asked{}
	r := &Refresher{
		Store: store, Bars: func(context.Context) error { return gone },
		Logger: slog.New(slog.DiscardHandler), Now: time.Now,
	}
	if err := r.Refresh(t.Context(), false); !errors.Is(err, gone) || store.times != 1 {
		t.Errorf("%v, %d", err, store.times)
	}
}
