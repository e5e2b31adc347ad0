package grammar

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"ballast/program/generate"
	"ballast/script"
)

// FuzzTree reads any text as a strategy made of others: it is refused with places inside it,
// or its script passes the checks, is the same at the second reading, and is said in words
// that give it again or in none.
func FuzzTree(f *testing.F) {
	for _, prompt := range trees(f) {
		f.Add(prompt)
	}
	for _, prompt := range []string{
		"if SPY is above its 200 day average (", "50% (50% (50% (", "not (not (not (", "; but if SPY is above its 200 day average hold SPY; but if", "hold SPY until", "hold SPY, hold until",
		"if at least 9 of SPY are above their 5 day average hold SPY", "from the 40th to the 0th", "0% (SPY), 100% (TLT)", "1/0 (SPY), 1/2 (TLT)", "if not in", "replace SPY with SPY when", "SPY > > 3", "else else otherwise",
	} {
		f.Add(prompt)
	}
	library := newShelf()
	f.Fuzz(func(t *testing.T, prompt string) {
		if len(prompt) > 2000 {
			t.Skip()
		}
		tree, err := UnderstandTree(t.Context(), library, prompt)
		var strange *generate.NotUnderstood
		if errors.As(err, &strange) {
			for _, w := range strange.Words {
				if w.Offset < 0 || w.Length < 0 || w.Offset+w.Length > utf8.RuneCountInString(prompt) || w.Message == "" {
					t.Errorf("%q: %+v", prompt, w)
				}
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text := WriteTree(tree)
		if _, problems := script.Check(text, nil); len(problems) > 0 {
			t.Fatalf("%q gives %v\n%s", prompt, problems, text)
		}
		if again, err := UnderstandTree(t.Context(), library, prompt); err != nil || WriteTree(again) != text {
			t.Fatalf("%q is read differently the second time: %v", prompt, err)
		}
		if words, err := InWords(t.Context(), text); err != nil || strings.Contains(words, "\n") {
			t.Fatalf("%q: %q, %v", prompt, words, err)
		}
	})
}
