package history

import (
	"testing"

	"ballast/backtest"
	"ballast/program"
)

// TestCustomKeysDoNotDependOnTheBlocks labels diagnostics whose names are also those
// of a member further down, of a symbol that the script writes differently, and of
// the model: alone, and after the tree.
func TestCustomKeysDoNotDependOnTheBlocks(t *testing.T) {
	t.Parallel()
	below := &program.Run{ID: "run_1", ProgramID: "model_1", Members: []program.Member{{Key: "AAA", Kind: program.MemberAsset, ID: "asset_a", Symbol: "AAA"}}}
	run := &program.Run{
		ID: "run_2", ProgramID: "model_2", Summary: &program.Summary{ModelSymbol: "TOP"},
		Members: []program.Member{{Key: "inner", Kind: program.MemberModel, ID: "model_1", RunID: "run_1", Symbol: "IN"}, {Key: "bbb", Kind: program.MemberAsset, ID: "asset_b", Symbol: "BBB"}},
	}
	runs := map[string]*program.Run{run.ID: run, below.ID: below}
	label := func(seen bool) map[string]string {
		n := namesOf(run)
		if seen {
			n.member(run.Members[0])
			n.member(below.Members[0])
			n.member(run.Members[1])
			n.root(run)
		}
		n.reserve(run, runs)
		for _, name := range []string{"AAA", "BBB", "IN", "TOP", backtest.CashKey, "breadth"} {
			n.custom(name)
		}
		keys := map[string]string{}
		for _, l := range n.labels {
			if l.Kind == "custom" {
				keys[l.Name] = l.Key
			}
		}
		return keys
	}
	alone, with := label(false), label(true)
	for _, name := range []string{"AAA", "BBB", "IN", "TOP", backtest.CashKey} {
		if alone[name] != "custom."+name || with[name] != alone[name] {
			t.Errorf("%s: %q alone, %q with the tree", name, alone[name], with[name])
		}
	}
	if alone["breadth"] != "breadth" || with["breadth"] != "breadth" {
		t.Errorf("breadth: %q alone, %q with the tree", alone["breadth"], with["breadth"])
	}
}
