package grammar

import (
	"errors"
	"strings"
	"testing"

	"ballast/program/generate"
)

// A description of another kind is never read as one of a model.
func TestOtherKindsAreRefused(t *testing.T) {
	t.Parallel()
	for kind, understood := range map[string]bool{"": true, "model": true, "simulation": false} {
		draft, err := New().Generate(t.Context(), newShelf(), generate.Request{Kind: kind, Prompt: "60% SPY, 40% AGG, quarterly"})
		var unknown *generate.NotUnderstood
		switch {
		case understood && (err != nil || draft.Script == ""):
			t.Errorf("%q: %v", kind, err)
		case !understood && (!errors.As(err, &unknown) || !strings.Contains(unknown.Words[0].Message, kind)):
			t.Errorf("%q: %v", kind, err)
		}
	}
}
