package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program/generate"
	"ballast/script"
	"ballast/script/dialect"
	"ballast/timeseries"
)

// implementation is what a create or a rebuild asks to build: a checked script, or a
// prompt for which one is written in the background.
type implementation struct {
	name        string
	symbol      string // "" if the script sets none
	description string
	startRule   string
	prompt      string

	source     string // "" until it is generated
	hash       string
	schema     json.RawMessage
	validation json.RawMessage
	inputs     json.RawMessage
	entries    Entries
	generator  string // "" if the caller gave the script
}

// writer turns a script or a prompt into an implementation.
type writer struct {
	kind          *Kind
	known         script.Kinds // that can be validated
	names         names        // what scripts can refer to
	grammar       generate.Generator
	optimizers    generate.OptimizerReader
	languageModel bool // whether the workers have one, for prompts that the grammar does not understand
	now           func() time.Time
}

// implement checks a script, or writes one for a prompt.
func (s *writer) implement(ctx context.Context, of subject, source, prompt string) (*implementation, error) {
	if strings.TrimSpace(source) != "" {
		c, err := check(ctx, s.kind.scripts(), s.names, of, source)
		if err != nil {
			return nil, err
		}
		if !c.Valid {
			return nil, c.refusal()
		}
		return implementationOf(c, prompt, "")
	}
	if strings.TrimSpace(prompt) == "" {
		return nil, missingScript()
	}
	return s.understand(ctx, of, prompt)
}

// understand lets the grammar write the script for a prompt. A prompt that it does
// not understand is left to the language model, if there is one.
func (s *writer) understand(ctx context.Context, of subject, prompt string) (*implementation, error) {
	c, draft, err := s.fromWords(ctx, of, s.kind.Kind, prompt)
	var strange *generate.NotUnderstood
	var failed *generate.Failure
	switch {
	case errors.As(err, &strange) && s.languageModel:
		return &implementation{name: nameOf(prompt), startRule: string(backtest.StartAllMembers), prompt: prompt}, nil
	case errors.As(err, &strange):
		return nil, notUnderstood(strange)
	case errors.As(err, &failed):
		return nil, promptProblems(failed.Problems)
	case err != nil:
		return nil, err
	}
	return implementationOf(c, prompt, draft.Generator)
}

// fromWords lets the grammar write a script of a kind for a prompt and checks it. If the
// prompt is at fault, the error is a *generate.NotUnderstood or a *generate.Failure.
func (s *writer) fromWords(ctx context.Context, of subject, kind *script.Kind, prompt string) (c *checked, draft *generate.Draft, err error) {
	draft, err = s.grammar.Generate(ctx, s.library(of), generate.Request{
		Kind: kind.Name, Prompt: prompt, Now: s.now(),
		Check: func(ctx context.Context, source string) (_ []dialect.Problem, err error) {
			if c, err = check(ctx, script.Kinds{kind}, s.names, of, source); err != nil {
				return nil, err
			}
			return c.Errors, nil
		},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("write a script for a prompt: %w", err)
	}
	return c, draft, nil
}

// library is what the prompts of an account can name.
func (s *writer) library(of subject) *library {
	l := &library{assets: s.names.assets, members: s.names.members, series: s.names.series, accountID: of.accountID}
	if of.model != nil {
		l.modelID = of.model.ID
	}
	return l
}

func implementationOf(c *checked, prompt, generator string) (*implementation, error) {
	p := c.script
	inputs, details := p.Bind(nil)
	if len(details) > 0 {
		return nil, fault.New(fault.InvalidScript, "The script's default inputs do not fit its own schema.").With(details...)
	}
	validation, err := json.Marshal(c.Validation)
	if err != nil {
		return nil, fmt.Errorf("encode validation: %w", err)
	}
	return &implementation{
		name: p.Name, symbol: p.Symbol, description: p.Description, startRule: string(p.Start), prompt: prompt,
		source: p.Source, hash: p.Hash, schema: c.InputsSchema, validation: validation, inputs: inputs.JSON(), entries: c.entries, generator: generator,
	}, nil
}

// build creates the rows of one attempt for a model.
func (i *implementation) build(m *Model, kind string, source Source, now time.Time) (*Build, *Run) {
	b := &Build{
		ID: id.New(id.Build), AccountID: m.AccountID, ProgramID: m.ID, Kind: kind, Status: RunQueued,
		Script: i.source, ScriptHash: i.hash, InputsSchema: i.schema, Prompt: i.prompt, Generator: i.generator,
		Validation: i.validation, Entries: i.entries, CreatedAt: now,
	}
	inputs := i.inputs
	if inputs == nil {
		inputs = json.RawMessage("{}")
	}
	return b, &Run{
		ID: id.New(id.Run), AccountID: m.AccountID, ProgramID: m.ID, BuildID: b.ID, Status: RunQueued, Publishes: true,
		Source: source, Inputs: inputs, ScriptHash: i.hash, HarnessVersion: script.HarnessVersion,
		Progress: Progress{Step: "queued"}, CreatedAt: now,
		Base: timeseries.NoDate, First: timeseries.NoDate, Last: timeseries.NoDate,
	}
}

// longestPromptName is the longest name made from a prompt, in characters.
const longestPromptName = 60

// nameOf derives a model's name from its prompt, until its script has a name.
func nameOf(prompt string) string {
	name := strings.Join(strings.Fields(prompt), " ")
	if !script.ValidName(name) && utf8.RuneCountInString(name) <= script.MaxName {
		return "Unnamed" // the prompt is a single word that names may not be
	}
	if utf8.RuneCountInString(name) <= longestPromptName {
		return name
	}
	short := string([]rune(name)[:longestPromptName])
	if space := strings.LastIndexByte(short, ' '); space > longestPromptName/2 {
		short = short[:space]
	}
	return short + "…"
}

func missingScript() error {
	const message = "is missing or empty"
	return fault.New(fault.InvalidBody, "Give the model's script, or a prompt that describes it.").With(
		fault.Detail{Field: "script", Message: message, Accepted: []string{"a script of the contract described at /docs/script-contract"}},
		fault.Detail{Field: "prompt", Message: message, Accepted: []string{"a description such as those at /docs/prompts"}},
	)
}

// notUnderstood describes which words of a prompt were not understood.
func notUnderstood(e *generate.NotUnderstood) error {
	kind, message := fault.UnknownMember, "The prompt names members that are neither assets nor your models; details list each. Nothing was stored."
	for _, w := range e.Words {
		if !w.Member {
			kind, message = fault.InvalidBody, "Parts of the prompt were not understood; details list each. Use other words, or send a script. Nothing was stored."
		}
	}
	if len(e.Words) == 0 {
		kind, message = fault.InvalidBody, "The prompt was not understood. Use other words, or send a script. Nothing was stored."
	}
	f := fault.New(kind, "%s", message)
	accepted := e.Accepted // once: they are about the whole prompt
	for _, w := range e.Words {
		d := fault.Detail{Field: "prompt", Message: w.Message, Suggestion: w.Suggestion}
		if w.Text != "" {
			d.Message = fmt.Sprintf("%q at character %d: %s", w.Text, w.Offset+1, w.Message)
		}
		if !w.Member {
			d.Accepted, accepted = accepted, nil
		}
		f.Details = append(f.Details, d)
	}
	if len(e.Words) == 0 {
		f.Details = append(f.Details, fault.Detail{Field: "prompt", Message: "was not understood", Accepted: e.Accepted})
	}
	return f
}

// promptProblems says why the script written for a prompt breaks the contract: the
// prompt names members that cannot be held.
func promptProblems(problems []Problem) error {
	f := fault.New(fault.ReferenceCycle, "The prompt asks for something that cannot be built; details name why. Nothing was stored.")
	for _, p := range problems {
		if p.Rule != dialect.RuleUniverse {
			f.Type = fault.InvalidBody
		}
		f.Details = append(f.Details, fault.Detail{Field: "prompt", Message: p.Message, Rule: p.Rule, Suggestion: p.Suggestion})
	}
	return f
}
