package languagemodel

import (
	"slices"
	"strings"
	"testing"
)

const decide = "NAME = \"x\"\n\ndef decide(ctx):\n    return {}\n"

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       answer
	}{
		{"a block", "```python\n" + decide + "```", answer{script: decide}},
		{"a block with words around", "Here:\n```py\n" + decide + "\n\n```\nEnjoy.", answer{script: decide}},
		{"a block without an end", "```python\n" + decide, answer{script: decide}},
		{"a block without a language", "```\r\n" + decide + "```\r\n", answer{script: decide}},
		{"a longer fence", "````python\n" + decide + "````", answer{script: decide}},
		{"the last of several", "```python\ndef decide(ctx): pass\n```\nBetter:\n```python\n" + decide + "```\n```sh\nballast run\n```", answer{script: decide}},
		{"one block without an entry point", "```python\nNAME = 1\n```", answer{script: "NAME = 1\n"}},
		{"a script without a block", "\n" + decide, answer{script: decide}},
		{"an empty block", "```python\n```", answer{}},
		{"prose", "I could write that.", answer{}},
		{"it cannot", "**CANNOT: no\tintraday data.", answer{cannot: "nointraday data."}},
		{"it cannot, without a reason", "CANNOT:", answer{cannot: "it gives no reason."}},
		{"it can after all", "CANNOT: shorts\n```python\n" + decide + "```", answer{script: decide}},
		{"names that are not meant", "```python\n" + decide + "```\n\nNOT MEANT: MA, `SPY`, Calm Waters.\n", answer{script: decide, notMeant: []string{"MA", "SPY", "Calm Waters"}}},
		{"the same without a block", decide + "\nNOT MEANT: MA", answer{script: decide, notMeant: []string{"MA"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := read(c.text)
			if got.script != c.want.script || got.cannot != c.want.cannot || !slices.Equal(got.notMeant, c.want.notMeant) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("```python\n" + decide + "```\nNOT MEANT: MA")
	f.Add("<think>```</think>CANNOT: x")
	f.Add(decide)
	f.Fuzz(func(t *testing.T, text string) {
		a := read(withoutThoughts(text))
		if a.script != "" && a.cannot != "" {
			t.Errorf("a script, and none: %+v", a)
		}
		if len(a.script) > len(text)+1 || strings.Contains(a.cannot, "\n") {
			t.Errorf("more than was said: %+v", a)
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add("Mix 'Calm Waters', “Wild Ride” and ^GSPC with BRK.B, 60/40")
	f.Fuzz(func(t *testing.T, prompt string) {
		words := wordsOf(prompt)
		for _, w := range words {
			if !strings.HasPrefix(prompt[w.offset:], w.text) {
				t.Errorf("%q is not at %d", w.text, w.offset)
			}
		}
		if len(lookups(words)) > maxLookups || len(strings.Fields(searched(words))) > maxSearched {
			t.Error("too many words")
		}
	})
}
