package script

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/internal/nearest"
	"ballast/script/dialect"
	"ballast/script/harness"
)

// undefined reports the first use of each name that is not defined.
func (c *checker) undefined(known func(string) bool) {
	seen := make(map[string]bool)
	var visible []string
	syntax.Walk(c.file, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok {
			return true
		}
		b, bound := id.Binding.(*resolve.Binding)
		if !bound || b.Scope != resolve.Predeclared || known(id.Name) || seen[id.Name] {
			return true
		}
		seen[id.Name] = true
		if visible == nil {
			visible = c.visible(known)
		}
		if len(c.found.List) < dialect.MaxProblems {
			c.unresolved(id.Name, dialect.PlaceOf(id.NamePos), visible)
		}
		return true
	})
}

// unresolved reports a name that is not defined; visible are the names that
// are.
func (c *checker) unresolved(name string, at dialect.Place, visible []string) {
	if r, ok := dialect.RefusedNames[name]; ok {
		c.refuseName(name, r, at)
		return
	}
	if _, ok := harness.Lookup(name); ok {
		x := c.found.Add(dialect.RuleHarnessName, at, "%s is not imported: add it to from harness import …", name)
		x.Text, x.Suggestion = name, "from harness import "+name
		return
	}
	if name == dialect.MathModule {
		x := c.found.Add(dialect.RuleImportNotAllowed, at, "math is not imported: add import math")
		x.Text, x.Suggestion = name, "import math"
		return
	}
	if slices.Contains(c.members, name) {
		x := c.found.Add(dialect.RuleSyntax, at, "%s is not defined, and a symbol is a string: write %q", name, name)
		x.Text, x.Suggestion = name, strconv.Quote(name)
		return
	}
	rule, near := dialect.RuleSyntax, ""
	if len(c.found.List) < maxSuggestions {
		near = nearest.Match(name, visible)
	}
	if near == "" {
		if near = nearest.Match(name, harness.Names()); near != "" {
			rule = dialect.RuleHarnessName
		}
	}
	x := c.found.Add(rule, at, "%s is not defined", name)
	x.Text, x.Suggestion = name, near
}

func (c *checker) refuseName(name string, r dialect.Refusal, at dialect.Place) {
	rule := dialect.RuleSyntax
	if r.Nondeterministic {
		rule = dialect.RuleNondeterministic
	}
	x := c.found.Add(rule, at, "%s is not available: %s", name, r.Instead)
	x.Text = name
}

// visible lists the names that a script can use at top level and those that it
// binds anywhere.
func (c *checker) visible(known func(string) bool) []string {
	var names []string
	seen := make(map[string]bool)
	syntax.Walk(c.file, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			if b, bound := id.Binding.(*resolve.Binding); bound && (b.Scope != resolve.Predeclared || known(id.Name)) && !seen[id.Name] {
				seen[id.Name] = true
				names = append(names, id.Name)
			}
		}
		return true
	})
	for _, i := range c.Imports {
		names = append(names, i.Local)
	}
	for _, id := range c.names {
		names = append(names, id.Name)
	}
	names = append(names, builtins.Keys()...)
	for _, name := range starlark.Universe.Keys() {
		if _, refused := dialect.RefusedNames[name]; !refused {
			names = append(names, name)
		}
	}
	return names
}

// dialectMessage rewords messages about rules that Python does not have.
func dialectMessage(message string) string {
	switch {
	case strings.Contains(message, "not within a function") && !strings.HasPrefix(message, "return"):
		return "control flow belongs inside functions: the top level has only constants, functions and imports"
	case strings.HasPrefix(message, "cannot reassign"):
		return "module-level names are constants: " + strings.ReplaceAll(message, dialect.FileName+":", "line ")
	}
	return message
}

// answer returns the line of decide's only return of weights, or the line of
// decide itself if there are several or none.
func (c *checker) answer() int {
	var lines []int
	syntax.Walk(c.entry, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			return n == c.entry
		case *syntax.ReturnStmt:
			if id, ok := n.Result.(*syntax.Ident); n.Result == nil || ok && id.Name == "None" {
				break
			}
			lines = append(lines, int(n.Return.Line))
		}
		return true
	})
	if len(lines) == 1 {
		return lines[0]
	}
	return int(c.entry.Def.Line)
}

// uses checks names that are bound but not available, and what the entry point
// reads from its context.
func (c *checker) uses(p *Script) {
	ctx := c.context()
	c.recursion()
	c.nesting(c.file.Stmts, 0, 0)
	syntax.Walk(c.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			b, ok := n.Binding.(*resolve.Binding)
			if !ok || b.Scope != resolve.Universal {
				break
			}
			if r, refused := dialect.RefusedNames[n.Name]; refused {
				c.refuseName(n.Name, r, dialect.PlaceOf(n.NamePos))
			}
		case *syntax.DotExpr:
			c.attribute(n, ctx, p)
		case *syntax.CallExpr:
			c.call(n, ctx)
			c.seriesCall(n, p)
		case *syntax.IndexExpr:
			c.indexed(n, ctx)
		}
		return true
	})
	syntax.Walk(c.file, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.AssignStmt); ok {
			c.assigned(s.LHS)
		}
		return true
	})
}

// context returns the parameter of the entry point, or nil if it has none.
func (c *checker) context() *syntax.Ident {
	if c.entry == nil || len(c.entry.Params) != 1 {
		return nil
	}
	id, _ := c.entry.Params[0].(*syntax.Ident)
	return id
}

// attribute checks ctx.NAME, ctx.inputs.NAME and names that no value has.
// Imports from the harness have been checked already.
func (c *checker) attribute(n *syntax.DotExpr, ctx *syntax.Ident, p *Script) {
	name, at := n.Name.Name, dialect.PlaceOf(n.Name.NamePos)
	if name == "popitem" {
		x := c.found.Add(dialect.RuleSyntax, at, "popitem removes the first entry here and the last in Python: write d.pop(key)")
		x.Text = name
		return
	}
	if refersTo(n.X, ctx) {
		if slices.Contains(c.kind.Context, name) {
			return
		}
		x := c.found.Add(dialect.RuleHarnessName, at, "the context has no %s", name)
		x.Text, x.Accepted, x.Suggestion = name, c.kind.Context, c.near(name, c.kind.Context)
		return
	}
	if id, ok := n.X.(*syntax.Ident); ok {
		switch i, _ := c.importOf(id); i.Module {
		case dialect.MathModule:
			c.mathName(name, at)
			return
		case dialect.HarnessModule:
			s := harness.SignatureIn(c.kind.Name, i.Name)
			x := c.found.Add(dialect.RuleHarnessName, at, "%s is a function of the harness and has no %s: %s", i.Name, name, s)
			x.Text, x.Accepted = name, []string{s.String()}
			return
		}
		if b, bound := id.Binding.(*resolve.Binding); !bound || b.Scope == resolve.Predeclared || b.Scope == resolve.Universal {
			return // already reported, or a built-in without attributes
		}
	}
	if inner, ok := n.X.(*syntax.DotExpr); ok && inner.Name.Name == "inputs" && refersTo(inner.X, ctx) {
		c.inputName(name, at, p)
		return
	}
	if _, declared := p.Inputs.Property(name); !declared && !attributes[name] && !slices.Contains(c.kind.Context, name) && !p.Inputs.broken && !c.hidden[inputsConstant] {
		x := c.found.Add(dialect.RuleSyntax, at, "no value here has an attribute %s", name)
		x.Text = name
		if instead := dialect.Hint(name); instead != "" {
			x.Message += ": " + instead
		} else {
			x.Suggestion = c.near(name, attributeList)
		}
	}
}

// inputName checks ctx.inputs.NAME.
func (c *checker) inputName(name string, at dialect.Place, p *Script) {
	if c.hidden[inputsConstant] || p.Inputs.broken {
		return
	}
	if _, ok := p.Inputs.Property(name); ok {
		return
	}
	x := c.found.Add(dialect.RuleInputs, at, "INPUTS declares no %s", name)
	x.Text, x.Accepted, x.Suggestion = name, p.Inputs.Names(), c.near(name, p.Inputs.Names())
	switch _, constant := c.constants[universeConstant]; {
	case name == UniverseInput && constant:
		x.Message = "UNIVERSE is a constant, not an input"
		x.Suggestion = universeConstant
	case name == "get" || name == "keys" || name == "items" || name == "values":
		x.Message += ", and inputs have no methods: write ctx.inputs.NAME or ctx.inputs[name]"
	}
}

// maxSuggestions is the number of problems that get a suggestion. Nobody reads
// more, and searching all names for each takes long in a script that is written
// to be slow.
const maxSuggestions = 20

// near returns the nearest match, or "" after maxSuggestions problems.
func (c *checker) near(name string, candidates []string) string {
	if len(c.found.List) > maxSuggestions {
		return ""
	}
	return dialect.Likely(name, candidates)
}

func (c *checker) mathName(name string, at dialect.Place) {
	names := harness.Math().AttrNames()
	for _, n := range names {
		if n == name {
			return
		}
	}
	x := c.found.Add(dialect.RuleHarnessName, at, "math has no %s here", name)
	x.Text, x.Accepted, x.Suggestion = name, names, nearest.Match(name, names)
}

// refersTo reports whether e is the parameter itself, in the entry point or in
// a function inside it.
func refersTo(e syntax.Expr, param *syntax.Ident) bool {
	id, ok := e.(*syntax.Ident)
	if !ok || param == nil {
		return false
	}
	b, ok := id.Binding.(*resolve.Binding)
	return ok && b.First == param
}
