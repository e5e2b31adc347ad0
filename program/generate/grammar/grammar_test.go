package grammar

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/program/generate"
	"ballast/script"
	"ballast/script/dialect"
)

var update = flag.Bool("update", false, "write testdata/scripts again, from the first prompt of each group")

// group is a set of prompts that give the same script.
type group struct {
	name    string
	prompts []string
}

// groups reads a file of groups: a name, then indented lines.
func groups(t testing.TB, file string) (list []group) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "  "):
			last := &list[len(list)-1]
			last.prompts = append(last.prompts, strings.ReplaceAll(strings.TrimSpace(line), `\n`, "\n"))
		default:
			list = append(list, group{name: line})
		}
	}
	return list
}

func understand(t testing.TB, prompt string) *Plan {
	t.Helper()
	plan, err := Understand(t.Context(), newShelf(), prompt)
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
	return plan
}

func TestPromptsGiveTheirScripts(t *testing.T) {
	t.Parallel()
	count := 0
	for _, g := range groups(t, "plans.txt") {
		count += len(g.prompts)
		t.Run(g.name, func(t *testing.T) {
			path := filepath.Join("testdata", "scripts", g.name+".py")
			if *update {
				if err := os.WriteFile(path, []byte(Write(understand(t, g.prompts[0]))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := script.Check(string(want), nil); len(problems) > 0 {
				t.Fatalf("the script breaks the contract: %v", problems)
			}
			for _, prompt := range g.prompts {
				t.Run(prompt, func(t *testing.T) {
					if d := cmp.Diff(string(want), Write(understand(t, prompt))); d != "" {
						t.Errorf("%s (-want +got):\n%s", prompt, d)
					}
				})
			}
		})
	}
	if count < 150 {
		t.Errorf("only %d prompts are tried", count)
	}
}

// TestEnglishWordsAreNoTickers checks that words that are also symbols in the catalog
// stay words, and that symbols that are also words can be named.
func TestEnglishWordsAreNoTickers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ prompt, want string }{
		{"I want it to be 60% SPY, so that you hold 40% AGG for me", "SPY AGG"},
		{"a portfolio on all of it: 60% SPY and 40% AGG now", ""},
		{"A 60/40 portfolio of SPY and AGG", "SPY AGG"},
		{"I hold 60% SPY and 40% AGG", "SPY AGG"},
		{"60% gold and 40% GOLD", "GLD GOLD"},
		{"60% Gold and 40% SPY", "GLD SPY"},
		{"60% T and 40% A", "T A"},
		{"A, B and C equally", ""},
		{"equal weight $for, $so and $be", "FOR SO BE"},
		{"60% all, 40% on", ""},
		{"hold SPY above its 200-day MA, otherwise MA", "SPY MA"},
		{"hold RSI when its 14 day RSI is below 30, otherwise cash", "RSI"},
		{"60% ARE and 40% V", "ARE V"},
		{"60% aapl and 40% msft", "AAPL MSFT"},
		{"60% SPY and 40% CASH", "SPY"},
		{"60% SPY and 40% Cash", "SPY"},
		{"50% Trend and 50% SPY", "TRND SPY"},
		{"equal weight SPY and AGG, trend when useful", ""},
	} {
		t.Run(c.prompt, func(t *testing.T) {
			t.Parallel()
			plan, err := Understand(t.Context(), newShelf(), c.prompt)
			got := ""
			if err == nil {
				got = strings.Join(keysOf(append(plan.Pool, plan.Else...)), " ")
			}
			if got != c.want {
				t.Errorf("%s: members %q, want %q (%v)", c.prompt, got, c.want, err)
			}
		})
	}
}

func TestGenerateChecksItsScript(t *testing.T) {
	t.Parallel()
	rounds := 0
	request := generate.Request{
		Prompt: "60% SPY, 40% AGG, quarterly",
		Check: func(_ context.Context, text string) ([]dialect.Problem, error) {
			_, found := script.Check(text, nil)
			return found, nil
		},
		Progress: func(round, _ int) { rounds = round },
	}
	draft, err := New().Generate(t.Context(), newShelf(), request)
	if err != nil {
		t.Fatal(err)
	}
	if draft.Generator != "grammar" || draft.Rounds != 1 || draft.Tokens != 0 || rounds != 1 {
		t.Errorf("%+v, progress %d", draft, rounds)
	}
	request.Check = func(context.Context, string) ([]dialect.Problem, error) {
		return []dialect.Problem{{Rule: dialect.RuleUniverse, Line: 1, Column: 1, Message: "a circle"}}, nil
	}
	_, err = New().Generate(t.Context(), newShelf(), request)
	var failure *generate.Failure
	if !errors.As(err, &failure) || len(failure.Problems) != 1 || failure.Script == "" {
		t.Errorf("%v", err)
	}
	request.Check = func(context.Context, string) ([]dialect.Problem, error) { return nil, errors.New("no database") }
	if _, err = New().Generate(t.Context(), newShelf(), request); err == nil || errors.As(err, &failure) {
		t.Errorf("%v", err)
	}
}
