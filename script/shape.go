package script

import (
	"go.starlark.net/syntax"
)

// branches reports whether the script has a condition, a comparison or a loop.
func (c *checker) branches() bool {
	found := false
	syntax.Walk(c.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt, *syntax.CondExpr, *syntax.Comprehension:
			found = true
		case *syntax.BinaryExpr:
			switch n.Op {
			case syntax.AND, syntax.OR, syntax.IN, syntax.NOT_IN, syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
				found = true
			}
		case *syntax.UnaryExpr:
			found = found || n.Op == syntax.NOT
		}
		return !found
	})
	return found
}

// mentions returns the names that the script's functions read as attributes of any
// value, and these together with their strings and keyword arguments.
func (c *checker) mentions() (reads, all map[string]bool) {
	reads, all = map[string]bool{}, map[string]bool{}
	note := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			reads[n.Name.Name], all[n.Name.Name] = true, true
		case *syntax.Literal:
			if s, ok := n.Value.(string); ok && len(s) <= maxName {
				all[s] = true
			}
		case *syntax.BinaryExpr:
			if id, ok := n.X.(*syntax.Ident); ok && n.Op == syntax.EQ {
				all[id.Name] = true
			}
		}
		return true
	}
	for _, stmt := range c.file.Stmts {
		if def, ok := stmt.(*syntax.DefStmt); ok {
			syntax.Walk(def, note)
		}
	}
	return reads, all
}
