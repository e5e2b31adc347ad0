package grammar

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/testenv"
	"ballast/program/generate"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/script/simulation"
	"ballast/timeseries"
)

// thisYear is the current year of the tests.
const thisYear = 2026

func understandSimulation(t testing.TB, prompt string) *Simulation {
	t.Helper()
	s, err := UnderstandSimulation(t.Context(), newShelf(), prompt, thisYear)
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
	return s
}

// simulated runs the script of a simulation over the sample market, with few paths.
func simulated(t testing.TB, text string) *script.Answer {
	t.Helper()
	p, problems := script.Kinds{script.Model, simulation.Kind}.Check(text, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	given := map[string]any{"paths": 100.0}
	if years, _ := p.Inputs.Property("source"); years.Default == "history" {
		given["years"] = 3.0 // the sample market is short
	}
	in, details := p.Bind(given)
	if len(details) > 0 {
		t.Fatal(details)
	}
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	f := *frame(t, in.Universe())
	for _, reference := range p.Series(in) { // prices rise by 0.2 % in each month
		var months []timeseries.Date
		for y, m, _ := f.Axis[0].YMD(); len(months) == 0 || months[len(months)-1] < f.Axis[len(f.Axis)-1]; m++ {
			months = append(months, timeseries.NewDate(y, m, 1))
		}
		f.Outside = append(f.Outside, timeseries.NewOutside(reference, f.Axis, months, months, slices.Repeat([]float64{0.002}, len(months))))
	}
	answer, err := simulation.Execute(t.Context(), sandbox.Call{Caller: caller, Inputs: in, Frame: &f, Progress: func(float64) {}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return answer
}

func TestSimulationsReturnTheirScripts(t *testing.T) {
	t.Parallel()
	for _, g := range groups(t, "simulations.txt") {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("testdata", "simulations", g.name+".py")
			if *update {
				if err := os.WriteFile(path, []byte(WriteSimulation(understandSimulation(t, g.prompts[0]))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			simulated(t, string(want))
			for _, prompt := range g.prompts {
				_, wantBody, _ := strings.Cut(string(want), "NAME = ")
				_, got, _ := strings.Cut(WriteSimulation(understandSimulation(t, prompt)), "NAME = ")
				if d := cmp.Diff(wantBody, got); d != "" {
					t.Errorf("%s (-want +got):\n%s", prompt, d)
				}
			}
		})
	}
}

func TestSimulationsAreRefused(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/simulations_refused.txt")
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
		s, err := UnderstandSimulation(t.Context(), newShelf(), strings.TrimSpace(prompt), thisYear)
		var unknown *generate.NotUnderstood
		if !errors.As(err, &unknown) {
			t.Errorf("%s was understood: %v\n%s", prompt, err, DescribeSimulation(s))
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

// attemptSimulation understands a prompt and checks the result.
func attemptSimulation(t *testing.T, library generate.Library, prompt string) {
	t.Helper()
	s, err := UnderstandSimulation(context.Background(), library, prompt, thisYear)
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
	text := WriteSimulation(s)
	p, problems := script.Kinds{simulation.Kind}.Check(text, nil)
	if len(problems) > 0 {
		t.Fatalf("%q gives %v\n%s", prompt, problems, text)
	}
	if _, details := p.Bind(nil); len(details) > 0 {
		t.Fatalf("%q gives %v\n%s", prompt, details, text)
	}
}

// FuzzSimulation checks that no prompt breaks the grammar of simulations.
func FuzzSimulation(f *testing.F) {
	for _, g := range groups(f, "simulations.txt") {
		for _, prompt := range g.prompts {
			f.Add(prompt)
		}
	}
	for _, prompt := range []string{"", "$", "$1", "withdraw 0% a year", "withdraw 1e9% a year", "save 99999999999999999 a month", "from 90/10 to", "until age", "0 years", "1m 1m", "p.a.", "5%%% fee"} {
		f.Add(prompt)
	}
	library := newShelf()
	f.Fuzz(func(t *testing.T, prompt string) {
		attemptSimulation(t, library, prompt)
	})
}

// TestMixedSimulations tries pieces of descriptions in any order.
func TestMixedSimulations(t *testing.T) {
	t.Parallel()
	var pieces []string
	for _, g := range groups(t, "simulations.txt") {
		for _, prompt := range g.prompts {
			pieces = append(pieces, strings.FieldsFunc(prompt, func(r rune) bool { return r == ',' || r == '.' || r == ';' })...)
			pieces = append(pieces, strings.Fields(prompt)...)
		}
	}
	chance := testenv.Random(t, 1, 2)
	library := newShelf()
	for range 3000 {
		var prompt strings.Builder
		for range 1 + chance.IntN(7) {
			prompt.WriteString(pieces[chance.IntN(len(pieces))])
			prompt.WriteString([]string{" ", ", ", ". ", "\n", "; ", ""}[chance.IntN(6)])
		}
		attemptSimulation(t, library, prompt.String())
	}
}

// A description of another kind is never read as one of this kind.
func TestKindsOfDescriptions(t *testing.T) {
	t.Parallel()
	now := time.Date(thisYear, 6, 1, 0, 0, 0, 0, time.UTC)
	const model, plan = "60% SPY, 40% AGG, quarterly", "withdraw 4% a year from 1m in 60/40 SPY/AGG for 30 years"
	const question = "how correlated are SPY and TLT"
	for _, c := range []struct{ kind, prompt, refused string }{
		{"", model, ""},
		{"model", model, ""},
		{"simulation", plan, ""},
		{"simulation", model, "POST /v1/models"},
		{"model", plan, "POST /v1/simulations"},
		{"analysis", plan, "POST /v1/simulations"},
		{"analysis", model, "POST /v1/models"},
		{"model", question, "POST /v1/analyses"},
		{"simulation", question, "POST /v1/analyses"},
		{"analysis", question, ""},
		{"optimizer", model, "optimizer"},
	} {
		draft, err := New().Generate(t.Context(), newShelf(), generate.Request{Kind: c.kind, Prompt: c.prompt, Now: now})
		var unknown *generate.NotUnderstood
		switch {
		case c.refused == "" && (err != nil || draft.Script == ""):
			t.Errorf("%s %q: %v", c.kind, c.prompt, err)
		case c.refused != "" && (!errors.As(err, &unknown) || !strings.Contains(unknown.Words[0].Message, c.refused)):
			t.Errorf("%s %q: %v", c.kind, c.prompt, err)
		}
	}
}
