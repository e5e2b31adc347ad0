package simulation

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script"
	"ballast/script/harness"
	"ballast/script/internal/signature"
	"ballast/script/internal/text"
	"ballast/simulate"
)

// pathContext is the ctx of simulate: the past of one path up to a step. Each worker
// has one; begin points it at the step of a path.
type pathContext struct {
	run     *scripted
	state   *simulate.State
	memory  *memory
	path    int // 0 is the first of the run
	rules   int // rules called in this step so far
	methods map[string]starlark.Value
	caller  *script.Caller
}

var (
	_ starlark.HasAttrs = (*pathContext)(nil)
	_ harness.Payer     = (*pathContext)(nil)
)

// memory is what is remembered of a path between two steps.
type memory struct {
	first, last float64 // money of the first and of the last step
	rules       []simulate.Memory
}

// attributes are those of ctx. A value has the function that computes it; a method
// has nil.
var attributes = map[string]func(c *pathContext) starlark.Value{
	"step":        func(c *pathContext) starlark.Value { return starlark.MakeInt(c.state.Month / c.state.StepMonths) },
	"years_left":  func(c *pathContext) starlark.Value { return starlark.Float(c.state.YearsLeft()) },
	"value":       func(c *pathContext) starlark.Value { return starlark.Float(c.state.Value) },
	"real_value":  func(c *pathContext) starlark.Value { return starlark.Float(c.state.Value / c.state.Price) },
	"start_value": func(c *pathContext) starlark.Value { return starlark.Float(c.state.StartValue) },
	"peak":        func(c *pathContext) starlark.Value { return starlark.Float(c.state.Peak) },
	"inflation":   func(c *pathContext) starlark.Value { return starlark.Float(c.state.Inflation) },
	"price_level": func(c *pathContext) starlark.Value { return starlark.Float(c.state.Price) },
	"inputs":      func(c *pathContext) starlark.Value { return c.run.inputs },
	"weights":     (*pathContext).weights,
	"first_withdrawal": func(c *pathContext) starlark.Value {
		return c.afterFirst(c.memory.first)
	},
	"last_withdrawal": func(c *pathContext) starlark.Value {
		return c.afterFirst(c.memory.last)
	},
	"log":     nil,
	"record":  nil,
	"returns": nil,
}

// methods are the methods of ctx with their signatures.
var methods = map[string]*signature.Signature{
	"log":     signature.New("log", "text"),
	"record":  signature.New("record", "name, value"),
	"returns": signature.New("returns", "n=None"),
}

var contextList = slices.Sorted(maps.Keys(attributes))

func newContext(run *scripted, caller *script.Caller) *pathContext {
	c := &pathContext{run: run, caller: caller}
	c.methods = map[string]starlark.Value{
		"log":     starlark.NewBuiltin("log", c.log),
		"record":  starlark.NewBuiltin("record", c.record),
		"returns": starlark.NewBuiltin("returns", c.returns),
	}
	return c
}

// begin points the context at a step of a path.
func (c *pathContext) begin(path int, s *simulate.State, m *memory) {
	c.path, c.state, c.memory, c.rules = path, s, m, 0
}

func (c *pathContext) String() string        { return "ctx" }
func (c *pathContext) Type() string          { return "context" }
func (c *pathContext) Freeze()               {}
func (c *pathContext) Truth() starlark.Bool  { return true }
func (c *pathContext) Hash() (uint32, error) { return 0, errors.New("unhashable type: context") }
func (c *pathContext) AttrNames() []string   { return contextList }

// Attr returns a value or a method.
func (c *pathContext) Attr(name string) (starlark.Value, error) {
	f, ok := attributes[name]
	switch {
	case !ok:
		return nil, nil
	case f == nil:
		return c.methods[name], nil
	}
	return f(c), nil
}

// afterFirst returns money of an earlier step, or None in the first.
func (c *pathContext) afterFirst(money float64) starlark.Value {
	if c.state.Month == 0 {
		return starlark.None
	}
	return starlark.Float(money)
}

// weights are what the members make up of the value, by symbol.
func (c *pathContext) weights() starlark.Value {
	weights := c.state.Weights
	if c.state.Month == 0 {
		weights = c.run.plan.Weights
	}
	d := starlark.NewDict(len(weights))
	for i, w := range weights {
		// A string is hashable and the dictionary is not frozen, so SetKey cannot fail.
		_ = d.SetKey(starlark.String(c.run.plan.Months.Keys[i]), starlark.Float(w))
	}
	return d
}

// Pay returns a rule's money.
func (c *pathContext) Pay(rule simulate.Rule) (starlark.Value, error) {
	if c.rules == maxRules {
		return nil, fmt.Errorf("simulate calls more than %d rules in a step", maxRules)
	}
	if c.rules == len(c.memory.rules) {
		c.memory.rules = append(c.memory.rules, simulate.Memory{})
	}
	money := rule.Pay(c.state, &c.memory.rules[c.rules])
	c.rules++
	return starlark.Float(money), nil
}

// maxRules is how many rules a step may call.
const maxRules = 64

// log is ctx.log(value). Only what the first path logs is kept.
func (c *pathContext) log(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var value starlark.Value
	if err := methods[b.Name()].Unpack(args, kwargs, &value); err != nil {
		return nil, err
	}
	c.caller.Print(text.Str(value))
	return starlark.None, nil
}

// returns is ctx.returns(n): the plan's last n monthly returns before fees, all of
// them without n.
func (c *pathContext) returns(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var n starlark.Value
	if err := methods[b.Name()].Unpack(args, kwargs, &n); err != nil {
		return nil, err
	}
	past := c.state.Past
	if n != starlark.None {
		most, err := starlark.AsInt32(n)
		if err != nil || most < 1 {
			return nil, fmt.Errorf("returns: n is %s; it must be a number of months from 1", n)
		}
		past = past[max(0, len(past)-most):]
	}
	return harness.NewVector(slices.Clone(past)), nil
}

// record is ctx.record(name, value): a number of the path in this step. The table
// recorded shows how it lies over all paths.
func (c *pathContext) record(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	var value starlark.Value
	if err := methods[b.Name()].Unpack(args, kwargs, &name, &value); err != nil {
		return nil, err
	}
	v := math.NaN()
	switch x := value.(type) {
	case starlark.NoneType:
	case starlark.Bool:
		if v = 0; x {
			v = 1
		}
	default:
		f, ok := starlark.AsFloat(value)
		if !ok || math.IsInf(f, 0) {
			return nil, fmt.Errorf("record: the value of %s is %s; it must be a finite number, True, False or None", name, value)
		}
		v = f
	}
	return starlark.None, c.run.records.put(name, c.state.Month/c.state.StepMonths, c.path, v)
}
