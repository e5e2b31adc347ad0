package program

import (
	"context"
	"encoding/json"
	"fmt"

	"ballast/catalog/series"
	"ballast/internal/fault"
	"ballast/script"
	"ballast/script/dialect"
)

// Validate runs the static checks of a script. Nothing is run, stored or metered.
func (s *Builder) Validate(ctx context.Context, accountID, source string) (*Validation, error) {
	c, err := check(ctx, s.writer.known, s.writer.names, subject{accountID: accountID}, source)
	if err != nil {
		return nil, err
	}
	return c.Validation, nil
}

// subject is the account and model that a script is checked for.
type subject struct {
	accountID string
	model     *Model  // nil for a new one
	kept      Entries // stored meanings of entries, which decide
}

// names finds what scripts refer to by name.
type names struct {
	assets  Assets
	members ModelFinder
	series  series.Finder
}

// checked is a script with the result of its checks.
type checked struct {
	*Validation
	script  *script.Script // nil if the script is not valid
	entries Entries        // what its universe means
	taken   error          // set if the only problem is that an asset has its symbol
}

// check validates a script against the contract, the members that the account can
// name, and the models that would make it hold itself.
func check(ctx context.Context, kinds script.Kinds, n names, of subject, source string) (*checked, error) {
	leave, err := turnToCheck(ctx, of.accountID, len(source))
	if err != nil {
		return nil, err
	}
	defer leave()
	r := &resolver{ctx: ctx, names: n, accountID: of.accountID, kept: of.kept}
	if of.model != nil {
		r.modelID, r.symbol = of.model.ID, of.model.Symbol
	}
	p, problems := kinds.Check(source, r)
	if r.err != nil {
		return nil, r.err
	}
	c := &checked{Validation: &Validation{Valid: len(problems) == 0, HarnessVersion: script.HarnessVersion, Errors: problems}, entries: r.entries}
	if !c.Valid {
		if len(problems) == 1 && problems[0].Rule == dialect.RuleSymbol {
			c.taken = r.taken.With(scriptDetails(problems)...)
		}
		return c, nil
	}
	schema, err := json.Marshal(p.Inputs)
	if err != nil {
		return nil, fmt.Errorf("encode inputs schema: %w", err)
	}
	c.script, c.InputsSchema, c.Kind, c.Optimizers = p, schema, p.Kind.Name, p.Optimizers
	return c, nil
}

// CheckScript checks a script of a kind that names nothing of the account.
// fault.InvalidScript.
func CheckScript(ctx context.Context, accountID string, kind *script.Kind, source string) (*script.Script, error) {
	leave, err := turnToCheck(ctx, accountID, len(source))
	if err != nil {
		return nil, err
	}
	defer leave()
	p, problems := script.Kinds{kind}.Check(source, nil)
	if len(problems) > 0 {
		return nil, invalidScript(problems)
	}
	return p, nil
}

// refusal is the error for an invalid script. If the only problem is the symbol, it
// says who has the symbol.
func (c *checked) refusal() error {
	if c.taken != nil {
		return c.taken
	}
	return invalidScript(c.Errors)
}

func invalidScript(problems []Problem) error {
	return fault.New(fault.InvalidScript, "The script breaks the contract in %d place(s); details name each. Nothing was stored.", len(problems)).
		With(scriptDetails(problems)...)
}

// scriptDetails converts problems of a script to details.
func scriptDetails(problems []Problem) []fault.Detail {
	details := make([]fault.Detail, len(problems))
	for i, p := range problems {
		details[i] = fault.Detail{
			Field: "script", Message: p.Message, Rule: p.Rule, Line: p.Line, Column: p.Column,
			Accepted: p.Accepted, Suggestion: p.Suggestion,
		}
	}
	return details
}
