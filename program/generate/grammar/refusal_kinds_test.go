package grammar

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/program/generate"
	"ballast/script"
	"ballast/script/harness"
)

// TestEveryKindRefusesShortly sends descriptions of all corpora to every kind of program and
// to optimizers: whatever is refused is refused in few words, with something that is
// accepted.
func TestEveryKindRefusesShortly(t *testing.T) {
	t.Parallel()
	list := refusedDescriptions(t)
	for _, file := range []string{"simulations_refused.txt", "analyses_refused.txt", "simulations.txt", "analyses.txt", "optimizers.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if prompt, _, _ := strings.Cut(line, "=>"); strings.TrimSpace(prompt) != "" {
				list = append(list, strings.ReplaceAll(strings.TrimSpace(prompt), `\n`, "\n"))
			}
		}
	}
	refused := map[string]int{}
	for _, prompt := range testenv.Some(t, 120, list) {
		for _, kind := range []string{script.Model.Name, harness.Simulation, harness.Analysis, "optimizer"} {
			var err error
			if kind == "optimizer" {
				_, err = New().UnderstandOptimizer(t.Context(), newShelf(), prompt)
			} else {
				_, err = New().Generate(t.Context(), newShelf(), generate.Request{Kind: kind, Prompt: prompt, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
			}
			var strange *generate.NotUnderstood
			if !errors.As(err, &strange) {
				if err != nil {
					t.Fatal(err)
				}
				continue
			}
			refused[kind]++
			isShort(t, prompt, strange)
			if len(strange.Accepted) == 0 || len(strange.Words) == 0 || strange.Words[0].Message == "" {
				t.Errorf("%q as %s: %+v", prompt, kind, strange)
			}
		}
	}
	for _, kind := range []string{script.Model.Name, harness.Simulation, harness.Analysis, "optimizer"} {
		if refused[kind] < 10 {
			t.Errorf("only %d descriptions of %s are refused", refused[kind], kind)
		}
	}
}

// TestQuestionsAreAnalyses refuses questions about members as models, with the analysis that
// answers them, and the rule of spending a part of one's wealth with the simulation of it.
func TestQuestionsAreAnalyses(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"what is the max drawdown of SPY":                  `send "worst drawdowns of SPY" to POST /v1/analyses`,
		"Sharpe ratio of SPY":                              `send "report on SPY" to POST /v1/analyses`,
		"compare SPY and QQQ since 2010":                   `send "report on SPY against QQQ" to POST /v1/analyses`,
		"correlation of SPY and TLT":                       "this describes an analysis, not a model: send it to POST /v1/analyses",
		"how did 60/40 SPY/AGG do in 2008":                 "did you mean: 60/40 SPY/AGG?",
		"4% rule with VTI":                                 `send "withdraw 4% a year in VTI for 30 years" to POST /v1/simulations`,
		"the 3.5 percent withdrawal rule on 60/40 SPY/AGG": `send "withdraw 3.5% a year in 60% SPY and 40% AGG for 30 years" to POST /v1/simulations`,
	} {
		if strange := refusal(t, prompt); strange == nil || !strings.Contains(strange.Words[0].Message, want) {
			t.Errorf("%q: %+v, not %q", prompt, strange, want)
		}
	}
}

// TestUnclearScopesAreRefused refuses what would have to be guessed: a month without an end,
// a band of one part, a cap among the members.
func TestUnclearScopesAreRefused(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"BIL from May, SPY from November", "hold SPY until September, then BIL", "60% (60/40 SPY/AGG with a 5% band), 40% GLD",
		"equal weight SPY, TLT with max 40% each, GLD", "if SPY is above its 200 day average hold SPY, otherwise TLT. If GLD is above its 200 day average hold GLD.",
	} {
		if refusal(t, prompt) == nil {
			t.Errorf("%q is understood", prompt)
		}
	}
	for _, prompt := range []string{"60% (60/40 SPY/AGG), 40% GLD with a 5% band", "60/40 SPY/AGG (5% band)", "if SPY is above its 200 day average hold QQQ, otherwise TLT; but if the RSI of QQQ is above 80 hold BIL", "hold SPY from November to April, otherwise BIL"} {
		if strange := refusal(t, prompt); strange != nil {
			t.Errorf("%q: %+v", prompt, strange)
		}
	}
}
