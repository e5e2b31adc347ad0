package languagemodel_test

import (
	"strings"
	"testing"

	"ballast/program/generate/grammar"
)

// A description that is said in the service's words gives the script that these words
// give to anybody.
func TestSaidInWords(t *testing.T) {
	each(t, func(t *testing.T, p protocol) {
		shelf := newShelf()
		b := start(t, p, nil, p.says("SAID AS: 60% SPY and 40% GLD, rebalanced quarterly\n"))
		request := shelf.request("mostly SPY with a good slice of GLD, sixty forty, four times a year")
		got, err := b.Generate(t.Context(), shelf, request)
		if err != nil {
			t.Fatal(err)
		}
		want := shelf.request("60% SPY and 40% GLD, rebalanced quarterly")
		draft, err := grammar.New().Generate(t.Context(), shelf, want)
		if err != nil {
			t.Fatal(err)
		}
		if got.Script != draft.Script || got.Rounds != 1 || got.Generator != p.name+"/writer-1" {
			t.Errorf("%+v\nnot\n%s", got, draft.Script)
		}
		contains(t, "the system prompt", b.requests()[0].system, "SAID AS:", "60% SPY and 40% AGG, rebalanced quarterly", "## Simulations")
	})
}

// Words that are not understood, or that leave a member out, are told, and a script may
// follow.
func TestSaidInOtherWords(t *testing.T) {
	each(t, func(t *testing.T, p protocol) {
		for said, told := range map[string]string{
			"60% SPY and 40% GLD when the moon is full": "does not understand what follows SAID AS",
			"100% SPY": "GLD",
		} {
			shelf, script := newShelf(), model("SPY", "GLD")
			b := start(t, p, nil, p.says("SAID AS: "+said), p.says(block(script)))
			got, err := b.Generate(t.Context(), shelf, shelf.request("SPY and GLD at full moon"))
			if err != nil {
				t.Fatal(err)
			}
			if got.Script != script || got.Rounds != 2 {
				t.Errorf("%q: %+v", said, got)
			}
			turns := b.requests()[1].turns
			if last := turns[len(turns)-1]; !strings.Contains(last, told) {
				t.Errorf("%q: told %s", said, last)
			}
		}
	})
}
