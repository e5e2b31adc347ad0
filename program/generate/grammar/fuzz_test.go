package grammar

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ballast/internal/testenv"
	"ballast/program/generate"
	"ballast/script"
)

// FuzzGenerate checks that no prompt breaks the grammar: either it is understood and
// its script passes the checks, or it is refused with places inside it.
func FuzzGenerate(f *testing.F) {
	for _, g := range groups(f, "plans.txt") {
		for _, prompt := range g.prompts {
			f.Add(prompt)
		}
	}
	for _, prompt := range trees(f) {
		f.Add(prompt)
	}
	for _, prompt := range []string{"", "\x00", "60%%%", "1/0 SPY", "((((SPY", "“SPY", "'s", "a", "$", "$1", "-", "60/40/", "top 0 of SPY", "each", "½ SPY", "٣ SPY", "🙂 60% SPY"} {
		f.Add(prompt)
	}
	library := newShelf()
	f.Fuzz(func(t *testing.T, prompt string) {
		attempt(t, library, prompt)
	})
}

// attempt understands a prompt and checks the result.
func attempt(t *testing.T, library generate.Library, prompt string) {
	t.Helper()
	text, err := modelScript(context.Background(), library, generate.Request{Prompt: prompt})
	var unknown *generate.NotUnderstood
	if errors.As(err, &unknown) {
		if len(unknown.Words) == 0 {
			t.Errorf("refused without a word: %q", prompt)
		}
		for _, w := range unknown.Words {
			if w.Offset < 0 || w.Offset > utf8.RuneCountInString(prompt) || w.Message == "" {
				t.Errorf("%q: %+v", prompt, w)
			}
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, problems := script.Check(text, nil); len(problems) > 0 {
		t.Fatalf("%q gives %v\n%s", prompt, problems, text)
	}
}

// TestMixedPrompts tries pieces of prompts in any order.
func TestMixedPrompts(t *testing.T) {
	t.Parallel()
	var pieces []string
	for _, g := range groups(t, "plans.txt") {
		for _, prompt := range g.prompts {
			pieces = append(pieces, strings.FieldsFunc(prompt, func(r rune) bool { return r == ',' || r == '.' || r == ';' })...)
			pieces = append(pieces, strings.Fields(prompt)...)
		}
	}
	chance := testenv.Random(t, 1, 2)
	library := newShelf()
	for range testenv.Rounds(400, 3000) {
		var prompt strings.Builder
		for range 1 + chance.IntN(7) {
			prompt.WriteString(pieces[chance.IntN(len(pieces))])
			prompt.WriteString([]string{" ", ", ", ". ", "\n", "; ", ""}[chance.IntN(6)])
		}
		attempt(t, library, prompt.String())
	}
}

// TestLongPrompts checks the limits of the longest description.
func TestLongPrompts(t *testing.T) { //nolint:paralleltest // it measures
	library := newShelf()
	for _, prompt := range []string{"model_" + strings.Repeat("0", LongestPrompt-6), "60% SPY, 40% AGG by " + strings.Repeat("9", 400) + " month momentum"} {
		if cost := testenv.CostOf(func() { attempt(t, library, prompt) }); cost.Time > time.Second {
			t.Errorf("%.20q took %v of the processor", prompt, cost.Time)
		}
	}
	if _, err := Understand(t.Context(), library, strings.Repeat("a ", mostTokens+1)); err == nil || !strings.Contains(err.Error(), "up to 2000") {
		t.Errorf("%v", err)
	}
	if library.names > mostNames {
		t.Errorf("%d names were looked up", library.names)
	}
	if _, err := Understand(t.Context(), library, strings.Repeat("a", LongestPrompt+1)); err == nil || !strings.Contains(err.Error(), "up to 20000") {
		t.Errorf("%v", err)
	}
}

func BenchmarkUnderstand(b *testing.B) {
	library := newShelf()
	for b.Loop() {
		if _, err := Understand(b.Context(), library, "Top 3 of SPY, EFA, EEM, AGG and GLD by 12 month momentum, skipping the last month, rebalanced monthly; if none are positive hold BIL"); err != nil {
			b.Fatal(err)
		}
	}
}
