package grammar

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/testenv"
	"ballast/program/generate"
	"ballast/script"
	"ballast/script/analysis"
)

func understandAnalysis(t testing.TB, prompt string) *Question {
	t.Helper()
	q, err := UnderstandAnalysis(t.Context(), newShelf(), prompt)
	var unknown *generate.NotUnderstood
	if errors.As(err, &unknown) {
		for _, w := range unknown.Words {
			t.Errorf("%q at %d: %s (suggested: %q)", w.Text, w.Offset, w.Message, w.Suggestion)
		}
		t.Fatalf("not understood: %s", prompt)
	}
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestAnalysesReturnTheirScripts(t *testing.T) {
	t.Parallel()
	for _, g := range groups(t, "analyses.txt") {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", "analyses", g.name+".py")
			if *update {
				if err := os.WriteFile(path, []byte(WriteAnalysis(understandAnalysis(t, g.prompts[0]))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := (script.Kinds{analysis.Kind}).Check(string(want), nil); len(problems) > 0 {
				t.Errorf("%v", problems)
			}
			for _, prompt := range g.prompts {
				_, wantBody, _ := strings.Cut(string(want), "NAME = ")
				_, got, _ := strings.Cut(WriteAnalysis(understandAnalysis(t, prompt)), "NAME = ")
				if d := cmp.Diff(wantBody, got); d != "" {
					t.Errorf("%s (-want +got):\n%s", prompt, d)
				}
			}
		})
	}
}

func TestAnalysesAreRefused(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/analyses_refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		prompt, words, ok := strings.Cut(strings.TrimSpace(line), "=>")
		if prompt == "" || prompt[0] == '#' {
			continue
		}
		if !ok {
			t.Fatalf("no words: %s", line)
		}
		q, err := UnderstandAnalysis(t.Context(), newShelf(), strings.TrimSpace(prompt))
		var unknown *generate.NotUnderstood
		if !errors.As(err, &unknown) {
			t.Errorf("%s was understood: %v\n%s", prompt, err, DescribeAnalysis(q))
			continue
		}
		var got []string
		for _, w := range unknown.Words {
			if w.Member {
				w.Text = "*" + w.Text
			}
			if w.Text != "" {
				got = append(got, w.Text)
			}
		}
		if d := cmp.Diff(strings.TrimSpace(words), strings.Join(got, " | ")); d != "" {
			t.Errorf("%s (-want +got):\n%s%+v", prompt, d, unknown.Words)
		}
	}
}

// attemptAnalysis understands a prompt and checks the result.
func attemptAnalysis(t *testing.T, library generate.Library, prompt string) {
	t.Helper()
	q, err := UnderstandAnalysis(context.Background(), library, prompt)
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
	text := WriteAnalysis(q)
	if _, problems := (script.Kinds{analysis.Kind}).Check(text, nil); len(problems) > 0 {
		t.Errorf("%q: %v\n%s", prompt, problems, text)
	}
}

// FuzzAnalysis checks that no prompt breaks the grammar of analyses.
func FuzzAnalysis(f *testing.F) {
	for _, g := range groups(f, "analyses.txt") {
		for _, prompt := range g.prompts {
			f.Add(prompt)
		}
	}
	for _, prompt := range []string{"", "$", "on", "against", "factor regression of", "in 2008", "FF5.", "FF5.SMB", "my model", "0% value at risk of SPY", "rolling 0-year returns of SPY", "worst 0 drawdowns of SPY"} {
		f.Add(prompt)
	}
	library := newShelf()
	f.Fuzz(func(t *testing.T, prompt string) {
		attemptAnalysis(t, library, prompt)
	})
}

// TestMixedAnalyses tries pieces of descriptions in any order.
func TestMixedAnalyses(t *testing.T) {
	t.Parallel()
	var pieces []string
	for _, g := range groups(t, "analyses.txt") {
		for _, prompt := range g.prompts {
			pieces = append(pieces, strings.FieldsFunc(prompt, func(r rune) bool { return r == ',' || r == '.' || r == ';' })...)
			pieces = append(pieces, strings.Fields(prompt)...)
		}
	}
	chance := testenv.Random(t, 5, 6)
	library := newShelf()
	for range 3000 {
		var prompt strings.Builder
		for range 1 + chance.IntN(7) {
			prompt.WriteString(pieces[chance.IntN(len(pieces))])
			prompt.WriteString([]string{" ", ", ", ". ", "\n", "; ", ""}[chance.IntN(6)])
		}
		attemptAnalysis(t, library, prompt.String())
	}
}

// TestNoWordOfAnAnalysisIsLost inserts a word that changes the meaning between any two
// words of a description: the script may not stay the same.
func TestNoWordOfAnAnalysisIsLost(t *testing.T) {
	t.Parallel()
	library := newShelf()
	scriptOf := func(prompt string) string {
		q, err := UnderstandAnalysis(t.Context(), library, prompt)
		if err != nil {
			return ""
		}
		return WriteAnalysis(q)
	}
	for _, g := range groups(t, "analyses.txt") {
		for _, prompt := range g.prompts {
			want, words := scriptOf(prompt), strings.Fields(prompt)
			for at := range len(words) + 1 {
				for _, w := range []string{"not", "no", "except", "without", "unless", "xyzzy", "twice", "minus", "half", "7%", "17", "40,000", "2041", "somewhat", "MDY", "weekly"} {
					variant := strings.Join(slices.Insert(slices.Clone(words), at, w), " ")
					if got := scriptOf(variant); got == want {
						t.Errorf("%q is lost in %q", w, variant)
					}
				}
			}
		}
	}
}
