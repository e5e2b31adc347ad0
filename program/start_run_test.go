package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/script"
)

func TestOverlayKeepsInputsOfTheScript(t *testing.T) {
	t.Parallel()
	p, problems := script.Check(`NAME = "Overlay"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["AAA"], "title": "Universe"},
    "weight": {"type": "number", "default": 0.5, "title": "Weight"},
}

def decide(ctx):
    return {"AAA": ctx.inputs.weight}
`, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	from := &Run{ID: "run_0190aaaabbbb7cccaddddeeeeffff012", AccountID: "account_1", ProgramID: "model_1",
		Members: []Member{{Key: "AAA", Kind: MemberModel, ID: "model_2"}}, Inputs: []byte(`{"weight": 0.25, "lookback": 63, "initial_cash": 5000, "start_date": null}`)}
	s := New(Config{Stores: Stores{Runs: &desk{runs: map[string]*Run{from.ID: from}}}}).Runs
	m := &Sheet{Model: Model{ID: "model_1", AccountID: "account_1"}, Build: &Build{Entries: Entries{"AAA": {MemberAsset, "asset_1"}}}}
	values, kept, err := s.overlay(t.Context(), m, p, RunRequest{
		FromRunID: "run_0190aaaabbbb7cccaddddeeeeffff012", Inputs: map[string]any{"weight": 0.75, "nonsense": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	// The request's own inputs stay, so that the schema can refuse them.
	want := map[string]any{"weight": 0.75, "initial_cash": 5000.0, "start_date": nil, "nonsense": 1}
	if d := cmp.Diff(want, values); d != "" {
		t.Error(d)
	}
	if kept["AAA"] != (Entry{MemberModel, "model_2"}) {
		t.Errorf("AAA means %+v", kept["AAA"])
	}
	_, kept, err = s.overlay(t.Context(), m, p, RunRequest{
		FromRunID: "run_0190aaaabbbb7cccaddddeeeeffff012", Inputs: map[string]any{"universe": []any{"AAA"}},
	})
	if err != nil || kept["AAA"] != (Entry{MemberAsset, "asset_1"}) {
		t.Errorf("named by the request itself: %+v, %v", kept["AAA"], err)
	}
}
