package grammar

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/program/generate"
)

// TestScriptsAreSaidAgain reads the script of each accepted description back, and says it
// in words that give the same script.
func TestScriptsAreSaidAgain(t *testing.T) {
	t.Parallel()
	library := newShelf()
	prompts := corpus(t)
	for prompt := range tabled(t) {
		prompts = append(prompts, prompt)
	}
	prompts = append(prompts, trees(t)...)
	composed, said := 0, 0
	for _, prompt := range testenv.Some(t, 100, prompts) {
		text, err := modelScript(t.Context(), library, generate.Request{Prompt: prompt})
		if err != nil {
			continue
		}
		_, err = Understand(t.Context(), library, prompt)
		switch plan, ok := Reread(text); {
		case !ok && err == nil && !conditionInBrackets(tokenize(prompt)):
			t.Errorf("%q: its script is not read back:\n%s", prompt, text)
		case !ok:
			composed++ // of choices or blends
		default:
			said++
			words := Say(plan)
			again, err := modelScript(t.Context(), library, generate.Request{Prompt: words})
			if err != nil {
				t.Errorf("%q is said as %q: %v", prompt, words, err)
			} else if alikeCode(again) != alikeCode(text) {
				t.Errorf("%q is said as %q, which is another script:\n%s\nnot\n%s", prompt, words, codeOf(again), codeOf(text))
			}
		}
	}
	if said < 2*composed {
		t.Errorf("%d are said, and %d are not", said, composed)
	}
}

// TestChangedScriptsAreSaid changes inputs of a script, and then its code.
func TestChangedScriptsAreSaid(t *testing.T) {
	t.Parallel()
	text := Write(understand(t, "hold SPY when above its 200 day moving average, otherwise BIL"))
	for _, c := range []struct{ old, new, want string }{
		{"", "", "100% SPY when SPY is above its 200 day moving average, otherwise BIL, daily"},
		{`"default": 200`, `"default": 150`, "100% SPY when SPY is above its 150 day moving average, otherwise BIL, daily"},
		{`"monthly"`, `"daily"`, "otherwise BIL, daily"},
		{"return target", "return {}", ""},
		{"prices.last() >", "prices.last() >=", ""},
		{"import equal_weight", "import ema, equal_weight", ""},
	} {
		words, err := InWords(t.Context(), strings.Replace(text, c.old, c.new, 1))
		if err != nil || (c.want == "") != (words == "") || !strings.Contains(words, c.want) {
			t.Errorf("with %q: %q, %v, not %q", c.new, words, err, c.want)
		}
	}
	for _, other := range []string{"", "x", "NAME = \"x\"", "\"\"\"", text[:len(text)/2]} {
		if words, err := InWords(t.Context(), other); words != "" || err != nil {
			t.Errorf("%q is said as %q, %v", other, words, err)
		}
	}
}

// FuzzInWords reads scripts that anybody may have changed.
func FuzzInWords(f *testing.F) {
	files, err := filepath.Glob("testdata/scripts/*.py")
	if err != nil || len(files) == 0 {
		f.Fatal("no scripts", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 {
			t.Skip()
		}
		if _, err := InWords(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	})
}
