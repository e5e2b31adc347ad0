package grammar

import (
	"fmt"
	"regexp"
	"strings"
)

// WriteTree writes the script of a tree. The same tree gives the same text.
func WriteTree(tree *Tree) string {
	w := &treeWriter{tree: tree, writer: writer{plan: &Plan{Name: tree.Name, Symbol: tree.Symbol, Schedule: tree.Schedule, Fill: tree.Fill, Band: tree.Band}, imports: map[string]bool{}}, named: map[Quantity]string{}}
	w.inputs.add(input{name: "universe", kind: "array", value: list(tree.keys(), quote), title: "Universe", primary: true})
	w.begin()
	w.line(1, "# Nothing is held until what the conditions look at has its history.")
	before := len(w.body)
	w.waitsFor()
	if len(w.body) == before {
		w.body = w.body[:before-1]
	}
	w.node(1, tree.Root)
	if tree.Band != nil {
		w.inputs.number("band", tree.Band.Size, 0.001, 1, "Band", "How far a weight may be from its target", true)
	}
	w.finish()
	return w.text(DescribeTree(tree))
}

// treeWriter writes a tree. Inputs of its leaves have the number of the leaf in their
// names, because several leaves may have the same inputs.
type treeWriter struct {
	writer

	tree  *Tree
	named map[Quantity]string // the input of a quantity's sessions or value
	parts int
}

// waitsFor returns None while a member that a condition looks at is too young.
func (w *treeWriter) waitsFor() {
	seen := map[string]bool{}
	wait := func(q Quantity) {
		if q.Kind == Level || q.Sessions == 0 {
			return
		}
		need := w.sessions(q)
		if q.Kind == RSI || q.Kind == Return || q.Kind == Volatility {
			need += " + 1"
		}
		line := fmt.Sprintf("if ctx.sessions(%s) < %s:", quote(q.Member), need)
		if !seen[line] {
			seen[line] = true
			w.line(1, "%s", line)
			w.line(2, "return None")
		}
	}
	w.tree.walk(func(n Node) {
		if c, ok := n.(*Choice); ok {
			c.If.comparisons(func(x Condition) { wait(x.Left); wait(x.Right) })
		}
	})
}

// sessions returns the input with a quantity's length. Equal quantities share it, so
// that a condition and its opposite stay opposites whatever a run sets.
func (w *treeWriter) sessions(q Quantity) string {
	key := q
	key.Factor, key.Value = 0, 0
	name, there := w.named[key]
	if !there {
		name = fmt.Sprintf("%s_%d", q.Kind, len(w.named)+1)
		w.named[key] = name
		titles := map[QuantityKind]string{
			SimpleMean: "Moving average", ExponentialMean: "Exponential average", RSI: "RSI lookback", Return: "Return lookback",
			Volatility: "Volatility lookback", Decline: "Window of the high", MaxDecline: "Window of the drawdown", High: "Window of the high", Low: "Window of the low",
		}
		w.inputs.integer(name, q.Sessions, 2, 1260, titles[q.Kind]+" of "+q.Member, "sessions")
	}
	return "ctx.inputs." + name
}

// level returns the input with a number that a quantity is compared with.
func (w *treeWriter) level(q, of Quantity) string {
	if q.Value == 0 {
		return "0"
	}
	key := Quantity{Kind: Level, Value: q.Value, Member: of.Member + " " + string(of.Kind)}
	name, there := w.named[key]
	if !there {
		name = fmt.Sprintf("level_%d", len(w.named)+1)
		w.named[key] = name
		least, most, about := 1.0, 99.0, "RSI, 0 to 100"
		if of.Kind.fraction() {
			least, most, about = -1, 10, "A fraction"
		}
		w.inputs.number(name, q.Value, least, most, "Level for "+of.Member, about, true)
	}
	return "ctx.inputs." + name
}

// quantity returns the expression of one side of a comparison.
func (w *treeWriter) quantity(q, other Quantity) string {
	if q.Kind == Level {
		return w.level(q, other)
	}
	s := quote(q.Member)
	prices := fmt.Sprintf("ctx.prices(%s)", s)
	n := ""
	if q.Sessions > 0 {
		n = w.sessions(q)
		prices = fmt.Sprintf("ctx.prices(%s, %s)", s, n)
	}
	text := ""
	switch q.Kind {
	case Price:
		text = fmt.Sprintf("ctx.prices(%s, 1).last()", s)
	case SimpleMean:
		text = fmt.Sprintf("%s(%s)", w.use("sma"), prices)
	case ExponentialMean:
		text = fmt.Sprintf("%s(ctx.prices(%s, 5 * %s), %s)", w.use("ema"), s, n, n)
	case RSI:
		text = fmt.Sprintf("%s(ctx.prices(%s, 10 * %s + 1), %s)", w.use("rsi"), s, n, n)
	case Return:
		text = fmt.Sprintf("%s(ctx.prices(%s, %s + 1))", w.use("momentum"), s, n)
	case Volatility:
		text = fmt.Sprintf("%s(ctx.returns(%s, %s), ctx.bars_per_year)", w.use("volatility"), s, n)
	case Decline:
		text = fmt.Sprintf("-%s(%s)", w.use("drawdown"), prices)
	case MaxDecline:
		text = fmt.Sprintf("-%s(%s)", w.use("max_drawdown"), prices)
	case High:
		text = fmt.Sprintf("%s(%s)", w.use("highest"), prices)
	case Low:
		text = fmt.Sprintf("%s(%s)", w.use("lowest"), prices)
	}
	if q.Factor != 1 {
		return float(q.Factor) + " * " + text
	}
	return text
}

// condition returns the expression of a condition.
func (w *treeWriter) condition(c Condition) string {
	var text string
	switch {
	case c.Join != Single:
		var parts []string
		for _, x := range c.Of {
			part := w.condition(x)
			if x.Join != Single {
				part = "(" + part + ")"
			}
			parts = append(parts, part)
		}
		text = strings.Join(parts, " "+string(c.Join)+" ")
	case c.Months != nil:
		in := "in"
		if c.Not {
			in = "not in"
		}
		return fmt.Sprintf("ctx.date[5:7] %s %s", in, list(c.Months, func(m int) string { return fmt.Sprintf("\"%02d\"", m) }))
	default:
		op := ">"
		if c.Below {
			op = "<"
		}
		if c.Equal {
			op += "="
		}
		return w.quantity(c.Left, c.Right) + " " + op + " " + w.quantity(c.Right, c.Left)
	}
	if c.Not {
		return "not (" + text + ")"
	}
	return text
}

// node writes statements that set target to what a node holds.
func (w *treeWriter) node(indent int, n Node) {
	switch n := n.(type) {
	case *Allocation:
		w.allocation(indent, n.Plan)
	case *Choice:
		w.line(indent, "if %s:", w.condition(n.If))
		w.node(indent+1, n.Then)
		w.line(indent, "else:")
		w.node(indent+1, n.Else)
	case *Blend:
		var names []string
		for _, s := range n.Parts {
			outer := w.body
			w.body = nil
			w.node(1, s.Node)
			w.parts++
			name := fmt.Sprintf("part_%d", w.parts)
			w.helper = append(w.helper, fmt.Sprintf("\ndef %s(ctx):\n%s\n    return target", name, strings.Join(w.body, "\n")))
			w.body = outer
			names = append(names, name)
		}
		share := fmt.Sprintf("shares_%d", w.parts)
		values := make([]float64, len(n.Parts))
		for i, s := range n.Parts {
			values[i] = s.Share
		}
		w.inputs.add(input{name: share, kind: "array", value: list(values, float), title: "Shares", about: "Fractions of equity, in the order of the parts", primary: true})
		w.line(indent, "target = {}")
		w.line(indent, "for share, held in zip(ctx.inputs.%s, [%s]):", share, strings.Join(called(names), ", "))
		w.line(indent+1, "if held == None:")
		w.line(indent+2, "return None  # a part waits for its history")
		w.line(indent+1, "for s, x in held.items():")
		w.line(indent+2, "target[s] = target.get(s, 0.0) + share * x")
	}
}

func called(names []string) []string {
	calls := make([]string, len(names))
	for i, n := range names {
		calls[i] = n + "(ctx)"
	}
	return calls
}

// plain reports a plan whose target needs no calculation: fixed shares or one member.
func (plan *Plan) plain() bool {
	return plan.Select == nil && plan.Each == nil && plan.Gate == nil && plan.Target == 0 && plan.Leverage == 1 && plan.Weighting != ByOptimizer &&
		(plan.Weighting == Fixed || len(plan.Pool) <= 1)
}

// allocation writes a leaf: a dictionary if its shares are known, otherwise a call of
// a function of its own.
func (w *treeWriter) allocation(indent int, plan *Plan) {
	if plan.plain() {
		var parts []string
		for _, h := range plan.Pool {
			share := h.Weight
			if plan.Weighting != Fixed {
				share = 1
			}
			parts = append(parts, quote(h.Key)+": "+float(share))
		}
		w.line(indent, "target = {%s}", strings.Join(parts, ", "))
		return
	}
	w.parts++
	leaf := &writer{plan: plan, imports: w.imports, part: true}
	leaf.declare()
	leaf.apart = nil // the leaf has a list of its members
	leaf.pool()
	leaf.history()
	leaf.gated()
	for _, x := range leaf.inputs.list {
		x.name = fmt.Sprintf("%s_of_%d", x.name, w.parts)
		w.inputs.add(x)
	}
	for _, h := range leaf.helper {
		w.helper = append(w.helper, w.numbered(h))
	}
	name := fmt.Sprintf("part_%d", w.parts)
	w.helper = append(w.helper, w.numbered(fmt.Sprintf("\ndef %s(ctx):\n%s\n    return target", name, strings.Join(leaf.body, "\n"))))
	w.line(indent, "target = %s(ctx)", name)
	w.line(indent, "if target == None:")
	w.line(indent+1, "return None")
}

var (
	inputOfLeaf  = regexp.MustCompile(`ctx\.inputs\.(\w+)`)
	helperOfLeaf = regexp.MustCompile(`\b(score|passes|holds|above_average)\(`)
)

// numbered gives the names in a leaf's code the number of the leaf.
func (w *treeWriter) numbered(code string) string {
	code = strings.ReplaceAll(code, "pool = ctx.universe", "pool = [s for s in ctx.inputs.universe if s in ctx.universe]")
	code = inputOfLeaf.ReplaceAllString(code, fmt.Sprintf("ctx.inputs.${1}_of_%d", w.parts))
	return helperOfLeaf.ReplaceAllString(code, fmt.Sprintf("${1}_of_%d(", w.parts))
}
