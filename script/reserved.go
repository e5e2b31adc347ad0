package script

import (
	"strings"

	"go.starlark.net/syntax"

	"ballast/script/dialect"
)

// reserved are names that Python does not let a script bind, although the
// interpreter would.
var reserved = map[string]bool{"None": true, "True": true, "False": true, "__debug__": true}

// reservedNames reports names that Python refuses to bind, and top-level names
// between double underscores, which have a meaning to Python itself.
func (c *checker) reservedNames() {
	for _, id := range c.names {
		if strings.HasPrefix(id.Name, "__") && strings.HasSuffix(id.Name, "__") && !reserved[id.Name] {
			x := c.found.Add(dialect.RuleSyntax, dialect.PlaceOf(id.NamePos), "%s is reserved by Python: choose another name", id.Name)
			x.Text = id.Name
		}
	}
	syntax.Walk(c.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			c.binds(n.LHS)
		case *syntax.DefStmt:
			c.binds(n.Name)
			c.declared(n.Params)
		case *syntax.LambdaExpr:
			c.declared(n.Params)
		case *syntax.ForStmt:
			c.binds(n.Vars)
		case *syntax.ForClause:
			c.binds(n.Vars)
		case *syntax.CallExpr:
			c.keywords(n.Args)
		}
		return true
	})
	for _, i := range c.Imports {
		if reserved[i.Local] {
			c.found.Add(dialect.RuleSyntax, i.At, "%s cannot be used as a name", i.Local)
		}
	}
}

// declared checks the parameters of a function: x, x=1, *x and **x.
func (c *checker) declared(params []syntax.Expr) {
	for _, p := range params {
		if star, ok := p.(*syntax.UnaryExpr); ok && star.X != nil {
			p = star.X
		}
		c.binds(p)
	}
	c.keywords(params)
}

// keywords checks the names in x=1.
func (c *checker) keywords(list []syntax.Expr) {
	for _, e := range list {
		if e, ok := e.(*syntax.BinaryExpr); ok && e.Op == syntax.EQ {
			c.binds(e.X)
		}
	}
}

// binds checks the target of an assignment.
func (c *checker) binds(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
		if reserved[e.Name] {
			x := c.found.Add(dialect.RuleSyntax, dialect.PlaceOf(e.NamePos), "%s cannot be used as a name", e.Name)
			x.Text = e.Name
		}
	case *syntax.ParenExpr:
		c.binds(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			c.binds(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			c.binds(x)
		}
	}
}

// indentation reports a script that is indented with tabs in one place and with
// spaces in another: Python and the interpreter may disagree on which lines
// form a block.
func (c *checker) indentation(text string) {
	lines := strings.Split(text, "\n")
	tabs, spaces := dialect.Place{}, dialect.Place{}
	syntax.Walk(c.file, func(n syntax.Node) bool {
		stmt, ok := n.(syntax.Stmt)
		if !ok {
			return true
		}
		at := dialect.PlaceOfNode(stmt)
		if at.Line < 1 || at.Line > len(lines) {
			return true
		}
		line := lines[at.Line-1]
		white := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if strings.Contains(white, "\t") && tabs.Line == 0 {
			tabs = dialect.Place{Line: at.Line, Column: 1}
		}
		if strings.Contains(white, " ") && spaces.Line == 0 {
			spaces = dialect.Place{Line: at.Line, Column: 1}
		}
		return true
	})
	if tabs.Line > 0 && spaces.Line > 0 {
		c.found.Add(dialect.RuleSyntax, tabs, "tabs here and spaces on line %d: indent with spaces only", spaces.Line)
	}
}
