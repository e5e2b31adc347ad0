package grammar

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"ballast/program/generate"
	"ballast/script"
)

// LongestPrompt is the longest description that is read, in characters.
const LongestPrompt = 20_000

// mostTokens is how many words, numbers and marks are read.
const mostTokens = 2000

// Name is the name of this generator in drafts.
const Name = "grammar"

// english is everything that can be said, compiled once and never changed.
var english = newLanguage(schedulePhrases, weightPhrases, riskPhrases, momentumPhrases, trendPhrases, namePhrases, portfolioPhrases)

// Generator writes scripts from plain English. It is safe for concurrent use.
type Generator struct{}

var _ generate.Generator = Generator{}

// New returns the generator; it needs nothing.
func New() Generator { return Generator{} }

// Generate implements generate.Generator. Only the description counts: what the model
// was before plays no part. It fails with a *generate.NotUnderstood that names every
// word without a meaning, with a *generate.Failure if its script does not pass its
// checks, or with the library's own errors.
func (Generator) Generate(ctx context.Context, library generate.Library, request generate.Request) (*generate.Draft, error) {
	if request.Progress != nil {
		request.Progress(1, 1)
	}
	if request.Kind != "" && request.Kind != script.Model.Name {
		return nil, &generate.NotUnderstood{
			Words:    []generate.Word{{Message: "a " + request.Kind + " cannot be described in words yet, only a model can: send a script"}},
			Accepted: []string{"a script of the contract described at /docs/script-contract"},
		}
	}
	plan, err := Understand(ctx, library, request.Prompt)
	if err != nil {
		return nil, err
	}
	text := Write(plan)
	if request.Check != nil {
		problems, err := request.Check(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("check the script of a description: %w", err)
		}
		if len(problems) > 0 {
			return nil, &generate.Failure{
				Message: "The description was understood, but its script does not pass the checks: " + problems[0].Message + ".",
				Rounds:  1, Script: text, Problems: problems,
			}
		}
	}
	return &generate.Draft{Script: text, Generator: Name, Rounds: 1}, nil
}

// Understand reads a description. It fails with a *generate.NotUnderstood, or with
// the library's own error.
func Understand(ctx context.Context, library generate.Library, prompt string) (*Plan, error) {
	if n := utf8.RuneCountInString(prompt); n > LongestPrompt {
		return nil, &generate.NotUnderstood{
			Words:    []generate.Word{{Text: "", Message: fmt.Sprintf("the description has %d characters; up to %d are read", n, LongestPrompt)}},
			Accepted: slices.Clone(accepted),
		}
	}
	prompt = unquoted(prompt)
	tokens := tokenize(prompt)
	if len(tokens) > mostTokens {
		return nil, &generate.NotUnderstood{
			Words:    []generate.Word{{Text: "", Offset: tokens[mostTokens].offset, Message: fmt.Sprintf("the description has %d words, numbers and marks; up to %d are read", len(tokens), mostTokens)}},
			Accepted: slices.Clone(accepted),
		}
	}
	members, err := lookUp(ctx, library, english, prompt, tokens)
	if err != nil {
		return nil, err
	}
	p := newParser(english, prompt, tokens, members)
	if err := p.parse(ctx); err != nil {
		return nil, fmt.Errorf("read a description: %w", err)
	}
	plan := p.plan()
	if p.failure() != nil {
		return nil, p.suggest(ctx, library)
	}
	return plan, nil
}

// suggest returns the failure with the nearest symbols of unknown members.
func (p *parser) suggest(ctx context.Context, library generate.Library) error {
	failure := p.failure()
	symbols := map[string]bool{}
	for _, w := range failure.Words {
		if w.Member {
			symbols[w.Text] = true
		}
	}
	if len(symbols) == 0 {
		return failure
	}
	near, err := library.Nearest(ctx, slices.Sorted(maps.Keys(symbols)))
	if err != nil {
		return fmt.Errorf("find the nearest symbols: %w", err)
	}
	for i := range failure.Words {
		if w := &failure.Words[i]; w.Member && w.Suggestion == "" {
			w.Suggestion = near[w.Text]
		}
	}
	return failure
}
