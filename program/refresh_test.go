package program

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

// asked notes that models were refreshed.
type asked struct{ times int }

func (a *asked) Refresh(context.Context, Refresh) (Refreshed, error) {
	a.times++
	return Refreshed{}, nil
}

// Bars that cannot be brought in are told of, after the models were asked for.
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
