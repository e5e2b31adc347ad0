package script

import (
	"strings"

	"go.starlark.net/syntax"

	"ballast/script/dialect"
	"ballast/script/harness"
)

// assigned reports assignments to attributes: no value in the dialect has an
// attribute that can be changed.
func (c *checker) assigned(target syntax.Expr) {
	switch e := target.(type) {
	case *syntax.DotExpr:
		at := dialect.PlaceOf(e.Name.NamePos)
		if c.found.At(at) {
			return // already reported as an unknown attribute
		}
		x := c.found.Add(dialect.RuleSyntax, at, "attributes cannot be assigned: use a name or a dictionary of your own")
		x.Text = e.Name.Name
	case *syntax.ParenExpr:
		c.assigned(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			c.assigned(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			c.assigned(x)
		}
	}
}

// indexed reports functions that are indexed like lists, such as
// ctx.prices["SPY"] and sma[20].
func (c *checker) indexed(n *syntax.IndexExpr, ctx *syntax.Ident) {
	s := c.callee(n.X, ctx)
	if s == nil {
		return
	}
	x := c.found.Add(dialect.RuleHarnessName, dialect.PlaceOf(n.Lbrack), "%s is a function: call it with ( ), not with [ ]", s.Name)
	x.Text, x.Accepted = s.Name, []string{s.String()}
}

// CPython's limits on nested blocks.
const (
	maxLoops   = 20
	maxIndents = 99
)

// nesting reports blocks that are nested deeper than CPython compiles, since
// the download would not run.
func (c *checker) nesting(stmts []syntax.Stmt, loops, indents int) {
	for _, stmt := range stmts {
		within, bodies := loops, [][]syntax.Stmt(nil)
		switch s := stmt.(type) {
		case *syntax.ForStmt:
			within, bodies = loops+1, [][]syntax.Stmt{s.Body}
		case *syntax.WhileStmt:
			within, bodies = loops+1, [][]syntax.Stmt{s.Body}
		case *syntax.IfStmt:
			bodies = [][]syntax.Stmt{s.True, s.False}
			if isElif(s) {
				bodies = bodies[:1]
				c.nesting(s.False, loops, indents)
			}
		case *syntax.DefStmt:
			within, bodies = 0, [][]syntax.Stmt{s.Body}
		}
		if within > maxLoops || len(bodies) > 0 && indents >= maxIndents {
			c.found.Add(dialect.RuleSyntax, dialect.PlaceOfNode(stmt), "more than %d nested loops or %d nested blocks, which Python does not compile", maxLoops, maxIndents)
			return
		}
		for _, body := range bodies {
			c.nesting(body, within, indents+1)
		}
	}
}

// isElif reports whether the else branch is an elif, which is not nested deeper
// than its if.
func isElif(s *syntax.IfStmt) bool {
	if len(s.False) != 1 {
		return false
	}
	other, ok := s.False[0].(*syntax.IfStmt)
	return ok && other.If == s.ElsePos
}

// importAll adds to the problem of an import of * the names that the script
// uses.
func (c *checker) importAll() {
	if c.Star == 0 || c.Star > len(c.found.List) {
		return
	}
	var names []string
	seen := make(map[string]bool)
	syntax.Walk(c.file, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && c.isFree(id) && !seen[id.Name] {
			if _, known := harness.Lookup(id.Name); known {
				seen[id.Name] = true
				names = append(names, id.Name)
			}
		}
		return true
	})
	if len(names) > 0 {
		c.found.List[c.Star-1].Suggestion = "from harness import " + strings.Join(names, ", ")
	}
}
