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

// moved reads down more than 10% from its high, and up 5% over the last month.
func (r *treeReader) moved(left measured, at int) (Condition, int) {
	down := r.is(at, "down") || r.is(at, "fallen") || r.is(at, "dropped") || r.is(at, "lost") || r.is(at, "declined")
	at++
	equal := false
	if r.is(at, "by") {
		at++
	}
	if by, end := wordingAt(r, comparing, at); end > 0 && !by.below {
		equal, at = by.equal, end
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
	for r.is(end, "over") || r.is(end, "in") || r.is(end, "the") || r.is(end, "last") || r.is(end, "past") || r.is(end, "for") {
		end++
	}
	after := end
	sessions := r.spanAt(end, &after)
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
