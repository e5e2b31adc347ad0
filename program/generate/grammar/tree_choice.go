package grammar

import "strings"

// strategy reads a choice or a leaf, with the exceptions that follow it, and returns the
// token after it.
func (r *treeReader) strategy(at int, within bool) (Node, int) {
	node, end := r.plain(at, within)
	for !within && !r.other {
		c, ok := node.(*Choice)
		if !ok || !r.excepted(end) {
			break
		}
		node, end = r.exception(c, end)
	}
	return node, end
}

// plain reads a choice or a leaf. Within the first side of a choice no condition follows a
// leaf: it would belong to the one or to the other.
func (r *treeReader) plain(at int, within bool) (Node, int) {
	if r.deep++; r.deep > deepest {
		r.fail(at, at+1, "strategies are nested too deep: name the inner one as a model of its own")
		return nil, 0
	}
	defer func() { r.deep-- }()
	at = r.skip(at, ", : then ; - = >")
	if r.is(at, "elif") || r.is(at, "elseif") {
		return r.choice(at+1, false, within)
	}
	if end := r.halloween(at); end > 0 {
		return r.sellInMay(end)
	}
	if end, not, ok := r.opens(at); ok {
		return r.choice(end, not, within)
	}
	if strings.HasPrefix(r.word(at), "enter") && r.isMemberAt(at+1) {
		at++
	}
	if r.implied(at) {
		return r.choice(at, false, within)
	}
	if open, not, ok := r.opens(at + 1); ok && !not && !within && entering[r.word(at)] { // buy when SPY …
		condition, end := r.condition(open)
		if end == 0 {
			return nil, 0
		}
		if r.subject == "" {
			r.fail(at, at+1, "what is bought? Name it, as in buy SPY when it is above its 200 day average")
			return nil, 0
		}
		return r.otherwise(condition, alone(r.subject), end, false)
	}
	if node, other, end := r.fromTo(at); node != nil {
		return r.departed(node, other, end, at)
	}
	usually := r.is(at, "normally") || r.is(at, "usually")
	if usually {
		at++
	}
	node, end := r.leaf(at)
	if node == nil || within {
		return node, end
	}
	if (r.is(end, "normally") || r.is(end, "usually")) && !usually {
		usually, end = true, end+1
		if next := r.skip(end, ", ; . and"); !r.departs(end) && r.in(next) {
			if _, _, opened := r.opens(next); !opened {
				return r.departure(node, next)
			}
		}
	}
	if usually && !r.departs(end) {
		r.fail(at-1, at, "when is something else held? Say normally SPY, but BIL when SPY is below its 200 day average")
		return nil, 0
	}
	if r.departs(end) {
		return r.departure(node, end)
	}
	stood := end
	next := r.skip(end, ", ; .")
	open, not, ok := r.opens(next)
	if !ok {
		return node, end
	}
	if _, elsewhere := r.elses(next); elsewhere {
		return node, end
	}
	if !leaving[r.word(at)] || r.subject == "" {
		r.pool = heldBy(node)
		r.subject = soleMember(node) // it is what is held, but not what is gone to
		r.held = r.subject
	}
	apart := opening[r.word(next)] && r.parted(stood, next) || r.is(next, "but") && opening[r.word(next+1)]
	if apart && r.other {
		return node, end // it is no part of what is held otherwise
	}
	condition, end := r.condition(open)
	if end == 0 {
		return nil, 0
	}
	if not {
		condition = condition.negated()
		if other := r.instead(end); other > 0 {
			return r.overruled(condition, node, other)
		}
		return r.otherwise(condition, node, end, false)
	}
	other := r.skip(end, ", then")
	switch {
	case apart && r.sold(other) > 0:
		return r.overruled(condition.negated(), node, r.sold(other))
	case apart && exiting[r.word(other)]:
		r.fail(other, other+1, "what is held instead? Say move to BIL, or move to cash")
		return nil, 0
	case r.action(other) && !r.is(other, "to") && (apart || !r.chained(other)):
		if next == stood && !r.is(next, "but") {
			r.fail(other, other+1, "when is this held? Say otherwise before it")
			return nil, 0
		}
		return r.overruled(condition.negated(), node, other) // hold SPY, but if … hold BIL
	}
	return r.otherwise(condition, node, end, false)
}

// parted reports that a sentence or a clause ends among the marks between two tokens.
func (r *treeReader) parted(from, to int) bool {
	for i := from; i < to; i++ {
		if r.is(i, ";") || r.is(i, ".") || r.in(i) && r.p.tokens[i].kind == line {
			return true
		}
	}
	return false
}

// implied reports a condition without if, before an arrow, a colon or what is done: SPY
// above its 200 day average: hold QQQ.
func (r *treeReader) implied(at int) bool {
	if introducing[r.word(at)] {
		return false
	}
	if _, compared := wordingAt(r, comparing, at); compared == 0 && !r.isMemberAt(at) {
		if _, measured := wordingAt(r, measures, at); measured == 0 {
			return false
		}
	}
	kept, tree := *r, *r.tree
	_, end := r.condition(at)
	*r, *r.tree = kept, tree
	if end == 0 || at == 0 && r.p.tokens[at].kind == quoted {
		return false
	}
	next := end
	if r.is(next, ",") {
		next++
	}
	return r.is(end, ":") || r.is(end, "then") || (r.is(end, "-") || r.is(end, "=")) && r.is(end+1, ">") || r.action(next)
}

// halloween returns the token after a name of the rule that holds stocks in winter alone;
// 0 if there is none.
func (r *treeReader) halloween(at int) int {
	end := at
	switch {
	case r.says(at, []string{"sell", "in", "may"}):
		if end += 3; r.says(end, []string{"and", "go", "away"}) || r.says(end, []string{"and", "come", "back"}) {
			end += 3
		}
	case r.is(at, "halloween"):
		end++
	default:
		return 0
	}
	for r.is(end, "strategy") || r.is(end, "indicator") || r.is(end, "effect") || r.is(end, "rule") || r.is(end, "model") {
		end++
	}
	for r.is(end, ",") || r.is(end, ":") || r.is(end, "with") || r.is(end, "using") || r.is(end, "on") || r.is(end, "for") {
		end++
	}
	return end
}

// sellInMay reads what follows sell in May and go away: SPY, otherwise BIL; SPY and BIL;
// or both with their months.
func (r *treeReader) sellInMay(at int) (Node, int) {
	r.composed = true
	if !r.in(at) {
		r.fail(at-min(at, 3), at, "what is held from November to April? Say sell in May with SPY, otherwise BIL")
		return nil, 0
	}
	kept, tree := *r, *r.tree
	if n, end := r.strategy(at, false); n != nil {
		if c, ok := n.(*Choice); ok && c.If.Months != nil {
			return n, end
		}
	}
	*r, *r.tree = kept, tree
	winter := Condition{Months: []int{11, 12, 1, 2, 3, 4}}
	if n, end := r.twoSeasons(at, winter); n != nil {
		return n, end
	}
	node, end := r.leaf(at)
	if node == nil {
		return nil, 0
	}
	r.note(winterNote)
	return r.otherwise(winter, node, end, false)
}

const winterNote = "Sell in May holds it from November to April (Bouman and Jacobsen, The Halloween Indicator, American Economic Review, 2002)."

// twoSeasons reads two members: the one that is held from November to April, and the one
// that is held in summer.
func (r *treeReader) twoSeasons(at int, winter Condition) (Node, int) {
	var first, second string
	end := r.member(at, &first)
	if end == 0 || !r.is(end, "and") && !r.is(end, "/") {
		return nil, 0
	}
	if end = r.member(end+1, &second); end == 0 || first == second || !r.ends(end) && !r.is(end, ",") {
		return nil, 0
	}
	if _, more := r.elses(r.skip(end, ",")); more {
		return nil, 0
	}
	r.note(winterNote)
	return &Choice{If: winter, Then: alone(first), Else: alone(second)}, end
}

// overruled reads what is held instead of a node while a condition is not true.
func (r *treeReader) overruled(condition Condition, node Node, at int) (Node, int) {
	other, end := r.strategy(at, true)
	if other == nil {
		return nil, 0
	}
	if next := r.skip(end, ","); r.is(next, "until") { // hold SPY; if … move to BIL until …
		until, end := r.condition(next + 1)
		if end == 0 {
			return nil, 0
		}
		return r.latched(&Choice{If: condition.negated(), Then: other, Else: node}, until), end
	}
	if until, after := r.back(end, node); after > 0 {
		return r.latched(&Choice{If: condition.negated(), Then: other, Else: node}, until), after
	}
	if _, more := r.elses(r.skip(end, ", ; .")); more {
		r.fail(end, end+1, "otherwise than what? What is held was said before the condition, and what is held instead after it")
		return nil, 0
	}
	return &Choice{If: condition, Then: node, Else: other}, end
}

// soleMember returns the one member that a node holds; "" if it holds several.
func soleMember(n Node) string {
	if a, ok := n.(*Allocation); ok && len(a.Plan.Pool) == 1 && len(a.Plan.Else) == 0 {
		return a.Plan.Pool[0].Key
	}
	return ""
}

// choice reads a condition, what is held then, and what otherwise.
func (r *treeReader) choice(at int, not, within bool) (Node, int) {
	if !within && r.inside == 0 { // within another choice, its means the member that was compared last
		r.subject, r.last = "", Quantity{}
	}
	condition, end := r.condition(at)
	if end == 0 {
		return nil, 0
	}
	if not {
		condition = condition.negated()
	}
	begin := r.skip(end, ", then")
	sold := r.sold(begin)
	if sold > 0 {
		end = sold
	}
	kept := r.subject
	r.inside++
	then, end := r.strategy(end, true)
	r.inside--
	if then == nil {
		return nil, 0
	}
	c, end := r.otherwise(condition, then, end, within)
	if choice, ok := c.(*Choice); ok && sold > 0 && r.defaulted(choice.Else) {
		if kept == "" {
			r.fail(begin, sold, "what is held otherwise? Say it first, as in hold SPY; if it falls below its 200 day average move to BIL")
			return nil, 0
		}
		choice.Else = alone(kept)
		r.note(kept + " is what is sold, so it is held otherwise.")
	}
	return c, end
}

// otherwise reads what is held while a condition is not true: CASH if nothing is said.
func (r *treeReader) otherwise(condition Condition, then Node, end int, within bool) (Node, int) {
	cash := &Allocation{Plan: &Plan{Leverage: 1}}
	r.defaults[cash] = true
	c := &Choice{If: condition, Then: then, Else: cash}
	if n, end, ok := r.settled(c, end, within); ok {
		return n, end
	}
	if held, after := r.remainderAfter(end); held != nil {
		c.Else = held
		return c, after
	}
	next := r.skip(end, ", ; . and")
	if after, ok := r.elses(next); ok {
		before := r.other
		r.other = true
		other, end := r.strategy(after, false)
		r.other = before
		if other == nil {
			return nil, 0
		}
		c.Else = other
		return c, end
	}
	if inner, ok := then.(*Choice); ok && !r.is(end-1, ")") && !cashOnly(inner.Else) {
		r.fail(next, next+1, "two conditions and one otherwise: which of them does it belong to? Put the inner choice in parentheses, or say otherwise for both")
		return nil, 0
	}
	if !within && r.in(next) && !r.excepted(end) && r.chained(next) {
		other, end := r.strategy(next, false)
		if other == nil {
			return nil, 0
		}
		return r.followed(c, other), end
	}
	return c, end
}

// followed completes a choice with the next one, which has a condition of its own.
func (r *treeReader) followed(c *Choice, next Node) Node {
	second, ok := next.(*Choice)
	if ok && second.Until == nil && r.defaulted(second.Else) {
		switch {
		case second.If.opposes(c.If):
			c.Else = second.Then
			return c
		case second.If.gaps(c.If):
			c.Else = second.Then
			return r.latched(c, second.If)
		}
	}
	r.note("Of several conditions the first that is true counts.")
	c.Else = next
	return c
}

// defaulted reports that nothing was said about what is held otherwise.
func (r *treeReader) defaulted(n Node) bool {
	a, ok := n.(*Allocation)
	return ok && r.defaults[a]
}

// chained reports whether another condition follows before the next else.
func (r *treeReader) chained(at int) bool {
	for ; r.in(at); at++ {
		if r.is(at, "(") {
			at = max(at, r.shuts(at))
		}
		if _, ok := r.elses(at); ok {
			return false
		}
		if _, _, ok := r.opens(at); ok {
			return true
		}
		if r.is(at, ";") || r.is(at, ".") {
			return false
		}
	}
	return false
}

func cashOnly(n Node) bool {
	a, ok := n.(*Allocation)
	return ok && len(a.Plan.Pool) == 0
}
