package execution

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ballast/optimize/optimizer"
	"ballast/program"
	"ballast/program/optimizers"
	"ballast/script/sandbox"
)

// rules pins the current versions of the optimizers that a script names, and returns
// their definitions by name. What the tags of their groups mean is pinned with them.
func (e *Executor) rules(ctx context.Context, c *computation, accountID string, names, entries []string) (map[string]json.RawMessage, error) {
	if len(names) == 0 {
		return nil, nil
	}
	upper := make([]string, len(names))
	for i, name := range names {
		upper[i] = strings.ToUpper(name)
	}
	found, err := e.optimizers.OptimizersByName(ctx, accountID, upper)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		o := found[upper[i]]
		if o == nil {
			return nil, program.DataError("The script uses the optimizer %q, which does not exist. Create it, or name another in the script.", name)
		}
		c.optimizers = append(c.optimizers, pinnedRule{o, optimizers.Resolve(&o.Definition, entries, c.members.assets)})
	}
	return definitionsOf(c.optimizers)
}

// pinnedRule is the version of an optimizer that a run uses, with what its tags mean.
type pinnedRule struct {
	*optimizers.Optimizer
	tags []optimizer.Tagged
}

func definitionsOf(list []pinnedRule) (map[string]json.RawMessage, error) {
	definitions := make(map[string]json.RawMessage, len(list))
	for _, o := range list {
		text, err := json.Marshal(o.Definition.Resolve(o.tags))
		if err != nil {
			return nil, fmt.Errorf("encode the optimizer %s: %w", o.ID, err)
		}
		definitions[o.Name] = text
	}
	return definitions, nil
}

// used says what a run has used of its optimizers; nil if its script names none.
func used(c *computation, outcome *sandbox.Outcome) *[]program.OptimizerUse {
	if len(c.optimizers) == 0 {
		return nil
	}
	uses := make([]program.OptimizerUse, len(c.optimizers))
	for i, o := range c.optimizers {
		u := outcome.Optimizers[o.Name]
		uses[i] = program.OptimizerUse{ID: o.ID, Name: o.Name, Version: o.Version, Solves: u.Solves, Fallbacks: u.Fallbacks, Tags: o.tags}
		if o.Definition.Objective == optimizer.Scripted {
			uses[i].Certificate, uses[i].WorstViolation = program.CertifiedFeasible, &u.Residual
		} else {
			uses[i].Certificate, uses[i].WorstKKTResidual = program.CertifiedBest, &u.Residual
		}
	}
	return &uses
}

// usedRules reads the versions of the optimizers that a run has used.
func (e *Executor) usedRules(ctx context.Context, run *program.Run) (map[string]json.RawMessage, error) {
	if run.Summary == nil || run.Summary.Optimizers == nil {
		return nil, nil
	}
	var list []pinnedRule
	for _, u := range *run.Summary.Optimizers {
		o, err := e.optimizers.OptimizerVersion(ctx, u.ID, u.Version)
		if err != nil {
			return nil, err
		}
		o.Name = u.Name
		list = append(list, pinnedRule{o, u.Tags})
	}
	return definitionsOf(list)
}
