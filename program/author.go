package program

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ballast/billing"
	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/program/generate"
	"ballast/script/dialect"
)

// Author lets a language model write scripts for prompts that the grammar does not
// understand.
type Author struct {
	c AuthorConfig
}

// ScriptKeeper stores generated scripts.
type ScriptKeeper interface {
	// KeepScript stores the script that was generated for a build. If the build
	// already has a script, nothing changes. It returns fault.SymbolTaken as
	// CreateModel does.
	KeepScript(ctx context.Context, g *GeneratedScript) error
}

// AuthorConfig holds what NewAuthor needs.
type AuthorConfig struct {
	Scripts       ScriptKeeper
	Builds        BuildReader
	Members       ModelFinder
	Symbols       SymbolReader
	Assets        Assets
	Series        series.Reader
	LanguageModel generate.Generator // nil: every prompt is refused
	Prices        billing.Prices
}

// NewAuthor creates an Author.
func NewAuthor(c AuthorConfig) *Author { return &Author{c: c} }

func (a *Author) names() names {
	return names{a.c.Assets, a.c.Members, series.Finder{Reader: a.c.Series}}
}

// Write lets the language model write the script of a build from its prompt, and
// stores it. If the build is resumed, the stored script is used.
func (a *Author) Write(ctx context.Context, run *Run, build *Build, model *Model, progress func(step string, done, total int)) error {
	if a.c.LanguageModel == nil {
		return &RunFailure{Failure: Failure{
			Type:    "generation_failed",
			Message: "The worker has no language model configured to write a script from the prompt. Send a script, or rewrite the prompt with the phrases of /docs/prompts.",
		}}
	}
	request := generate.Request{
		Prompt:   build.Prompt,
		Check:    a.checkGenerated(model),
		Progress: func(round, rounds int) { progress("generate", round-1, rounds) },
	}
	if err := a.before(ctx, &request, build, model); err != nil {
		return err
	}
	library := &library{assets: a.c.Assets, members: a.c.Members, series: a.c.Series, accountID: model.AccountID, modelID: model.ID}
	draft, err := a.c.LanguageModel.Generate(ctx, library, request)
	if err != nil {
		return a.generationFailure(err)
	}
	c, err := check(ctx, ModelKind.scripts(), a.names(), subject{accountID: model.AccountID, model: model}, draft.Script)
	if err != nil {
		return err
	}
	if !c.Valid {
		return fmt.Errorf("the generator %s wrote a script that does not pass its checks: %v", draft.Generator, c.Errors[0])
	}
	return a.keepScript(ctx, run, build, model, c, draft)
}

// before adds to a request what the generator should know about earlier scripts: the
// script that the model serves or, if it serves nothing, the last script that failed
// and its error.
func (a *Author) before(ctx context.Context, r *generate.Request, build *Build, model *Model) error {
	if model.BuildID != build.ID {
		served, err := a.c.Builds.Build(ctx, model.BuildID)
		if err != nil {
			return err
		}
		r.Previous = served.Script
		return nil
	}
	if build.Kind == "create" {
		return nil
	}
	tried, _, err := a.c.Builds.Builds(ctx, model.ID, 2, 0)
	if err != nil {
		return err
	}
	for _, b := range tried {
		if b.ID == build.ID || b.Failure == nil {
			continue
		}
		failed, err := a.c.Builds.Build(ctx, b.ID)
		if err != nil {
			return err
		}
		r.Previous, r.Failure = failed.Script, failed.Failure.text()
		return nil
	}
	return nil
}

// text formats a failure for a generator.
func (f *Failure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.Type, f.Message)
	if f.Date != nil {
		fmt.Fprintf(&b, "\nOn the decision of %s.", *f.Date)
	}
	if f.Line != nil {
		fmt.Fprintf(&b, "\nIn line %d of the script.", *f.Line)
	}
	if f.Traceback != nil {
		b.WriteString("\n" + *f.Traceback)
	}
	return b.String()
}

// checkGenerated runs the static checks on a generated script. A symbol that another
// model has counts as a problem of the script, so that the generator can fix it.
func (a *Author) checkGenerated(model *Model) func(context.Context, string) ([]dialect.Problem, error) {
	return func(ctx context.Context, source string) ([]dialect.Problem, error) {
		c, err := check(ctx, ModelKind.scripts(), a.names(), subject{accountID: model.AccountID, model: model}, source)
		if err != nil {
			return nil, err
		}
		if !c.Valid || c.script.Symbol == "" {
			return c.Errors, nil
		}
		symbol := c.script.Symbol
		used, err := a.c.Symbols.SymbolsInUse(ctx, model.AccountID, []string{symbol})
		if err != nil {
			return nil, err
		}
		if owner, taken := used[symbol]; taken && owner != model.ID {
			return []dialect.Problem{{
				Rule: dialect.RuleConstantInvalid, Line: lineOf(source, "SYMBOL"), Column: 1, Text: symbol,
				Message: fmt.Sprintf("SYMBOL %s belongs to another model: choose another, or leave it out", symbol),
			}}, nil
		}
		return nil, nil
	}
}

// lineOf returns the line on which a constant is set, or 1 if it is not set.
func lineOf(source, constant string) int {
	for i, line := range strings.Split(source, "\n") {
		if strings.HasPrefix(line, constant) {
			return i + 1
		}
	}
	return 1
}

// keepScript stores a generated script and updates the given rows to match.
func (a *Author) keepScript(ctx context.Context, run *Run, build *Build, model *Model, c *checked, draft *generate.Draft) error {
	i, err := implementationOf(c, build.Prompt, draft.Generator)
	if err != nil {
		return err
	}
	g := &GeneratedScript{
		BuildID: build.ID, Script: i.source, ScriptHash: i.hash, InputsSchema: i.schema, Validation: i.validation,
		Entries: i.entries, Generator: i.generator, Usage: Usage{Tokens: draft.Tokens}, Inputs: i.inputs,
		Model: Identity{Name: i.name, Symbol: i.symbol, Description: i.description, StartRule: i.startRule},
	}
	if i.symbol != "" {
		err = a.c.Scripts.KeepScript(ctx, g)
	} else {
		err = withFreeSymbol(ctx, a.c.Assets, a.c.Symbols, model.AccountID, model.ID, i.name, func(symbol string) error {
			g.Model.Symbol = symbol
			return a.c.Scripts.KeepScript(ctx, g)
		})
	}
	if err != nil {
		var taken *fault.Error
		if errors.As(err, &taken) && taken.Type == fault.SymbolTaken {
			return &RunFailure{Failure: Failure{Type: "generation_failed", Message: taken.Message}, Usage: Usage{Tokens: draft.Tokens}}
		}
		return err
	}
	build.Script, build.ScriptHash, build.InputsSchema, build.Validation = g.Script, g.ScriptHash, g.InputsSchema, g.Validation
	build.Entries = g.Entries
	build.Generator, build.Usage, run.Inputs, run.ScriptHash = g.Generator, &g.Usage, g.Inputs, g.ScriptHash
	if build.ID == model.BuildID {
		g.Model.Yields = true
		*model = *model.With(&g.Model)
		model.Description = i.description
	}
	return nil
}

// generationFailure converts the failure of a generator to the failure of the run.
// Faults of the service are returned as they are.
func (a *Author) generationFailure(err error) error {
	var strange *generate.NotUnderstood
	if errors.As(err, &strange) {
		return &RunFailure{Failure: Failure{Type: "generation_failed", Message: strange.Error()}}
	}
	var failed *generate.Failure
	if !errors.As(err, &failed) {
		return fmt.Errorf("write a script for a prompt: %w", err)
	}
	f := Failure{Type: "generation_failed", Message: failed.Message}
	if len(failed.Problems) > 0 {
		var b strings.Builder
		for _, p := range failed.Problems {
			fmt.Fprintf(&b, "model.py:%s\n", p)
		}
		if failed.Script != "" {
			fmt.Fprintf(&b, "\n%s", failed.Script)
		}
		text := b.String()
		f.Traceback = &text
	}
	return &RunFailure{Failure: f, Usage: Metered(a.c.Prices, 0, failed.Tokens)}
}

// Tokens returns the language model's tokens for a build's script while the build is
// in progress. Later runs generate nothing and return 0.
func (b *Build) Tokens() int {
	if b.Usage == nil || b.Status.Ended() {
		return 0
	}
	return b.Usage.Tokens
}
