package script

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"

	"ballast/script/dialect"
)

// maxWay is the maximum number of functions named in a report of a cycle.
const maxWay = 5

// recursion reports functions that call themselves, each cycle once. The
// interpreter would end a run that does.
func (c *checker) recursion() {
	g := callGraph{calls: make(map[*syntax.Ident][]*syntax.Ident), state: make(map[*syntax.Ident]int)}
	syntax.Walk(c.file, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.DefStmt); ok {
			g.functions = append(g.functions, d.Name)
			g.calls[d.Name] = callsOf(d)
		}
		return true
	})
	for _, f := range g.functions {
		g.visit(f, func(call *syntax.Ident, circle []*syntax.Ident) {
			var names []string
			for i, f := range circle {
				if i == maxWay {
					names = append(names, "…")
					break
				}
				names = append(names, f.Name)
			}
			way := strings.Join(append(names, circle[0].Name), " calls ")
			x := c.found.Add(dialect.RuleSyntax, dialect.PlaceOf(call.NamePos), "recursion is not part of the dialect, and %s: write a loop", way)
			x.Text = call.Name
		})
	}
}

// callsOf returns the calls by name in the body of a function, without those in
// functions inside it.
func callsOf(d *syntax.DefStmt) (calls []*syntax.Ident) {
	syntax.Walk(d, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			return n == d
		case *syntax.LambdaExpr:
			return false
		case *syntax.CallExpr:
			if id, ok := n.Fn.(*syntax.Ident); ok {
				calls = append(calls, id)
			}
		}
		return true
	})
	return calls
}

// callGraph identifies functions by the name in their definition.
type callGraph struct {
	functions []*syntax.Ident
	calls     map[*syntax.Ident][]*syntax.Ident
	state     map[*syntax.Ident]int // 1 while its calls are followed, 2 after
	way       []*syntax.Ident
}

func (g *callGraph) visit(f *syntax.Ident, report func(call *syntax.Ident, circle []*syntax.Ident)) {
	if g.state[f] != 0 {
		return
	}
	g.state[f] = 1
	g.way = append(g.way, f)
	for _, call := range g.calls[f] {
		b, ok := call.Binding.(*resolve.Binding)
		if !ok || b.First == nil {
			continue
		}
		if g.state[b.First] == 1 {
			from := len(g.way) - 1
			for g.way[from] != b.First {
				from--
			}
			report(call, g.way[from:])
			continue
		}
		if _, function := g.calls[b.First]; function {
			g.visit(b.First, report)
		}
	}
	g.way = g.way[:len(g.way)-1]
	g.state[f] = 2
}
