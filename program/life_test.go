package program

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/timeseries"
)

// shelf holds runs of two accounts.
type shelf struct {
	Store
	runs map[string]*Run
}

func (s *shelf) Run(_ context.Context, runID string) (*Run, error) {
	if r := s.runs[runID]; r != nil {
		return r, nil
	}
	return nil, fault.New(fault.NotFound, "there is no run %s", runID)
}

func (s *shelf) PatchRun(_ context.Context, runID string, p RunPatch) error {
	p.Label.apply(&s.runs[runID].Label)
	p.Shared.apply(&s.runs[runID].Shared)
	return nil
}

func (s *shelf) DeleteRun(_ context.Context, runID string) error {
	delete(s.runs, runID)
	return nil
}

func runNumber(n string) string { return "run_" + strings.Repeat("0", 32-len(n)) + n }

func (s *shelf) service() *Service {
	return NewService(ServiceConfig{Store: s, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
}

func TestRunsOfOthers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := &shelf{runs: map[string]*Run{
		runNumber("1"): {ID: runNumber("1"), AccountID: "alice"},
		runNumber("2"): {ID: runNumber("2"), AccountID: "alice", Shared: true},
	}}
	service := s.service()
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

func TestCompareRefusals(t *testing.T) {
	t.Parallel()
	s := &shelf{runs: map[string]*Run{
		runNumber("1"): {ID: runNumber("1"), AccountID: "alice", Status: RunComplete},
		runNumber("2"): {ID: runNumber("2"), AccountID: "alice", Status: RunQueued},
		runNumber("3"): {ID: runNumber("3"), AccountID: "carol", Status: RunComplete},
	}}
	nine := make([]string, 9)
	for i := range nine {
		nine[i] = runNumber(string(rune('1' + i)))
	}
	for _, test := range []struct {
		name string
		ids  []string
		want fault.Type
	}{
		{"one", nine[:1], fault.InvalidParameter},
		{"nine", nine, fault.InvalidParameter},
		{"one twice", []string{nine[0], "r-" + nine[0][4:]}, fault.InvalidParameter},
		{"one that is queued", nine[:2], fault.RunIncomplete},
		{"another's", []string{nine[0], nine[2]}, fault.NotFound},
		{"none such", []string{nine[0], nine[8]}, fault.NotFound},
		{"no id", []string{nine[0], "x"}, fault.NotFound},
	} {
		if _, err := s.service().Compare(t.Context(), "alice", CompareQuery{RunIDs: test.ids}); err == nil || fault.TypeOf(err) != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

func TestDifferingInputs(t *testing.T) {
	t.Parallel()
	runs := []*Run{
		{ID: "a", Inputs: json.RawMessage(`{"same": [1, "x"], "number": 1, "weight": 0.5, "gone": null}`)},
		{ID: "b", Inputs: json.RawMessage(`{"number": 1.0, "same": [1,"x"], "weight": 0.25}`)},
	}
	got, err := differing(runs)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]any{"weight": {"a": .5, "b": .25}, "gone": {"a": nil}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommonWindow(t *testing.T) {
	t.Parallel()
	run := func(first, last timeseries.Date) *Run { return &Run{Base: first - 1, First: first, Last: last} }
	young := &Run{Base: 7, First: timeseries.NoDate, Last: timeseries.NoDate}
	for _, test := range []struct {
		name string
		runs []*Run
		want [2]timeseries.Date // the second before the first where there is none
	}{
		{"within", []*Run{run(1, 9), run(3, 5)}, [2]timeseries.Date{3, 5}},
		{"across", []*Run{run(1, 5), run(3, 9), run(2, 8)}, [2]timeseries.Date{3, 5}},
		{"one day", []*Run{run(1, 5), run(5, 9)}, [2]timeseries.Date{5, 5}},
		{"apart", []*Run{run(1, 4), run(5, 9)}, [2]timeseries.Date{5, 4}},
		{"without returns", []*Run{run(1, 4), young}, [2]timeseries.Date{8, 7}},
	} {
		if start, end := commonWindow(test.runs); start != test.want[0] || end != test.want[1] {
			t.Errorf("%s: %d to %d", test.name, start, end)
		}
	}
}

// full purges as many models as it has, a batch at a time.
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

func TestTrashSweeperGoesOnUntilNothingIsLeft(t *testing.T) {
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
