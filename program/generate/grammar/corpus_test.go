package grammar

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/testenv"
	"ballast/program/generate"
)

var updateCorpus = flag.Bool("update-corpus", false, "write testdata/corpus.golden again; read it before it is committed")

// corpus returns what people write: prompts from forums, advisers and other tools.
func corpus(t *testing.T) (prompts []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			prompts = append(prompts, line)
		}
	}
	return prompts
}

// TestCorpus checks how each prompt of the corpus is understood, in the form in which its
// author would see it: the name and description of the model, or what is refused and
// why.
func TestCorpus(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	understood, all := 0, corpus(t)
	for _, prompt := range all {
		plan, err := Understand(t.Context(), newShelf(), prompt)
		var unknown *generate.NotUnderstood
		switch {
		case errors.As(err, &unknown):
			fmt.Fprintf(&b, "%s\n", prompt)
			if tree, err := UnderstandTree(t.Context(), newShelf(), prompt); err == nil {
				understood++
				fmt.Fprintf(&b, "  NAME %s\n  %s\n", tree.Name, strings.ReplaceAll(DescribeTree(tree), "\n", "\n  "))
				continue
			}
			for _, w := range unknown.Words {
				fmt.Fprintf(&b, "  refused %q: %s\n", w.Text, w.Message)
			}
		case err != nil:
			t.Fatal(err)
		default:
			understood++
			fmt.Fprintf(&b, "%s\n  NAME %s\n  %s\n", prompt, plan.Name, strings.ReplaceAll(Describe(plan), "\n", "\n  "))
		}
	}
	const path = "testdata/corpus.golden"
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
	if len(all) < 200 || understood < 70 {
		t.Errorf("%d of %d prompts are understood", understood, len(all))
	}
}

// TestEveryWordCounts removes each word from every description that is understood:
// either the script or its description changes, or the rest is refused. Only the
// words that docs/prompts.md lists change nothing.
func TestEveryWordCounts(t *testing.T) {
	t.Parallel()
	library := newShelf()
	without := publishedFillers(t)
	prompts := corpus(t)
	for prompt := range tabled(t) {
		prompts = append(prompts, prompt)
	}
	prompts = append(prompts, trees(t)...)
	lost := map[string][]string{}
	for _, prompt := range testenv.Some(t, 50, prompts) {
		want := scriptOf(t, library, prompt)
		if want == "" {
			continue
		}
		text, tokens := []rune(prompt), tokenize(prompt)
		for i, w := range tokens {
			if w.kind != word && w.kind != number && w.kind != quoted || without.allow(tokens, i) || ofItsName(library, tokens, i) || i > 0 && tokens[i-1].is("than") { // a member on both sides of a comparison
				continue
			}
			if scriptOf(t, library, string(text[:w.offset])+string(text[w.end:])) == want {
				lost[w.lower] = append(lost[w.lower], prompt)
			}
		}
	}
	for _, w := range slices.Sorted(maps.Keys(lost)) {
		t.Errorf("%q is no published filler there, and changes nothing in %q", w, lost[w])
	}
}

// fillers are the words that, according to docs/prompts.md, may be left out.
type fillers struct {
	anywhere map[string]bool
	within   [][]string // phrases, of which the first word may be left out; * is any word
}

func publishedFillers(t *testing.T) fillers {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "prompts.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "## Words that may be left out")
	if !ok {
		t.Fatal("docs/prompts.md does not list the words that may be left out")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	f := fillers{anywhere: map[string]bool{}}
	for line := range strings.Lines(section) {
		if list, ok := strings.CutPrefix(line, "Anywhere: "); ok {
			for w := range strings.FieldsSeq(strings.Trim(strings.TrimSpace(list), "`.")) {
				f.anywhere[w] = true
			}
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\|[^|`]*`([^`]+)` \\| (.+) \\|$").FindAllStringSubmatch(section, -1) {
		for _, phrase := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			for w := range strings.FieldsSeq(row[1]) {
				f.within = append(f.within, append([]string{w}, strings.Fields(phrase[1])...))
			}
		}
	}
	for w := range headings {
		if !slices.ContainsFunc(f.within, func(phrase []string) bool { return slices.Equal(phrase, []string{w, w, ":"}) }) {
			t.Errorf("docs/prompts.md does not say that %q may be left out as a heading", w)
		}
	}
	for w := range f.anywhere {
		if !filler[w] && !introducing[w] {
			t.Errorf("docs/prompts.md says that %q may be left out anywhere, and the grammar does not", w)
		}
	}
	for _, set := range []map[string]bool{filler, introducing} {
		for w := range set {
			if !f.anywhere[w] {
				t.Errorf("docs/prompts.md does not say that %q may be left out anywhere", w)
			}
		}
	}
	return f
}

// allow reports whether a word may be left out where it stands.
func (f fillers) allow(tokens []token, at int) bool {
	w := tokens[at].lower
	if f.anywhere[w] {
		return true
	}
	return slices.ContainsFunc(f.within, func(phrase []string) bool {
		return phrase[0] == w && slices.ContainsFunc(indices(phrase[1:], w), func(j int) bool {
			for i, x := range phrase[1:] {
				at := at - j + i
				if at < 0 || at >= len(tokens) || x != "*" && tokens[at].lower != x {
					return false
				}
			}
			return true
		})
	})
}

func indices(list []string, w string) (at []int) {
	for i, x := range list {
		if x == w {
			at = append(at, i)
		}
	}
	return at
}

// ofItsName reports a word of an asset's name beside its symbol, and the number of an
// entry in a list.
func ofItsName(library *shelf, tokens []token, at int) bool {
	if tokens[at].kind == number && at+1 < len(tokens) && tokens[at+1].is(".") && (at == 0 || tokens[at-1].kind == line) {
		return true
	}
	return slices.ContainsFunc(tokens, func(t token) bool {
		asset, ok := library.assets[t.text]
		name := tokenize(asset.Name)
		begins := func(i int) bool {
			return i >= 0 && i+3 < len(tokens) && tokens[i].lower == name[0].lower && tokens[i+1].lower == name[1].lower
		}
		if !ok || len(name) < 3 {
			return false
		}
		for i := at; i > at-len(name); i-- {
			if begins(i) {
				return true
			}
		}
		return false
	})
}
