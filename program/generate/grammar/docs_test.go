package grammar

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/program/generate"
)

// TestDocs compares docs/prompts.md with the code: its examples give scripts that
// run, and what it says is refused is refused.
func TestDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "prompts.md"))
	if err != nil {
		t.Fatal(err)
	}
	models, simulations, _ := strings.Cut(string(text), "## Simulations\n")
	text = []byte(models)
	simulations, analyses, _ := strings.Cut(simulations, "## Analyses\n")
	docsOfSimulations(t, simulations)
	analyses, optimizers, _ := strings.Cut(analyses, "## Optimizers\n")
	docsOfAnalyses(t, analyses)
	docsOfOptimizers(t, optimizers)
	examples := 0
	for i, block := range strings.Split(string(text), "```\n") {
		if i%2 == 0 {
			continue
		}
		for line := range strings.Lines(block) {
			prompt := strings.TrimSpace(line)
			examples++
			t.Run(prompt, func(t *testing.T) {
				t.Parallel()
				run(t, understoodAs(t, prompt))
			})
		}
	}
	if examples < 50 {
		t.Errorf("only %d examples", examples)
	}
	refused := regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(string(text), -1)
	if len(refused) < 5 {
		t.Errorf("only %d refusals", len(refused))
	}
	for _, r := range refused {
		var unknown *generate.NotUnderstood
		if _, err := modelScript(t.Context(), newShelf(), generate.Request{Prompt: r[1]}); !errors.As(err, &unknown) {
			t.Errorf("%s: %v", r[1], err)
		}
	}
}

// docsOfOptimizers reads the examples of the section on optimizers.
func docsOfOptimizers(t *testing.T, section string) {
	t.Helper()
	_, block, _ := strings.Cut(section, "```\n")
	block, _, _ = strings.Cut(block, "```\n")
	n := 0
	for prompt := range strings.Lines(block) {
		n++
		if _, err := UnderstandOptimizer(t.Context(), newShelf(), strings.TrimSpace(prompt)); err != nil {
			t.Errorf("%s: %v", prompt, err)
		}
	}
	if n < 5 {
		t.Errorf("only %d optimizers", n)
	}
}

// docsOfSimulations compares the section on simulations with the code.
func docsOfSimulations(t *testing.T, section string) {
	t.Helper()
	_, block, _ := strings.Cut(section, "```\n")
	block, tables, _ := strings.Cut(block, "```\n")
	for prompt := range strings.Lines(block) {
		simulated(t, WriteSimulation(understandSimulation(t, strings.TrimSpace(prompt))))
	}
	parts, refused, _ := strings.Cut(tables, "| refused |")
	said := 0
	for _, row := range regexp.MustCompile("(?m)^\\| [^|`]+ \\| (.+) \\|$").FindAllStringSubmatch(parts, -1) {
		for _, x := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			said++
			if prompt := completed(x[1]); prompt != "" {
				understandSimulation(t, prompt)
			}
		}
	}
	if said < 40 {
		t.Errorf("only %d parts of simulations", said)
	}
	for _, r := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(refused, -1) {
		var unknown *generate.NotUnderstood
		if _, err := UnderstandSimulation(t.Context(), newShelf(), r[1], thisYear); !errors.As(err, &unknown) {
			t.Errorf("%s: %v", r[1], err)
		}
	}
}

// docsOfAnalyses compares the section on analyses with the code.
func docsOfAnalyses(t *testing.T, section string) {
	t.Helper()
	_, block, _ := strings.Cut(section, "```\n")
	block, tables, _ := strings.Cut(block, "```\n")
	for prompt := range strings.Lines(block) {
		understandAnalysis(t, strings.TrimSpace(prompt))
	}
	parts, refused, _ := strings.Cut(tables, "| refused |")
	said := 0
	for _, row := range regexp.MustCompile("(?m)^\\| [^|`]+ \\| (.+) \\|$").FindAllStringSubmatch(parts, -1) {
		for _, x := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			said++
			switch part := x[1]; {
			case part == "my model": // the tests have several
			case part == "the Carhart factors": // the tests have no such series
			case strings.Contains(part, "three factors"): // the tests have them by day and by month
				understandAnalysis(t, "monthly factor regression of RMOM on "+part)
			case strings.HasPrefix(part, "the Fama"), strings.HasPrefix(part, "with "):
				understandAnalysis(t, "factor regression of RMOM on "+strings.TrimPrefix("SPY "+part, "SPY the"))
			case len(strings.Fields(part)) < 5 && !strings.Contains(part, "RMOM") && !strings.Contains(part, "SPY"):
				understandAnalysis(t, "correlation of SPY and TLT, "+part)
			default:
				understandAnalysis(t, part)
			}
		}
	}
	if said < 25 {
		t.Errorf("only %d parts of analyses", said)
	}
	for _, r := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(refused, -1) {
		var unknown *generate.NotUnderstood
		if _, err := UnderstandAnalysis(t.Context(), newShelf(), r[1]); !errors.As(err, &unknown) {
			t.Errorf("%s: %v", r[1], err)
		}
	}
}

// completed adds to a part of a description what it needs beside it.
func completed(part string) string {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(part, w) })
	}
	switch {
	case part == "rates" || part == "bands":
		return ""
	case has("then withdraw"):
		return part
	case strings.HasPrefix(part, "from 20") || strings.HasPrefix(part, "from year") || strings.HasPrefix(part, "for 5 years from"):
		return "withdraw 40,000 a year " + part + " in SPY, 30 years"
	case has("until I have"):
		return "save 1,000 a month " + part
	case has("guardrails of"):
		return "withdraw 5% a year using " + part
	case has("ratchet", "not adjusted"):
		return "withdraw 4% of the starting value a year " + part
	case has("until age"):
		return "withdraw 4% a year from age 60 " + part
	case has("from age 67"):
		return "withdraw 60,000 a year from age 60 until age 95, " + part
	case part == "required minimum distributions":
		return "by " + part + " from age 72"
	case has("SPY"):
		return part + ", withdraw 4% a year"
	case has("called"):
		return "withdraw 4% a year in SPY, " + part
	case has("withdraw", "spend 3", "save", "contribute", "rule", "variable"):
		return part + " in SPY"
	}
	return "withdraw 30,000 a year in SPY, " + part
}

func TestAcceptedIsAccepted(t *testing.T) {
	t.Parallel()
	for _, hint := range []string{accepted[0], accepted[1], accepted[2], accepted[3], accepted[4], accepted[8], accepted[10], accepted[11], accepted[12], accepted[13], accepted[14]} {
		run(t, Write(understand(t, hint)))
	}
}
