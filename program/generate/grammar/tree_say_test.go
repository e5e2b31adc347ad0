package grammar

import (
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/program/generate"
)

// TestComposedScriptsAreSaidAgain says the scripts of choices and blends in words that give
// the same script, for the corpora and for random trees, and counts those that have none.
func TestComposedScriptsAreSaidAgain(t *testing.T) {
	t.Parallel()
	library := newShelf()
	said, silent := 0, 0
	try := func(prompt string) {
		text, err := modelScript(t.Context(), library, generate.Request{Prompt: prompt})
		if err != nil {
			return
		}
		if _, simple := Reread(text); simple {
			return
		}
		words, err := InWords(t.Context(), text)
		switch {
		case err != nil:
			t.Fatal(err)
		case words == "":
			silent++
			t.Logf("%q has no words", prompt)
			return
		}
		said++
		again, err := modelScript(t.Context(), library, generate.Request{Prompt: words})
		if err != nil || alikeCode(again) != alikeCode(text) {
			t.Errorf("%q is said as %q: %v", prompt, words, err)
		}
	}
	for _, prompt := range testenv.Some(t, 150, append(corpus(t), trees(t)...)) {
		try(prompt)
	}
	chance := testenv.Random(t, 3, 20)
	for range testenv.Rounds(100, 600) {
		_, prompt := speaker{chance}.node(1 + chance.IntN(3))
		try(prompt)
	}
	if t.Logf("%d are said, %d are not", said, silent); said < 40 || silent > said/8 {
		t.Errorf("%d are said, and %d are not", said, silent)
	}
}

// TestChangedTreesHaveNoWords changes the inputs and the code of a tree's script, which its
// docstring says no longer.
func TestChangedTreesHaveNoWords(t *testing.T) {
	t.Parallel()
	text, strange := modelOf(t, newShelf(), "if SPY is above its 200 day average and QQQ is above its 50 day average hold QQQ, otherwise BIL")
	if strange != nil {
		t.Fatal(strange)
	}
	for old, changed := range map[string]string{`"default": 200`: `"default": 150`, "above its 50-session": "above its 60-session", `{"BIL": 1.0}`: `{"SPY": 1.0}`} {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in\n%s", old, text)
		}
		if words, err := InWords(t.Context(), strings.Replace(text, old, changed, 1)); words != "" || err != nil {
			t.Errorf("with %q: %q, %v", changed, words, err)
		}
	}
	if words, err := InWords(t.Context(), text); !strings.HasPrefix(words, "if SPY is above its 200 day moving average and QQQ is above its 50 day moving average hold 100% QQQ, otherwise 100% BIL; daily") || err != nil {
		t.Errorf("%q, %v", words, err)
	}
}
