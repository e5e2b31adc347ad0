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

	looksBack bool // the helper for earlier values is written
}

// waitsFor returns None while a member that a condition looks at is too young.
func (w *treeWriter) waitsFor() {
	seen := map[string]bool{}
	wait := func(q Quantity, in Condition) {
		more := q.Ago
		if q.Kind == RSI || q.Kind.fraction() && q.Kind != Decline && q.Kind != MaxDecline {
			more++
		}
		need := fmt.Sprint(1 + more)
		switch {
		case q.Kind == Level || q.Sessions == 0 && more == 0 && in.InARow < 2:
			return
		case q.Sessions > 0 && more > 0:
			need = fmt.Sprintf("%s + %d", w.sessions(q), more)
		case q.Sessions > 0:
			need = w.sessions(q)
		}
		if in.InARow > 1 {
			need += " + " + w.inARow(in.InARow) + " - 1"
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
			c.comparisons(func(x Condition) { wait(x.Left, x); wait(x.Right, x) })
		}
	})
}

// sessions returns the input with a quantity's length. Equal quantities share it, so
// that a condition and its opposite stay opposites whatever a run sets.
func (w *treeWriter) sessions(q Quantity) string {
	key := q
	key.Factor, key.Value, key.Ago = 0, 0, 0
	name, there := w.named[key]
	if !there {
		name = fmt.Sprintf("%s_%d", q.Kind, len(w.named)+1)
		w.named[key] = name
		titles := map[QuantityKind]string{
			SimpleMean: "Moving average", ExponentialMean: "Exponential average", RSI: "RSI lookback", Return: "Return lookback",
			MeanReturn: "Mean return lookback", Deviation: "Standard deviation lookback", Volatility: "Volatility lookback", Decline: "Window of the high", MaxDecline: "Window of the drawdown", High: "Window of the high", Low: "Window of the low",
		}
		w.inputs.integer(name, q.Sessions, min(2, q.Sessions), 1260, titles[q.Kind]+" of "+q.Member, "sessions")
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

// inARow returns the input with a number of sessions in a row.
func (w *treeWriter) inARow(n int) string {
	key := Quantity{Kind: "in_a_row", Sessions: n}
	name, there := w.named[key]
	if !there {
		name = fmt.Sprintf("in_a_row_%d", len(w.named)+1)
		w.named[key] = name
		w.inputs.integer(name, n, 1, mostInARow, "Sessions in a row", "sessions")
	}
	return "ctx.inputs." + name
}

// before returns the expression of the last n prices or returns of a member, of all if n
// is empty, as they were some sessions ago.
func (w *treeWriter) before(what, member, n, ago string) string {
	if ago == "" {
		if n == "" {
			return fmt.Sprintf("ctx.%s(%s)", what, member)
		}
		return fmt.Sprintf("ctx.%s(%s, %s)", what, member, n)
	}
	if !w.looksBack {
		w.looksBack = true
		w.helper = append(w.helper, "\ndef earlier(values, n):\n    # The values as they were n sessions ago.\n    return values[:len(values) - n]")
	}
	if n == "" {
		return fmt.Sprintf("earlier(ctx.%s(%s), %s)", what, member, ago)
	}
	return fmt.Sprintf("earlier(ctx.%s(%s, %s + %s), %s)", what, member, n, ago, ago)
}

// quantity returns the expression of one side of a comparison, day sessions before now
// if day is not empty.
func (w *treeWriter) quantity(q, other Quantity, day string) string {
	if q.Kind == Level {
		return w.level(q, other)
	}
	switch {
	case q.Ago > 0 && day != "":
		day = fmt.Sprintf("(%s + %d)", day, q.Ago)
	case q.Ago > 0:
		day = fmt.Sprint(q.Ago)
	}
	s, n := quote(q.Member), ""
	if q.Sessions > 0 {
		n = w.sessions(q)
	}
	prices := func(n string) string { return w.before("prices", s, n, day) }
	returns := func() string { return w.before("returns", s, n, day) }
	text := ""
	switch q.Kind {
	case Price:
		text = prices("1") + ".last()"
	case SimpleMean:
		text = fmt.Sprintf("%s(%s)", w.use("sma"), prices(n))
	case ExponentialMean:
		text = fmt.Sprintf("%s(%s, %s)", w.use("ema"), prices("5 * "+n), n)
	case RSI:
		text = fmt.Sprintf("%s(%s, %s)", w.use("rsi"), prices("10 * "+n+" + 1"), n)
	case Return:
		text = fmt.Sprintf("%s(%s)", w.use("momentum"), prices(n+" + 1"))
	case MeanReturn:
		text = returns() + ".mean()"
	case Deviation:
		text = returns() + ".std()"
	case Volatility:
		text = fmt.Sprintf("%s(%s, ctx.bars_per_year)", w.use("volatility"), returns())
	case Decline:
		text = fmt.Sprintf("-%s(%s)", w.use("drawdown"), prices(n))
	case MaxDecline:
		text = fmt.Sprintf("-%s(%s)", w.use("max_drawdown"), prices(n))
	case High:
		text = fmt.Sprintf("%s(%s)", w.use("highest"), prices(n))
	case Low:
		text = fmt.Sprintf("%s(%s)", w.use("lowest"), prices(n))
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
			if x.Join != Single && c.Join != Some {
				part = "(" + part + ")"
			}
			parts = append(parts, part)
		}
		text = strings.Join(parts, " "+string(c.Join)+" ")
		if c.Join == Some {
			text = fmt.Sprintf("len([x for x in [%s] if x]) >= %d", strings.Join(parts, ", "), c.Least)
		}
	case c.Months != nil:
		in := "in"
		if c.Not {
			in = "not in"
		}
		return fmt.Sprintf("ctx.date[5:7] %s %s", in, list(c.Months, func(m int) string { return fmt.Sprintf("\"%02d\"", m) }))
	case c.FirstDay > 0:
		first, last := fmt.Sprintf("int(ctx.date[8:]) >= %d", c.FirstDay), fmt.Sprintf("int(ctx.date[8:]) <= %d", c.LastDay)
		text = "(" + first + " and " + last + ")"
		if c.FirstDay > c.LastDay {
			text = "(" + first + " or " + last + ")" // over the end of the month
		}
		if !c.Not {
			return text
		}
	default:
		op := ">"
		if c.Below {
			op = "<"
		}
		if c.Equal {
			op += "="
		}
		if c.InARow < 2 {
			return w.quantity(c.Left, c.Right, "") + " " + op + " " + w.quantity(c.Right, c.Left, "")
		}
		text = fmt.Sprintf("all([%s %s %s for day in range(%s)])", w.quantity(c.Left, c.Right, "day"), op, w.quantity(c.Right, c.Left, "day"), w.inARow(c.InARow))
		if !c.Not {
			return text
		}
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
		if n.Until == nil {
			w.line(indent, "if %s:", w.condition(n.If))
		} else {
			w.line(indent, "held = len([s for s in %s if ctx.weights.get(s, 0.0) != 0]) > 0", list(n.marks(w.tree.Root), quote))
			w.line(indent, "if %s or held and not (%s):", bracketed(w.condition(n.If)), w.condition(*n.Until))
		}
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

// bracketed puts a condition with an or into parentheses.
func bracketed(text string) string {
	if strings.Contains(text, " and ") || strings.Contains(text, " or ") {
		return "(" + text + ")"
	}
	return text
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
	return plan.Rule == nil && plan.Select == nil && plan.Each == nil && plan.Gate == nil && plan.Target == 0 && plan.Leverage == 1 && plan.Weighting != ByOptimizer &&
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
	leaf.held()
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
	helperOfLeaf = regexp.MustCompile(`\b(score|passes|holds|above_average|best|strength)\(`)
)

// numbered gives the names in a leaf's code the number of the leaf.
func (w *treeWriter) numbered(code string) string {
	code = strings.ReplaceAll(code, "pool = ctx.universe", "pool = [s for s in ctx.inputs.universe if s in ctx.universe]")
	code = inputOfLeaf.ReplaceAllString(code, fmt.Sprintf("ctx.inputs.${1}_of_%d", w.parts))
	return helperOfLeaf.ReplaceAllString(code, fmt.Sprintf("${1}_of_%d(", w.parts))
}
