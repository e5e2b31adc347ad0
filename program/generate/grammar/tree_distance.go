package grammar

// between reads between 30 and 70.
func (r *treeReader) between(left measured, at int) (Condition, int) {
	r.composed = true
	low := r.right(left, at)
	if low.unknown || !r.is(low.end, "and") {
		r.fail(at-1, at+1, "between what? Say between 30 and 70")
		return Condition{}, 0
	}
	high := r.right(left, low.end+1)
	if high.unknown {
		return Condition{}, 0
	}
	above, end := r.compared(Condition{}, left, low)
	if end == 0 {
		return above, 0
	}
	below, end := r.compared(Condition{Below: true}, left, high)
	return Condition{Join: All, Of: []Condition{above, below}}, end
}

// within reads within 10% of its 52 week high.
func (r *treeReader) within(left measured, at int) (Condition, int) {
	n := r.quantity(at)
	c := Condition{Left: left.Quantity, Equal: true}
	if n.unknown || !n.percent || n.Value >= 1 || !r.is(n.end, "of") {
		r.fail(at-1, at+1, "within how much of what? Say within 10% of its 52 week high")
		return c, 0
	}
	right := r.right(left, n.end+1)
	if right.unknown {
		return c, 0
	}
	if right.Kind != High {
		r.fail(right.from, right.end, "within is said of a high: within 10% of its 52 week high")
		return c, 0
	}
	right.Factor = 1 - n.Value
	return r.compared(c, left, right)
}

// away reads more than 2% above its 200 day average, and 10% below its high.
func (r *treeReader) away(left measured, at int) (Condition, int) {
	equal, end := false, at
	if by, after := wordingAt(r, comparing, at); after > 0 {
		switch {
		case r.is(at, "more"), r.is(at, "greater"):
		case by.equal && !by.below:
			equal = true
		default:
			return Condition{}, 0
		}
		end = after
	}
	n := r.quantity(end)
	if n.unknown || !n.percent {
		return Condition{}, 0
	}
	below := false
	end = n.end
	switch {
	case r.is(end, "above"), r.is(end, "over"):
		end++
	case r.is(end, "below"), r.is(end, "under"), r.is(end, "off"), r.is(end, "from"):
		below, end = true, end+1
	default:
		return Condition{}, 0
	}
	right := r.again(left, end)
	if right.unknown {
		right = r.right(left, end)
	}
	if right.unknown || right.Kind == Level || !left.Kind.priced() {
		return Condition{}, 0
	}
	right.Factor = 1 + n.Value
	if below {
		right.Factor = 1 - n.Value
	}
	return r.compared(Condition{Below: below, Equal: equal}, left, right)
}

// sinking and climbing are verbs that say how a price has moved.
var (
	sinking  = set("fallen dropped lost declined falls fall drops drop loses declines fell dips slides")
	climbing = set("risen gained rises rise gains climbs climbed rose")
)

// overOneDay reads up more than 1% on the day.
func (r *treeReader) overOneDay(member string, amount float64, down, equal bool) Condition {
	if down {
		amount = -amount
	}
	return Condition{Left: Quantity{Kind: Return, Member: member, Sessions: 1, Factor: 1}, Right: Quantity{Kind: Level, Value: amount, Factor: 1}, Below: down, Equal: equal}
}

// setbacks are words for a fall from a high.
var setbacks = set("drawdown drop decline fall dip pullback correction loss")

// fallen returns the token after the fall after which something is done: after a 10%
// drawdown from its high; 0 if none is said.
func (r *treeReader) fallen(at int) int {
	if !r.is(at, "after") && !r.is(at, "on") {
		return 0
	}
	at = r.skip(at+1, "a an")
	n, after := r.number(at)
	if after == 0 || n <= 0 || n >= 100 {
		return 0
	}
	end := r.p.percentSign(after)
	if end == 0 || !setbacks[r.word(end)] {
		return 0
	}
	end++
	if r.is(end, "from") || r.is(end, "off") || r.is(end, "below") {
		if m := r.quantity(end + 1); !m.unknown && m.Kind == High {
			return m.end
		}
		return 0
	}
	return end
}

// afterFall reads the condition that a fall opens: a 10% drawdown from its high.
func (r *treeReader) afterFall(at int) (Condition, int) {
	end := r.fallen(at - 1)
	n, after := r.number(r.skip(at, "a an"))
	if end == 0 || after == 0 {
		return Condition{}, 0
	}
	if r.subject == "" {
		r.fail(at, end, "whose fall? Name the member, as in after a 10% drop of SPY from its high")
		return Condition{}, 0
	}
	high := Quantity{Kind: High, Member: r.subject, Factor: 1}
	for i := at; i < end; i++ {
		if m := r.quantity(i); (r.is(i-1, "from") || r.is(i-1, "off") || r.is(i-1, "below")) && !m.unknown && m.Kind == High {
			high.Sessions = m.Sessions
		}
	}
	r.against = high
	high.Factor = 1 - n/100
	r.composed = true
	r.last = Quantity{Kind: Price, Member: r.subject, Factor: 1}
	return Condition{Left: r.last, Right: high, Below: true, Equal: true}, end
}

// moving returns the verb between two tokens after which an amount says how a price has
// moved: falls more than 3% in a week; 0 if there is none.
func (r *treeReader) moving(from, to int) int {
	for at := from; at < to; at++ {
		if !sinking[r.word(at)] && !climbing[r.word(at)] {
			continue
		}
		next := r.skip(at+1, "by")
		if _, end := wordingAt(r, comparing, next); end > 0 && (r.is(next, "more") || r.is(next, "at")) {
			next = end
		}
		if n, after := r.number(next); after > 0 && n > 0 && r.p.percentSign(after) > 0 {
			return at
		}
	}
	return 0
}

// moved reads down more than 10% from its high, and up 5% over the last month.
func (r *treeReader) moved(left measured, at int) (Condition, int) {
	down := r.is(at, "down") || sinking[r.word(at)]
	at++
	equal := false
	if r.is(at, "by") {
		at++
	}
	if by, end := wordingAt(r, comparing, at); end > 0 && !by.below {
		if _, amount := r.number(end); amount > 0 && r.p.percentSign(amount) > 0 { // not up over the last 6 months
			equal, at = by.equal, end
		}
	}
	n := r.quantity(at)
	refuse := func() (Condition, int) {
		r.fail(left.from, at, "by how much, and over how long? Say down more than 10% from its 52 week high, or up 5% over the last 3 months")
		return Condition{}, 0
	}
	end := at
	amount := 0.0
	if !n.unknown && n.percent {
		amount, end = n.Value, n.end
	} else if !r.is(at, "over") && !r.is(at, "in") && !r.is(at, "from") {
		return refuse()
	}
	if down && (r.is(end, "from") || r.is(end, "off") || r.is(end, "below")) && amount > 0 {
		right := r.right(left, end+1)
		if right.unknown || right.Kind != High {
			return refuse()
		}
		right.Factor = 1 - amount
		return r.compared(Condition{Below: true, Equal: equal}, left, right)
	}
	for r.is(end, "over") || r.is(end, "in") || r.is(end, "within") || r.is(end, "during") || r.is(end, "the") || r.is(end, "last") || r.is(end, "past") || r.is(end, "for") {
		end++
	}
	after := end
	sessions := r.spanAt(end, &after)
	if r.says(end, []string{"on", "the", "day"}) || r.says(end, []string{"in", "the", "day"}) {
		return r.overOneDay(left.Member, amount, down, equal), end + 3
	} else if r.is(end, "today") || r.is(end, "day") && r.is(end-1, "the") {
		return r.overOneDay(left.Member, amount, down, equal), end + 1
	}
	if article := r.article(end); sessions == 0 && article > 0 {
		sessions = r.spanAt(article, &after)
	}
	if sessions < 2 || sessions > 1260 {
		return refuse()
	}
	c := Condition{Left: Quantity{Kind: Return, Member: left.Member, Sessions: sessions, Factor: 1}, Right: Quantity{Kind: Level, Value: amount, Factor: 1}, Below: down, Equal: equal}
	if down {
		c.Right.Value = -amount
	}
	if c.Right.Value == 0 {
		c.Right.Value = 0 // no negative zero
	}
	return c, after
}
