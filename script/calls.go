package script

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"ballast/internal/nearest"
	"ballast/script/dialect"
	"ballast/script/harness"
	"ballast/script/internal/signature"
)

// call checks the arguments of a call to a harness function or a context
// method: too many, an unknown parameter, a parameter given twice, or a missing
// one. Arguments that are spread with * are checked only when the script runs.
func (c *checker) call(n *syntax.CallExpr, ctx *syntax.Ident) {
	s := c.callee(n.Fn, ctx)
	if s == nil {
		return
	}
	if s == harness.Signature(harness.OptimizeName) {
		c.nameOptimizer(n)
	}
	given := make([]bool, len(s.Parameters))
	position, spread := 0, false
	for _, arg := range n.Args {
		switch a := arg.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				spread = true
				continue
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				c.keyword(s, a.X.(*syntax.Ident), given)
				continue
			}
		}
		if position < len(given) {
			given[position] = true
		} else if position == len(given) {
			x := c.found.Add(dialect.RuleHarnessName, dialect.PlaceOfNode(arg), "%s takes at most %d %s: %s", s.Name, len(given), plural(len(given), "argument"), s)
			x.Text, x.Accepted = s.Name, []string{s.String()}
		}
		position++
	}
	for i, p := range s.Parameters {
		if p.Default == nil && !given[i] && !spread {
			x := c.found.Add(dialect.RuleHarnessName, dialect.PlaceOfNode(n.Fn), "%s needs %s: %s", s.Name, p.Name, s)
			x.Text, x.Accepted = s.Name, []string{s.String()}
		}
	}
}

// keyword checks the NAME of a keyword argument NAME=VALUE.
func (c *checker) keyword(s *signature.Signature, name *syntax.Ident, given []bool) {
	i := s.Index(name.Name)
	switch {
	case i < 0:
		x := c.found.Add(dialect.RuleHarnessName, dialect.PlaceOf(name.NamePos), "%s has no parameter %s: %s", s.Name, name.Name, s)
		x.Text, x.Accepted, x.Suggestion = name.Name, s.Names(), nearest.Match(name.Name, s.Names())
	case given[i]:
		x := c.found.Add(dialect.RuleHarnessName, dialect.PlaceOf(name.NamePos), "%s gets %s twice", s.Name, name.Name)
		x.Text, x.Accepted = name.Name, []string{s.String()}
	default:
		given[i] = true
	}
}

// callee returns the signature of the called function, or nil if it is not
// known.
func (c *checker) callee(fn syntax.Expr, ctx *syntax.Ident) *signature.Signature {
	switch f := fn.(type) {
	case *syntax.Ident:
		if i, ok := c.importOf(f); ok && i.Module == dialect.HarnessModule {
			return harness.SignatureIn(c.kind.Name, i.Name)
		}
	case *syntax.DotExpr:
		if refersTo(f.X, ctx) {
			return c.kind.Methods[f.Name.Name]
		}
	}
	return nil
}

// importOf returns the import that a name refers to.
func (c *checker) importOf(id *syntax.Ident) (dialect.Imported, bool) {
	if !c.isFree(id) {
		return dialect.Imported{}, false
	}
	i, ok := c.local[id.Name]
	return i, ok
}

// isFree reports whether the script binds the name nowhere itself.
func (c *checker) isFree(id *syntax.Ident) bool {
	b, bound := id.Binding.(*resolve.Binding)
	return bound && b.Scope == resolve.Predeclared
}

// isGlobal reports whether the script binds the name at top level.
func (c *checker) isGlobal(id *syntax.Ident) bool {
	b, bound := id.Binding.(*resolve.Binding)
	return bound && b.Scope == resolve.Global
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
