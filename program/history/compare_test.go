package history

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/timeseries"
)

// runsByID are runs by id; alice reads her own.
type runsByID map[string]*program.Run

func (s runsByID) Run(_ context.Context, accountID, ref string) (*program.Run, error) {
	if r := s[ref]; r != nil && r.AccountID == accountID {
		return r, nil
	}
	return nil, fault.Missing("run", ref)
}

func (runsByID) Served(_ context.Context, _, ref string) (*program.Sheet, error) {
	return nil, fault.Missing("model", ref)
}

func (runsByID) Stored(_ context.Context, run *program.Run) (*program.Run, error) { return run, nil }

func numbered(n string) string { return "run_" + strings.Repeat("0", 32-len(n)) + n }

func TestCompareRefusals(t *testing.T) {
	t.Parallel()
	s := New(Config{Runs: runsByID{
		numbered("1"): {ID: numbered("1"), AccountID: "alice", Status: program.RunComplete},
		numbered("2"): {ID: numbered("2"), AccountID: "alice", Status: program.RunQueued},
		numbered("3"): {ID: numbered("3"), AccountID: "carol", Status: program.RunComplete},
	}})
	nine := make([]string, 9)
	for i := range nine {
		nine[i] = numbered(string(rune('1' + i)))
	}
	for _, test := range []struct {
		name string
		ids  []string
		want fault.Type
	}{
		{"one", nine[:1], fault.InvalidParameter},
		{"nine", nine, fault.InvalidParameter},
		{"one twice", []string{nine[0], nine[0]}, fault.InvalidParameter},
		{"one that is queued", nine[:2], fault.RunIncomplete},
		{"another's", []string{nine[0], nine[2]}, fault.NotFound},
		{"none such", []string{nine[0], nine[8]}, fault.NotFound},
		{"no id", []string{nine[0], "x"}, fault.NotFound},
	} {
		if _, err := s.Compare(t.Context(), "alice", CompareQuery{RunIDs: test.ids}); err == nil || fault.TypeOf(err) != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

func TestDifferingInputs(t *testing.T) {
	t.Parallel()
	runs := []*program.Run{
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
	run := func(first, last timeseries.Date) *program.Run {
		return &program.Run{Base: first - 1, First: first, Last: last}
	}
	young := &program.Run{Base: 7, First: timeseries.NoDate, Last: timeseries.NoDate}
	for _, test := range []struct {
		name string
		runs []*program.Run
		want [2]timeseries.Date // the second is before the first if there is none
	}{
		{"within", []*program.Run{run(1, 9), run(3, 5)}, [2]timeseries.Date{3, 5}},
		{"across", []*program.Run{run(1, 5), run(3, 9), run(2, 8)}, [2]timeseries.Date{3, 5}},
		{"one day", []*program.Run{run(1, 5), run(5, 9)}, [2]timeseries.Date{5, 5}},
		{"apart", []*program.Run{run(1, 4), run(5, 9)}, [2]timeseries.Date{5, 4}},
		{"without returns", []*program.Run{run(1, 4), young}, [2]timeseries.Date{8, 7}},
	} {
		if start, end := commonWindow(test.runs); start != test.want[0] || end != test.want[1] {
			t.Errorf("%s: %d to %d", test.name, start, end)
		}
	}
}
