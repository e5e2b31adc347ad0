package execution

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"ballast/program"
)

// goneStore has no run any more.
type goneStore struct{ asked chan program.Progress }

func (s goneStore) SetProgress(_ context.Context, _ string, p program.Progress) (bool, error) {
	s.asked <- p
	return false, nil
}

func TestADeletedRunStops(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	store := goneStore{asked: make(chan program.Progress, 1)}
	w := startProgress(ctx, store, slog.New(slog.DiscardHandler), "run_1", stop)
	defer w.stop()
	w.set("compute", 3, 7)
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("the run goes on")
	}
	if p := <-store.asked; p != (program.Progress{Step: "compute", Done: 3, Total: 7}) || !errors.Is(context.Cause(ctx), errUnwanted) {
		t.Errorf("progress %+v, cause %v", p, context.Cause(ctx))
	}
}
