package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"ballast/internal/nearest"
	"ballast/optimize/optimizer"
)

// OptimizeName is the name of the function that uses an optimizer. Its first argument
// must be a literal, so that a run knows beforehand what to read.
const OptimizeName = "optimize"

// optimizing is the function of models.
var optimizing = map[string]definition{OptimizeName: {"name, panel, current=None", useOptimizer}}

// Optimizers are the optimizers that a script may use, and what it has used of them. They
// belong to one run.
type Optimizers struct {
	barsPerYear int
	rules       map[string]*rule // by upper-case name
	names       []string
}

type rule struct {
	definition optimizer.Definition
	allocator  Allocator // nil unless a script returns the weights
	use        OptimizerUse
}

// OptimizerUse is what a run has used of an optimizer.
type OptimizerUse struct {
	Name      string  `cbor:"name"`
	Solves    int     `cbor:"solves"`
	Fallbacks int     `cbor:"fallbacks"`
	Residual  float64 `cbor:"residual"` // the worst of the certificates; for a script, by how much a limit was broken
}

// Allocator returns the weights of an optimizer that is a script.
type Allocator interface {
	// Allocate calls the script on a thread. The weights are finite and in the order of
	// the input's symbols, and may break its limits.
	Allocate(thread *starlark.Thread, in optimizer.Input) ([]float64, error)
}

// NewOptimizers reads definitions in JSON, by name. scripted prepares those that are
// scripts.
func NewOptimizers(definitions map[string]json.RawMessage, barsPerYear int, scripted func(optimizer.Definition) (Allocator, error)) (*Optimizers, error) {
	o := &Optimizers{barsPerYear: barsPerYear, rules: make(map[string]*rule, len(definitions))}
	for name, text := range definitions {
		r := &rule{use: OptimizerUse{Name: name}}
		if err := json.Unmarshal(text, &r.definition); err != nil {
			return nil, fmt.Errorf("read the optimizer %s: %w", name, err)
		}
		if details := r.definition.Check(); len(details) > 0 {
			return nil, fmt.Errorf("the optimizer %s: %s %s", name, details[0].Field, details[0].Message)
		}
		if r.definition.Objective == optimizer.Scripted {
			var err error
			if r.allocator, err = scripted(r.definition); err != nil {
				return nil, fmt.Errorf("the optimizer %s: %w", name, err)
			}
		}
		o.rules[strings.ToUpper(name)] = r
		o.names = append(o.names, name)
	}
	return o, nil
}

const optimizersKey = "harness.optimizers"

// Attach lets the scripts of a thread use the optimizers.
func (o *Optimizers) Attach(thread *starlark.Thread) { thread.SetLocal(optimizersKey, o) }

// Uses returns what was used, by name.
func (o *Optimizers) Uses() map[string]OptimizerUse {
	uses := make(map[string]OptimizerUse, len(o.rules))
	for _, r := range o.rules {
		uses[r.use.Name] = r.use
	}
	return uses
}

// optimize(name, panel, current=None) returns the weights of the account's optimizer with
// this name for the members of panel, a dictionary of returns as ctx.panel gives it.
// current has the weights that are held, such as ctx.weights, for limits of turnover. A
// cap of the weights is a constraint of the problem.
func useOptimizer(c call) (starlark.Value, error) {
	var name string
	var v, current starlark.Value
	if err := c.unpack(&name, &v, &current); err != nil {
		return nil, err
	}
	known, _ := c.thread.Local(optimizersKey).(*Optimizers)
	if known == nil || known.rules[strings.ToUpper(name)] == nil {
		var near string
		if known != nil {
			near = nearest.Match(name, known.names)
		}
		if near != "" {
			return nil, c.errorf("there is no optimizer %q; did you mean %s?", name, near)
		}
		return nil, c.errorf("there is no optimizer %q", name)
	}
	r := known.rules[strings.ToUpper(name)]
	p, err := c.panel("panel", v)
	if err != nil {
		return nil, err
	}
	in := optimizer.Input{Symbols: p.symbols, Returns: p.columns, BarsPerYear: known.barsPerYear}
	if current != starlark.None {
		k, err := c.numbers("current", current)
		if err != nil {
			return nil, err
		}
		in.Current = make(map[string]float64, len(k.symbols))
		for i, s := range k.symbols {
			in.Current[s] = k.values[i]
		}
	}
	bounded := r.definition.Bounded(in)
	if r.allocator != nil {
		return r.allocate(c, bounded)
	}
	b := bounds{symbols: p.symbols, lower: bounded.Lower, upper: bounded.Upper, total: bounded.Total}
	return c.optimum(b, func(c call, b bounds) ([]float64, error) {
		in.Lower, in.Upper, in.Total = b.lower, b.upper, b.total
		return r.solve(c, in)
	})
}

// solve returns the weights, or those of the fallback if there are none.
func (r *rule) solve(c call, in optimizer.Input) ([]float64, error) {
	a, err := r.definition.Solve(in)
	var unsolved *optimizer.Error
	switch {
	case err == nil:
		r.use.Solves++
		r.use.Residual = max(r.use.Residual, a.Residual)
		return a.Weights, nil
	case !errors.As(err, &unsolved):
		return nil, err
	case r.definition.Fallback == optimizer.FallbackError:
		return nil, c.errorf("%s has no answer: %s", r.use.Name, unsolved.Message)
	}
	return r.instead(in), nil
}

// allocate returns the weights of a script as a plain dictionary, because there is no
// problem that a cap could limit.
func (r *rule) allocate(c call, in optimizer.Input) (starlark.Value, error) {
	if len(in.Symbols) == 0 {
		return starlark.NewDict(0), nil
	}
	w, err := r.allocator.Allocate(c.thread, in)
	if err != nil {
		return nil, c.errorf("%s: %v", r.use.Name, err)
	}
	violation, _, err := r.definition.Judge(in, w)
	switch {
	case err == nil:
		r.use.Solves++
		r.use.Residual = max(r.use.Residual, violation)
	case r.definition.Fallback == optimizer.FallbackError:
		return nil, c.errorf("%s breaks its limits: %v", r.use.Name, err)
	default:
		w = r.instead(in)
	}
	return c.dict(keyed{in.Symbols, w})
}

// instead returns the weights of the fallback.
func (r *rule) instead(in optimizer.Input) []float64 {
	r.use.Fallbacks++
	w := make([]float64, len(in.Symbols))
	for i, s := range in.Symbols {
		w[i] = 1 / float64(len(in.Symbols))
		if r.definition.Fallback == optimizer.FallbackHold {
			w[i] = in.Current[s]
		}
	}
	return w
}
