package languagemodel_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"ballast/program/generate"
	"ballast/script"
	"ballast/script/dialect"
)

const modelID = "model_0197f6a0b1c27d3e8f40a1b2c3d4e5f6"

// shelf is a library in memory.
type shelf struct {
	assets map[string]string // names by symbol
	models []generate.Member
	err    error
}

func newShelf() *shelf {
	return &shelf{
		assets: map[string]string{
			"SPY": "SPDR S&P 500 ETF", "AGG": "iShares Core US Aggregate Bond ETF", "GLD": "SPDR Gold Shares",
			"MA": "Mastercard", "BRK.B": "Berkshire Hathaway", "IT": "Gartner", "TLT": "iShares 20+ Year Treasury Bond ETF",
		},
		models: []generate.Member{
			{Key: "CALM", ID: modelID, Symbol: "CALM", Name: "Calm Waters", Description: "Bonds, mostly.", Model: true},
			{Key: "WILD", ID: "model_0197f6a0b1c27d3e8f40a1b2c3d4e5f7", Symbol: "WILD", Name: "Wild Ride", Model: true},
		},
	}
}

func (s *shelf) Members(_ context.Context, names []string) (map[string]generate.Member, error) {
	found := map[string]generate.Member{}
	for _, n := range names {
		symbol := strings.ToUpper(n)
		if name, ok := s.assets[symbol]; ok {
			found[n] = generate.Member{Key: symbol, ID: "asset_" + symbol, Symbol: symbol, Name: name}
			continue
		}
		for _, m := range s.models {
			if n == m.ID || n == m.Symbol || n == m.Name {
				found[n] = m
			}
		}
	}
	return found, s.err
}

func (s *shelf) Nearest(context.Context, []string) (map[string]string, error) { return nil, nil }

func (s *shelf) Models(context.Context) ([]generate.Member, error) { return s.models, nil }

func (s *shelf) Search(_ context.Context, words string, n int) ([]generate.Member, error) {
	var found []generate.Member
	for _, symbol := range slices.Sorted(maps.Keys(s.assets)) {
		name := strings.ToLower(s.assets[symbol])
		fits := slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool { return strings.Contains(name, w) })
		if fits && len(found) < n {
			found = append(found, generate.Member{Key: symbol, ID: "asset_" + symbol, Symbol: symbol, Name: s.assets[symbol]})
		}
	}
	return found, nil
}

// ResolveSeries knows no series.
func (s *shelf) ResolveSeries(references []string) map[string]script.Unresolved {
	unresolved := map[string]script.Unresolved{}
	for _, r := range references {
		unresolved[r] = script.Unresolved{Message: r + " is not a series"}
	}
	return unresolved
}

// Taken accepts any symbol.
func (s *shelf) Taken(string) string { return "" }

// Resolve lets the static checks use the shelf.
func (s *shelf) Resolve(_ string, entries []string) map[string]script.Unresolved {
	unresolved := map[string]script.Unresolved{}
	members, _ := s.Members(context.Background(), entries)
	for _, e := range entries {
		if _, ok := members[e]; !ok {
			unresolved[e] = script.Unresolved{Suggestion: "SPY"}
		}
	}
	return unresolved
}

func (s *shelf) request(prompt string) generate.Request {
	return generate.Request{Prompt: prompt, Check: func(_ context.Context, text string) ([]dialect.Problem, error) {
		_, problems := script.Check(text, s)
		return problems, nil
	}}
}

// model is a valid script over members.
func model(members ...string) string {
	return `"""Equal weights."""
from harness import equal_weight

NAME = "Equal weights"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["` + strings.Join(members, `", "`) + `"]},
}

def decide(ctx):
    return equal_weight(ctx.universe)
`
}

func block(text string) string { return "```python\n" + text + "```" }

func (s *shelf) Series(context.Context) ([]generate.Series, error) { return nil, nil }
