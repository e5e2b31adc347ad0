package script

import (
	"go.starlark.net/syntax"

	"ballast/script/dialect"
	"ballast/script/harness"
)

// Call is a call of a harness function, with the arguments that inputs determine.
type Call struct {
	Function  string
	Arguments map[string]any // by parameter, as JSON has them; without those that are known only when the script runs
	Unknown   bool           // an argument that is given is known only then
}

// callTerm is a call in a script whose entry point returns a sum of calls.
type callTerm struct {
	function  string
	arguments map[string]syntax.Expr
}

// Sum returns the calls of harness functions whose sum the entry point returns, with
// arguments at these inputs, so that a page can say what the script does. It returns nil
// if the entry point does anything else.
func (p *Script) Sum(inputs map[string]any) []Call {
	calls := make([]Call, 0, len(p.sum))
	for _, term := range p.sum {
		call := Call{Function: term.function, Arguments: map[string]any{}}
		for name, e := range term.arguments {
			if v, ok := p.known(e, inputs); ok {
				call.Arguments[name] = v
			} else {
				call.Unknown = true
			}
		}
		calls = append(calls, call)
	}
	return calls
}

// sum finds the calls whose sum the entry point returns.
func (c *checker) sum() []callTerm {
	body := c.entry.Body
	if len(body) > 0 {
		if s, ok := body[0].(*syntax.ExprStmt); ok {
			if l, ok := s.X.(*syntax.Literal); ok && l.Token == syntax.STRING { // a docstring
				body = body[1:]
			}
		}
	}
	if len(body) != 1 {
		return nil
	}
	returned, ok := body[0].(*syntax.ReturnStmt)
	if !ok || returned.Result == nil {
		return nil
	}
	parts := []syntax.Expr{returned.Result}
	if sum, ok := returned.Result.(*syntax.BinaryExpr); ok && sum.Op == syntax.PLUS {
		parts = terms(sum)
	}
	var calls []callTerm
	for _, part := range parts {
		term, ok := c.term(part)
		if !ok {
			return nil
		}
		calls = append(calls, term)
	}
	return calls
}

// term reads a call of a harness function for scripts of this kind alone, which has the
// context as its first argument.
func (c *checker) term(e syntax.Expr) (callTerm, bool) {
	call, ok := e.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || !refersTo(call.Args[0], c.entry.Params[0].(*syntax.Ident)) {
		return callTerm{}, false
	}
	name, ok := call.Fn.(*syntax.Ident)
	if !ok {
		return callTerm{}, false
	}
	imported, ok := c.importOf(name)
	if !ok || imported.Module != dialect.HarnessModule || !harness.OfKind(c.kind.Name, imported.Name) {
		return callTerm{}, false
	}
	parameters := harness.SignatureIn(c.kind.Name, imported.Name).Parameters
	term := callTerm{imported.Name, map[string]syntax.Expr{}}
	for i, arg := range call.Args[1:] {
		switch a := arg.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				return callTerm{}, false
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				term.arguments[a.X.(*syntax.Ident).Name] = a.Y
				continue
			}
		}
		if i+1 >= len(parameters) {
			return callTerm{}, false
		}
		term.arguments[parameters[i+1].Name] = arg
	}
	return term, true
}

// known evaluates an expression of literals, inputs and arithmetic.
func (p *Script) known(e syntax.Expr, inputs map[string]any) (any, bool) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return p.known(e.X, inputs)
	case *syntax.DotExpr:
		holder, ok := e.X.(*syntax.DotExpr)
		if !ok || holder.Name.Name != "inputs" || !refersTo(holder.X, p.context) {
			return nil, false
		}
		v, ok := inputs[e.Name.Name]
		return v, ok
	case *syntax.UnaryExpr:
		v, ok := p.known(e.X, inputs)
		x, number := v.(float64)
		return -x, ok && number && e.Op == syntax.MINUS
	case *syntax.BinaryExpr:
		return p.arithmetic(e, inputs)
	case *syntax.ListExpr:
		list := make([]any, len(e.List))
		for i, item := range e.List {
			var ok bool
			if list[i], ok = p.known(item, inputs); !ok {
				return nil, false
			}
		}
		return list, true
	case *syntax.DictExpr:
		return p.dictionary(e, inputs)
	}
	l, err := fold(e)
	if err != nil {
		return nil, false
	}
	if n, whole := l.value.(int64); whole {
		return float64(n), true
	}
	return l.value, true
}

func (p *Script) dictionary(e *syntax.DictExpr, inputs map[string]any) (any, bool) {
	values := map[string]any{}
	for _, item := range e.List {
		entry := item.(*syntax.DictEntry)
		key, err := fold(entry.Key)
		name, text := key.value.(string)
		v, ok := p.known(entry.Value, inputs)
		if err != nil || !text || !ok {
			return nil, false
		}
		values[name] = v
	}
	return values, true
}

func (p *Script) arithmetic(e *syntax.BinaryExpr, inputs map[string]any) (any, bool) {
	left, leftKnown := p.known(e.X, inputs)
	right, rightKnown := p.known(e.Y, inputs)
	x, number := left.(float64)
	y, both := right.(float64)
	if !leftKnown || !rightKnown || !number || !both {
		return nil, false
	}
	switch e.Op {
	case syntax.PLUS:
		return x + y, true
	case syntax.MINUS:
		return x - y, true
	case syntax.STAR:
		return x * y, true
	case syntax.SLASH:
		return x / y, y != 0
	}
	return nil, false
}

// Harness returns the names of the harness functions that the script imports, in order.
func (p *Script) Harness() []string {
	var names []string
	for _, i := range p.imports {
		if i.Module == dialect.HarnessModule && i.Name != "" {
			names = append(names, i.Name)
		}
	}
	return names
}
