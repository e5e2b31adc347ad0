package languagemodel

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ballast/program/generate"
	"ballast/program/generate/grammar"
	"ballast/script"
	"ballast/script/dialect"
)

// Generator writes scripts with one language model. It implements
// generate.Generator and is safe for concurrent use.
type Generator struct {
	provider string // "anthropic" or "openai"
	config   Config // with its defaults
	model    provider
	grammar  generate.Generator // writes the scripts of descriptions in its words
	system   string
}

func newGenerator(name string, c Config, model provider) *Generator {
	return &Generator{provider: name, config: c, model: model, grammar: grammar.New(), system: systemPrompt()}
}

// Generate implements generate.Generator. It asks at most Config.Rounds times.
func (g *Generator) Generate(ctx context.Context, library generate.Library, request generate.Request) (*generate.Draft, error) {
	s, err := surround(ctx, library, request)
	if err != nil {
		return nil, err
	}
	c := &conversation{g: g, library: library, request: request, named: s.named, turns: []turn{{text: question(s, request)}}}
	for round := 1; round <= g.config.Rounds; round++ {
		if request.Progress != nil {
			request.Progress(round, g.config.Rounds)
		}
		c.rounds = round
		done, err := c.round(ctx)
		if err != nil {
			return nil, c.withUsage(err)
		}
		if done {
			return &generate.Draft{Script: c.script, Generator: g.provider + "/" + g.config.Model, Tokens: c.tokens, Rounds: round}, nil
		}
	}
	return nil, c.withUsage(c.exhausted())
}

// conversation is one generation in progress.
type conversation struct {
	g       *Generator
	library generate.Library
	request generate.Request
	named   []mention
	turns   []turn

	rounds, tokens int
	script         string            // script of the last attempt
	problems       []dialect.Problem // problems of the last attempt
}

// round asks once and checks the answer. If the answer has problems, they become the
// next message of the conversation.
func (c *conversation) round(ctx context.Context) (done bool, err error) {
	r, err := c.g.ask(ctx, c.rounds, c.turns)
	if err != nil {
		return false, err
	}
	c.tokens += r.tokens
	text := withoutThoughts(r.text)
	if err := unusable(r, text); err != nil {
		return false, err
	}
	a := read(text)
	if a.cannot != "" {
		return false, &generate.Failure{Message: "The language model says that no script can do what is described: " + a.cannot}
	}
	told := noScript
	if a.said != "" {
		if told, err = c.write(ctx, a); err != nil {
			return false, err
		}
	}
	if a.script != "" {
		if err := c.check(ctx, a); err != nil {
			return false, err
		}
		told = feedback(c.problems)
	}
	c.turns = append(c.turns, turn{answer: true, text: text}, turn{text: told})
	return (a.script != "" || a.said != "" && told == "") && len(c.problems) == 0, nil
}

// write has the grammar write the script of a description in its words. It returns what
// the language model is told if they are not understood, and "" if they are. Members of
// the prompt that they leave out are problems, like those of a script.
func (c *conversation) write(ctx context.Context, a answer) (told string, err error) {
	said := c.request
	said.Prompt, said.Progress = a.said, nil
	draft, err := c.g.grammar.Generate(ctx, c.library, said)
	var strange *generate.NotUnderstood
	var failure *generate.Failure
	switch {
	case errors.As(err, &strange):
		return unclear(strange.Error()), nil
	case errors.As(err, &failure):
		return unclear(failure.Message), nil
	case err != nil:
		return "", fmt.Errorf("write the script of a description: %w", err)
	}
	a.script = draft.Script
	if err := c.check(ctx, a); err != nil {
		return "", err
	}
	if len(c.problems) > 0 {
		return feedback(c.problems), nil
	}
	return "", nil
}

// check finds the problems of an answer's script.
func (c *conversation) check(ctx context.Context, a answer) (err error) {
	c.script = a.script
	if c.problems, err = c.request.Check(ctx, a.script); err != nil {
		return fmt.Errorf("check a generated script: %w", err)
	}
	if len(c.problems) == 0 {
		c.problems, err = missing(ctx, c.library, c.named, a)
	}
	return err
}

// unusable explains why a reply cannot contain a script; nil means that it may.
func unusable(r *reply, text string) error {
	switch {
	case r.ending == refused && r.reason != "":
		return &generate.Failure{Message: "The language model declined to write this model: " + shorten(strings.Map(printable, r.reason), 300) + " Describe it in other words."}
	case r.ending == refused:
		return &generate.Failure{Message: "The language model declined to write this model. Describe it in other words."}
	case r.ending == cut:
		return &generate.Failure{Message: "The language model's response was cut off at its limit of tokens. Describe a simpler model."}
	case strings.TrimSpace(text) == "":
		return &generate.Failure{Message: "The language model returned an empty response. Describe the model in other words, or try again."}
	case len(text) > 2*script.MaxSource:
		return &generate.Failure{Message: fmt.Sprintf("The language model's response had %d KiB; a script has at most %d. Describe a simpler model.", len(text)>>10, script.MaxSource>>10)}
	}
	return nil
}

// exhausted is the failure after the last round.
func (c *conversation) exhausted() error {
	if len(c.problems) == 0 {
		return &generate.Failure{Message: fmt.Sprintf("The language model returned no script in %d responses. Describe the model in more detail, or give a script.", c.rounds)}
	}
	p := c.problems[0]
	return &generate.Failure{Message: fmt.Sprintf("The generated script still broke the contract after %d responses, first on line %d: %s. Describe the model in more detail, or give a script.", c.rounds, p.Line, p.Message)}
}

// withUsage adds to a failure the tokens that were used and the last script.
func (c *conversation) withUsage(err error) error {
	var f *generate.Failure
	if errors.As(err, &f) {
		f.Tokens, f.Rounds, f.Script, f.Problems = c.tokens, c.rounds, c.script, c.problems
	}
	return err
}
