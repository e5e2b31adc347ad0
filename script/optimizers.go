package script

import (
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"ballast/script/dialect"
	"ballast/script/harness"
)

// OptimizerResolver is a Resolver that knows which optimizers exist.
type OptimizerResolver interface {
	// Optimizers returns those of names that do not exist.
	Optimizers(names []string) map[string]Unresolved
}

// namedOptimizer is an optimizer that a call names.
type namedOptimizer struct {
	name string
	at   dialect.Place
}

// nameOptimizer records the optimizer that a call of optimize names. The name must be a
// literal, because what a run reads is known before it starts.
func (c *checker) nameOptimizer(n *syntax.CallExpr) {
	var first syntax.Expr
	for i, arg := range n.Args {
		if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			if id, ok := named.X.(*syntax.Ident); ok && id.Name == "name" {
				first = named.Y
			}
		} else if i == 0 {
			first = arg
		}
	}
	if first == nil {
		return // the call lacks an argument, which is reported
	}
	text, ok := first.(*syntax.Literal)
	if !ok || text.Token != syntax.STRING {
		x := c.found.Add(dialect.RuleHarnessName, dialect.PlaceOfNode(first), "%s needs the name of an optimizer as a literal text, such as %s(\"LOWVOL\", panel), so that it is known before the script runs", harness.OptimizeName, harness.OptimizeName)
		x.Text = harness.OptimizeName
		return
	}
	c.named = append(c.named, namedOptimizer{text.Value.(string), dialect.PlaceOfNode(first)})
}

// optimizersKnown lists the optimizers that the script names, and reports those that do
// not exist.
func (c *checker) optimizersKnown(p *Script, resolver Resolver) {
	for _, o := range c.named {
		if !slices.ContainsFunc(p.Optimizers, func(name string) bool { return strings.EqualFold(name, o.name) }) {
			p.Optimizers = append(p.Optimizers, o.name)
		}
	}
	known, ok := resolver.(OptimizerResolver)
	if !ok || len(p.Optimizers) == 0 {
		return
	}
	unknown := known.Optimizers(p.Optimizers)
	for _, o := range c.named {
		for name, u := range unknown {
			if strings.EqualFold(name, o.name) {
				x := c.found.Add(dialect.RuleHarnessName, o.at, "you have no optimizer %q: create it with POST /v1/optimizers, or name another", o.name)
				x.Text, x.Suggestion, x.Accepted = o.name, u.Suggestion, u.Accepted
			}
		}
	}
}
