package script

import (
	"context"
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"ballast/internal/nearest"
	"ballast/optimize/optimizer"
	"ballast/script/dialect"
	"ballast/script/harness"
	"ballast/script/internal/signature"
	"ballast/script/internal/text"
)

// Optimizer is the kind of scripts that return weights for the members of a panel. Models
// call them by the name of an optimizer.
var Optimizer = &Kind{
	Name: "optimizer", EntryPoint: "optimize", Purpose: "returns the weights", NoUniverse: true,
	Context: []string{"bars_per_year", "current", "inputs", "log", "panel"}, Methods: map[string]*signature.Signature{logSignature.Name: logSignature},
}

var logSignature = contextMethods["log"]

// Rule is a script of the kind Optimizer that is called on the threads of others, and so
// within their limits. It belongs to one thread.
type Rule struct {
	script *Script
	inputs starlark.Value
	entry  *starlark.Function // nil before the first call
}

var _ harness.Allocator = (*Rule)(nil)

// NewRule returns a script of the kind Optimizer with values of its inputs.
func NewRule(p *Script, inputs Inputs) *Rule {
	return &Rule{script: p, inputs: newInputsValue(inputs)}
}

// Allocate returns the weights that the script chooses, in the order of the symbols. They
// are finite, but may break the limits of in.
func (r *Rule) Allocate(thread *starlark.Thread, in optimizer.Input) ([]float64, error) {
	if r.entry == nil {
		entry, err := r.script.load(thread)
		if err != nil {
			return nil, r.failure(err)
		}
		r.entry = entry
	}
	v, err := starlark.Call(thread, r.entry, starlark.Tuple{newRuleContext(r, thread, in)}, nil)
	if err != nil {
		return nil, r.failure(err)
	}
	return allocation(in.Symbols, v)
}

// failure names the line of the rule's script. The error does not wrap the interpreter's,
// whose lines would be taken for those of the caller's script.
func (r *Rule) failure(err error) error {
	var eval *starlark.EvalError
	if !errors.As(err, &eval) {
		return err
	}
	line := 0
	for _, frame := range eval.CallStack {
		if frame.Pos.Filename() == dialect.FileName {
			line = int(frame.Pos.Line)
		}
	}
	return fmt.Errorf("line %d of its script: %s", line, dialect.Explained(dialect.OfFunction(eval)))
}

// allocation reads what optimize returned. A symbol that is left out has the weight 0.
func allocation(symbols []string, v starlark.Value) ([]float64, error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("its script returned a %s; it must return a dictionary from the symbols of ctx.panel to weights", v.Type())
	}
	at := make(map[string]int, len(symbols))
	for i, s := range symbols {
		at[s] = i
	}
	weights := make([]float64, len(symbols))
	for _, item := range d.Items() {
		symbol, ok := starlark.AsString(item[0])
		if !ok {
			return nil, fmt.Errorf("its script returned the key %s; keys must be symbols", item[0])
		}
		i, ok := at[symbol]
		if !ok {
			message := fmt.Sprintf("its script returned a weight for %s, which is not in the panel", symbol)
			if near := nearest.Match(symbol, symbols); near != "" {
				message += "; did you mean " + near + "?"
			}
			return nil, errors.New(message)
		}
		w, err := weight(symbol, item[1])
		if err != nil {
			return nil, err
		}
		weights[i] = w
	}
	return weights, nil
}

// ruleContext is the ctx of optimize: the panel that the caller gives, and nothing else
// of the past.
type ruleContext struct {
	values starlark.StringDict
}

var _ starlark.HasAttrs = (*ruleContext)(nil)

func newRuleContext(r *Rule, thread *starlark.Thread, in optimizer.Input) *ruleContext {
	panel, current := starlark.NewDict(len(in.Symbols)), starlark.NewDict(len(in.Symbols))
	for i, s := range in.Symbols {
		// A string is hashable and the dictionaries are not frozen, so SetKey cannot fail.
		_ = panel.SetKey(starlark.String(s), harness.NewVector(in.Returns[i]))
		if w, held := in.Current[s]; held {
			_ = current.SetKey(starlark.String(s), starlark.Float(w))
		}
	}
	return &ruleContext{starlark.StringDict{
		"panel": panel, "current": current, "inputs": r.inputs, "bars_per_year": starlark.MakeInt(in.BarsPerYear),
		logSignature.Name: starlark.NewBuiltin(logSignature.Name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var value starlark.Value
			if err := logSignature.Unpack(args, kwargs, &value); err != nil {
				return nil, err
			}
			thread.Print(thread, text.Str(value))
			return starlark.None, nil
		}),
	}}
}

func (c *ruleContext) String() string        { return "ctx" }
func (c *ruleContext) Type() string          { return "context" }
func (c *ruleContext) Freeze()               {}
func (c *ruleContext) Truth() starlark.Bool  { return true }
func (c *ruleContext) Hash() (uint32, error) { return 0, errors.New("unhashable type: context") }
func (c *ruleContext) AttrNames() []string   { return Optimizer.Context }

// Attr returns a value or a method.
func (c *ruleContext) Attr(name string) (starlark.Value, error) { return c.values[name], nil }

// Allocate calls a script of the kind Optimizer once, on a thread of its own, and returns
// the weights with what the script wrote and the steps that it took. When ctx is done, the
// script ends at its next step. Errors are *RunError.
func Allocate(ctx context.Context, p *Script, inputs Inputs, in optimizer.Input, limits RunnerLimits) (weights []float64, log []string, steps uint64, err error) {
	m := newMachine(p, limits, func() string { return "" })
	defer context.AfterFunc(ctx, func() { m.Cancel(string(TimeLimit)) })()
	if err = m.start(); err != nil {
		return nil, m.Log(), m.Steps(), err
	}
	r := NewRule(p, inputs)
	v, err := starlark.Call(m.thread, m.entry, starlark.Tuple{newRuleContext(r, m.thread, in)}, nil)
	if err != nil {
		return nil, m.Log(), m.Steps(), m.failure(err)
	}
	if weights, err = allocation(in.Symbols, v); err != nil {
		return nil, m.Log(), m.Steps(), &RunError{Type: ScriptError, Message: err.Error()}
	}
	return weights, m.Log(), m.Steps(), nil
}
