package grammar

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/program/generate"
)

// TestOptimizersInWords compares what descriptions of optimizers mean with what was read
// through before.
func TestOptimizersInWords(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/optimizers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for prompt := range strings.Lines(string(text)) {
		prompt = strings.TrimSpace(prompt)
		fmt.Fprintln(&b, prompt)
		o, err := UnderstandOptimizer(t.Context(), newShelf(), prompt)
		var strange *generate.NotUnderstood
		if errors.As(err, &strange) {
			for _, w := range strange.Words {
				fmt.Fprintf(&b, "  refused %q: %s\n", w.Text, w.Message)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		kept := o.Definition
		if details := o.Definition.Check(); len(details) > 0 {
			t.Errorf("%s: %v", prompt, details)
		}
		definition, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "  NAME %s\n  %s\n  %s\n", o.Name, strings.ReplaceAll(o.Description, "\n", "\n  "), definition)
	}
	const path = "testdata/optimizers.golden"
	if *updateCorpus {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestEveryWordOfOptimizersCounts deletes each word of each description: what is meant
// changes, or the word is a filler.
func TestEveryWordOfOptimizersCounts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/optimizers.txt")
	if err != nil {
		t.Fatal(err)
	}
	said := func(prompt string) string {
		o, err := UnderstandOptimizer(t.Context(), newShelf(), prompt)
		if err != nil {
			return ""
		}
		definition, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return string(definition)
	}
	without := map[string]bool{"of": true, "in": true, "to": true, "on": true, "days": true, "year": true, "ratio": true, "last": true, "over": true, "rate": true, "each": true, "lowest": true, "risk": true, "highest": true, "return": true, "nothing": true} // said by the words beside them as well
	for prompt := range strings.Lines(string(text)) {
		prompt = strings.TrimSpace(prompt)
		want, runes := said(prompt), []rune(prompt)
		if want == "" {
			continue
		}
		for _, w := range tokenize(prompt) {
			if w.kind != word && w.kind != number || optimizerFiller[w.lower] || without[w.lower] {
				continue
			}
			if said(string(runes[:w.offset])+string(runes[w.end:])) == want {
				t.Errorf("%q changes nothing in %q", w.lower, prompt)
			}
		}
	}
}
