package simulation

import (
	"errors"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script"
	"ballast/script/harness"
	"ballast/simulate"
)

// traced decides without the script: by a term that one call of it has given. A script
// without branches that reads nothing of its path but what rules of the harness return
// does the same in each step, so its arithmetic is known after one call.
type traced struct{ term term }

var _ simulate.Decider = (*traced)(nil)

// Decide computes the term.
func (d *traced) Decide(_, path int, s *simulate.State) (simulate.Decision, error) {
	return simulate.Decision{Money: d.term.money(path, s)}, nil
}

// term is a number that a step computes.
type term interface {
	money(path int, s *simulate.State) float64
}

type constantTerm float64

func (c constantTerm) money(int, *simulate.State) float64 { return float64(c) }

// ruleTerm is the k-th rule that a step calls, with its memory of each path.
type ruleTerm struct{ *simulate.Ruled }

func (r ruleTerm) money(path int, s *simulate.State) float64 {
	d, _ := r.Decide(0, path, s) // a rule has no errors
	return d.Money
}

type sumTerm struct{ x, y term }

func (t sumTerm) money(path int, s *simulate.State) float64 {
	return t.x.money(path, s) + t.y.money(path, s)
}

type differenceTerm struct{ x, y term }

func (t differenceTerm) money(path int, s *simulate.State) float64 {
	return t.x.money(path, s) - t.y.money(path, s)
}

type productTerm struct{ x, y term }

func (t productTerm) money(path int, s *simulate.State) float64 {
	return t.x.money(path, s) * t.y.money(path, s)
}

// trace calls the script once, with a context that knows nothing of a path. It returns
// nil if the script needs more than that: then it has to be called for every step.
func trace(caller *script.Caller, in script.Inputs, paths int) *traced {
	p := caller.Script()
	if p.Branches || p.Mentions["weights"] {
		return nil
	}
	for _, compares := range []string{"count", "index", "remove"} { // as methods of lists
		if p.Reads[compares] {
			return nil
		}
	}
	own, err := caller.Fork() // silent, and its failure is not that of the run
	if err != nil {
		return nil
	}
	c := &tracingContext{inputs: script.InputsValue(in), paths: paths}
	v, err := own.Try(c)
	if err != nil || c.lost {
		return nil
	}
	t := termOf(v)
	if t == nil {
		return nil
	}
	return &traced{t}
}

// termOf returns the term of a value, or nil if it is none.
func termOf(v starlark.Value) term {
	switch v := v.(type) {
	case *unknown:
		return v.term
	case starlark.Int, starlark.Float:
		x, _ := starlark.AsFloat(v)
		return constantTerm(x)
	}
	return nil
}

// tracingContext is the ctx of the one call.
type tracingContext struct {
	inputs starlark.Value
	paths  int
	lost   bool // the script has used something that differs between paths or steps
}

var (
	_ starlark.HasAttrs = (*tracingContext)(nil)
	_ harness.Payer     = (*tracingContext)(nil)
)

func (c *tracingContext) String() string        { c.lost = true; return "ctx" }
func (c *tracingContext) Type() string          { return "context" }
func (c *tracingContext) Freeze()               {}
func (c *tracingContext) Truth() starlark.Bool  { c.lost = true; return true }
func (c *tracingContext) Hash() (uint32, error) { return 0, errUnknown }
func (c *tracingContext) AttrNames() []string   { return contextList }

var errUnknown = errors.New("not known before the path is")

// Attr knows the inputs alone.
func (c *tracingContext) Attr(name string) (starlark.Value, error) {
	if name == "inputs" {
		return c.inputs, nil
	}
	c.lost = true
	return nil, errUnknown
}

// Pay returns a rule's money as a term.
func (c *tracingContext) Pay(rule simulate.Rule) (starlark.Value, error) {
	return &unknown{c, ruleTerm{simulate.NewRuled(rule, c.paths)}}, nil
}

// unknown is a number that differs between paths and steps.
type unknown struct {
	ctx  *tracingContext
	term term
}

var (
	_ starlark.HasBinary = (*unknown)(nil)
	_ starlark.HasUnary  = (*unknown)(nil)
)

func (u *unknown) String() string        { u.ctx.lost = true; return "" }
func (u *unknown) Type() string          { return "float" }
func (u *unknown) Freeze()               {}
func (u *unknown) Truth() starlark.Bool  { u.ctx.lost = true; return true }
func (u *unknown) Hash() (uint32, error) { return 0, errUnknown }

// Binary adds, subtracts and multiplies as the interpreter does with floats.
func (u *unknown) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	left, right := u.term, termOf(y)
	if right == nil {
		return nil, errUnknown
	}
	if side == starlark.Right {
		left, right = right, left
	}
	switch op {
	case syntax.PLUS:
		return &unknown{u.ctx, sumTerm{left, right}}, nil
	case syntax.MINUS:
		return &unknown{u.ctx, differenceTerm{left, right}}, nil
	case syntax.STAR:
		return &unknown{u.ctx, productTerm{left, right}}, nil
	}
	return nil, errUnknown
}

// Unary negates.
func (u *unknown) Unary(op syntax.Token) (starlark.Value, error) {
	if op == syntax.MINUS {
		return &unknown{u.ctx, productTerm{constantTerm(-1), u.term}}, nil
	}
	return nil, errUnknown
}
