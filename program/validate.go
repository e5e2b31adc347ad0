package program

import (
	"context"
	"encoding/json"
	"fmt"

	"ballast/internal/fault"
	"ballast/script"
)

// Validate runs the static checks of a script; nothing runs, is stored or is metered.
func (s *Service) Validate(ctx context.Context, accountID, source string) (*Validation, error) {
	_, v, err := check(ctx, s.assets, s.store, accountID, "", source)
	return v, err
}

// check validates a script against the contract, the members that the account
// can name, and the models that hold the one that it is for, "" for a new one.
func check(ctx context.Context, assets Assets, store Store, accountID, modelID, source string) (*script.Program, *Validation, error) {
	r := &resolver{ctx: ctx, assets: assets, store: store, accountID: accountID, modelID: modelID}
	p, problems := script.Check(source, r)
	if r.err != nil {
		return nil, nil, r.err
	}
	v := &Validation{Valid: len(problems) == 0, HarnessVersion: script.HarnessVersion, Errors: problems}
	if !v.Valid {
		return nil, v, nil
	}
	schema, err := json.Marshal(p.Inputs)
	if err != nil {
		return nil, nil, fmt.Errorf("encode inputs schema: %w", err)
	}
	v.InputsSchema = schema
	return p, v, nil
}

func invalidScript(problems []Problem) error {
	return fault.New(fault.InvalidScript, "The script breaks the contract in %d place(s); details name each. Nothing was stored.", len(problems)).
		With(scriptDetails("body.script", problems)...)
}

// scriptDetails points at what is wrong with a script, which stands at location.
func scriptDetails(location string, problems []Problem) []fault.Detail {
	details := make([]fault.Detail, len(problems))
	for i, p := range problems {
		details[i] = fault.Detail{
			Location: location, Message: p.Message, Rule: p.Rule, Line: p.Line, Column: p.Column,
			Accepted: p.Accepted, Suggestion: p.Suggestion,
		}
	}
	return details
}
