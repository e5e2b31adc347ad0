package grammar

import "slices"

// exiting are words that end what is held.
var exiting = set("sell sells selling exit exits exiting leave leaves leaving close liquidate dump out")

// entering are words that begin what is held.
var entering = set("enter enters entering entry buy buys")

// afterwards may stand between what is sold and when, or what is held instead.
var afterwards = set("it them all everything out of the position positions market again back and to go into move switch rotate buy hold be in shares")

// settled completes a choice with the clause after its condition that says when to leave
// what is held: sell to BIL when it closes 1% below. It returns the token after it.
func (r *treeReader) settled(c *Choice, end int, within bool) (Node, int, bool) {
	next := r.skip(end, ", ; . and but then")
	switch {
	case r.is(next, "hold") && r.is(next+1, "until"), r.is(next, "stay") && r.is(next+1, "until"), r.is(next, "hold") && r.is(next+1, "it") && r.is(next+2, "until"), r.is(next, "until"):
		for !r.is(next, "until") {
			next++
		}
		return r.leaves(c, next+1, nil, within)
	case !exiting[r.word(next)]:
		return nil, 0, false
	}
	at := next + 1
	for afterwards[r.word(at)] && !r.isMemberAt(at) {
		at++
	}
	open, not, opened := r.opens(at)
	var other Node
	if !opened && !r.startsCondition(at) {
		cash := r.is(at, "cash")
		if other, at = r.leaf(at); other == nil {
			return nil, 0, true
		}
		if open, not, opened = r.opens(r.skip(at, ",")); !opened && !cash && r.ends(at) {
			return nil, 0, false
		}
	}
	if not {
		r.fail(at, open, "when is it sold? Say sell when SPY falls below its 200 day average")
		return nil, 0, true
	}
	if opened {
		at = open
	}
	return r.leaves(c, at, other, within)
}

// isCash reports cash at a token.
func (r *treeReader) isCash(at int) bool {
	if !r.in(at) {
		return false
	}
	m, ok := r.p.memberAt(at, true)
	return ok && m.cash
}

// leaves reads the condition under which something is left, and what is held otherwise.
func (r *treeReader) leaves(c *Choice, at int, other Node, within bool) (Node, int, bool) {
	r.composed = true
	until, end := r.condition(at)
	if end == 0 {
		return nil, 0, true
	}
	if other != nil {
		c.Else = other
		if _, more := r.elses(r.skip(end, ", ; .")); more {
			r.fail(end, end+1, "what is held otherwise was said before")
			return nil, 0, true
		}
		return r.latched(c, until), end, true
	}
	if after, ok := r.elses(r.skip(end, ", ; . and")); ok {
		if c.Else, end = r.strategy(after, within); c.Else == nil {
			return nil, 0, true
		}
	} else if next := r.skip(end, ", ; . and then"); !within && next > end && (r.action(next) || r.isCash(next)) && !r.chained(next) {
		if c.Else, end = r.strategy(next, within); c.Else == nil {
			return nil, 0, true
		}
	}
	return r.latched(c, until), end, true
}

// startsCondition reports whether a condition without when or if follows: leave 3% below
// it.
func (r *treeReader) startsCondition(at int) bool {
	if r.is(at, "at") {
		at++
	}
	if n, after := r.number(at); after > 0 && n > 0 {
		sign := r.p.percentSign(after)
		_, end := wordingAt(r, comparing, sign)
		return sign > 0 && end > 0
	}
	_, end := wordingAt(r, comparing, at)
	return end > 0
}

// latched sets the condition that ends what a choice holds. If it is the opposite of the
// one that begins it, nothing has to be remembered.
func (r *treeReader) latched(c *Choice, until Condition) Node {
	if !until.opposes(c.If) {
		c.Until = &until
		r.note("Between the two conditions what is held stays.")
	}
	return c
}

// opposes reports whether one of two conditions is true whenever the other is not. Equal
// sides count as either.
func (c Condition) opposes(of Condition) bool {
	if c.Join != Single || of.Join != Single {
		return false
	}
	if c.Months != nil && of.Months != nil {
		return c.Not == of.Not && complementary(c.Months, of.Months) || c.Not != of.Not && slices.Equal(c.Months, of.Months)
	}
	if c.dated() || of.dated() {
		return false
	}
	return c.Left == of.Left && c.Right == of.Right && c.Below != of.Below && c.InARow < 2 && of.InARow < 2 ||
		c.Left == of.Right && c.Right == of.Left && c.Below == of.Below && c.InARow < 2 && of.InARow < 2
}

// complementary reports months of which every one is in one of two lists, and none in both.
func complementary(a, b []int) bool {
	return len(a)+len(b) == 12 && !slices.ContainsFunc(a, func(m int) bool { return slices.Contains(b, m) })
}

// gaps reports whether two comparisons of one quantity leave room between them, on which
// neither is true: below 30, and above 70.
func (c Condition) gaps(of Condition) bool {
	if c.Join != Single || of.Join != Single || c.dated() || of.dated() || c.Left != of.Left || c.Below == of.Below {
		return false
	}
	low, high := c.Right, of.Right
	if of.Below {
		low, high = high, low
	}
	if c.Below {
		low, high = c.Right, of.Right
	}
	same := low
	same.Value, same.Factor = high.Value, high.Factor
	return same == high && (low.Value < high.Value || low.Factor < high.Factor)
}

// marks returns the members of the first strategy of a choice that nothing else in the
// tree holds: whether they are held says whether the choice has been entered.
func (c *Choice) marks(root Node) []string {
	inside := heldBy(c.Then)
	var outside []string
	var visit func(Node)
	visit = func(n Node) {
		if n == c.Then {
			return
		}
		if a, ok := n.(*Allocation); ok {
			outside = append(outside, heldBy(a)...)
		}
		for _, x := range n.children() {
			visit(x)
		}
	}
	visit(root)
	return slices.DeleteFunc(inside, func(key string) bool { return slices.Contains(outside, key) })
}

// heldBy returns the members that a node may hold, each once.
func heldBy(n Node) (keys []string) {
	if a, ok := n.(*Allocation); ok {
		for _, h := range slices.Concat(a.Plan.Pool, a.Plan.Else) {
			if !slices.Contains(keys, h.Key) {
				keys = append(keys, h.Key)
			}
		}
	}
	for _, x := range n.children() {
		for _, key := range heldBy(x) {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// unmarked reports a choice with an end of its own that cannot be told from what else is
// held, since it holds no member of its own.
func (t *Tree) unmarked() (found bool) {
	t.walk(func(n Node) {
		if c, ok := n.(*Choice); ok && c.Until != nil && len(c.marks(t.Root)) == 0 {
			found = true
		}
	})
	return found
}
