package program

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"ballast/internal/fault"
)

func runNumber(n string) string { return "run_" + strings.Repeat("0", 32-len(n)) + n }

func TestRunsOfOthers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := &desk{runs: map[string]*Run{
		runNumber("1"): {ID: runNumber("1"), AccountID: "alice"},
		runNumber("2"): {ID: runNumber("2"), AccountID: "alice", Shared: true},
	}}
	service := New(Config{Stores: Stores{Runs: s, RunChanges: s}, Logger: slog.New(slog.DiscardHandler)}).Runs
	for _, runID := range []string{runNumber("1"), runNumber("2")} {
		if _, err := service.PatchRun(ctx, "bob", runID, RunPatch{Label: given("mine")}); fault.TypeOf(err) != fault.NotFound {
			t.Errorf("patch of %s: %v", runID, err)
		}
		if _, err := service.DeleteRun(ctx, "bob", runID); fault.TypeOf(err) != fault.NotFound {
			t.Errorf("deletion of %s: %v", runID, err)
		}
	}
	if _, err := service.Run(ctx, "bob", runNumber("2")); err != nil {
		t.Errorf("a shared run: %v", err)
	}
	if r, err := service.PatchRun(ctx, "alice", "mr-"+runNumber("2")[4:], RunPatch{Label: given(" a label "), Shared: given(false)}); err != nil || r.Label != "a label" || r.Shared {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := service.Run(ctx, "bob", runNumber("2")); fault.TypeOf(err) != fault.NotFound {
		t.Errorf("shared no more: %v", err)
	}
	for _, label := range []string{strings.Repeat("x", 201), "a\nb"} {
		if _, err := service.PatchRun(ctx, "alice", runNumber("1"), RunPatch{Label: given(label)}); fault.TypeOf(err) != fault.InvalidBody || err == nil {
			t.Errorf("%q: %v", label, err)
		}
	}
	if runID, err := service.DeleteRun(ctx, "alice", runNumber("1")); runID != runNumber("1") || err != nil || len(s.runs) != 1 {
		t.Errorf("%s, %v", runID, err)
	}
}

// full purges as many models as it has, one batch at a time.
type full struct {
	left    int
	failing error
	calls   int
}

func (f *full) PurgeExpired(_ context.Context, now, until time.Time, n int) ([]string, error) {
	f.calls++
	if until.Sub(now) != Retention {
		return nil, errors.New("receipts last another time")
	}
	n = min(n, f.left)
	f.left -= n
	return make([]string, n), f.failing
}

func TestTrashSweeperContinuesUntilDone(t *testing.T) {
	t.Parallel()
	store := &full{left: 2*purgeBatch + 1}
	s := &TrashSweeper{Store: store, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now}
	if err := s.Sweep(t.Context()); err != nil || store.left != 0 || store.calls != 3 {
		t.Errorf("%d left after %d, %v", store.left, store.calls, err)
	}
	store.failing = errors.New("away")
	if err := s.Sweep(t.Context()); !errors.Is(err, store.failing) {
		t.Errorf("%v", err)
	}
}
