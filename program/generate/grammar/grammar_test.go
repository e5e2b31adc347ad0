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
)

var update = flag.Bool("update", false, "write testdata/scripts anew, from the first prompt of each group")

// group is prompts that give the same script.
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

func TestGenerateChecksItsScript(t *testing.T) {
	t.Parallel()
	rounds := 0
	request := generate.Request{
		Prompt: "60% SPY, 40% AGG, quarterly",
		Check: func(_ context.Context, text string) ([]script.Problem, error) {
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
	request.Check = func(context.Context, string) ([]script.Problem, error) {
		return []script.Problem{{Rule: script.RuleUniverse, Line: 1, Column: 1, Message: "a circle"}}, nil
	}
	_, err = New().Generate(t.Context(), newShelf(), request)
	var failure *generate.Failure
	if !errors.As(err, &failure) || len(failure.Problems) != 1 || failure.Script == "" {
		t.Errorf("%v", err)
	}
	request.Check = func(context.Context, string) ([]script.Problem, error) { return nil, errors.New("no database") }
	if _, err = New().Generate(t.Context(), newShelf(), request); err == nil || errors.As(err, &failure) {
		t.Errorf("%v", err)
	}
}
