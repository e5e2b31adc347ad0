package grammar

// explained returns the parentheses after a trend or a market in which it is said how it is
// told: in an uptrend (above its 200 day average); 0 if there are none.
func (r *treeReader) explained(at int) int {
	if at = r.trend(at); at == 0 || !r.is(at, "(") || r.shuts(at) == 0 {
		return 0
	}
	return at
}

// defined returns where it is said, after a trend or a market, how it is told: in an
// uptrend, defined as SPY being above its 200 day average; 0 if it is not said.
func (r *treeReader) defined(at int) int {
	if at = r.trend(at); at == 0 {
		return 0
	}
	at = r.skip(at, ",")
	switch {
	case r.is(at, "defined") && r.is(at+1, "as"), r.is(at, "that") && r.is(at+1, "is"):
		return at + 2
	case r.is(at, "meaning"):
		return r.skip(at+1, "that")
	}
	return 0
}

// trend returns the token after a word for a trend or a market; 0 if there is none.
func (r *treeReader) trend(at int) int {
	at = r.skip(at, "in a an the")
	switch {
	case r.is(at, "uptrend"), r.is(at, "downtrend"), r.is(at, "uptrends"), r.is(at, "downtrends"), r.is(at, "trending") && r.is(at+1, "up"):
	case (r.is(at, "bull") || r.is(at, "bear")) && (r.is(at+1, "market") || r.is(at+1, "markets") || r.is(at+1, "mode")), r.is(at, "up") && r.is(at+1, "trend"), r.is(at, "down") && r.is(at+1, "trend"):
		at++
	default:
		return 0
	}
	if r.is(at, "trending") {
		at++
	}
	return at + 1
}

// reaches reports a high or a low.
func (r *treeReader) reaches(at int) bool {
	kind := r.quantity(at).Kind
	return kind == High || kind == Low
}

// extreme reports a new high or low at which something is done: buy SPY at a 52 week high.
func (r *treeReader) extreme(at int) bool {
	if !r.is(at, "at") && !r.is(at, "on") || at == 0 || linking[r.word(at-1)] {
		return false
	}
	kept, tree := *r, *r.tree
	m := r.quantity(at + 1)
	*r, *r.tree = kept, tree
	return !m.unknown && (m.Kind == High || m.Kind == Low) && r.closes(m.end)
}

// crossed reports a golden or a death cross on which something is done.
func (r *treeReader) crossed(at int) bool {
	if r.is(at, "on") || r.is(at, "at") {
		at = r.skip(at+1, "a the")
		return (r.is(at, "golden") || r.is(at, "death")) && r.is(at+1, "cross")
	}
	return false
}

// cross reads a golden or a death cross: of the 50 and 200 session averages.
func (r *treeReader) cross(at int) (Condition, int) {
	at = r.skip(at, "on at a the")
	c := Condition{Below: r.is(at, "death")}
	if !r.is(at, "golden") && !c.Below || !r.is(at+1, "cross") {
		return c, 0
	}
	end := at + 2
	key := r.subject
	if r.is(end, "of") || r.is(end, "on") || r.is(end, "in") {
		if end = r.member(end+1, &key); end == 0 {
			r.fail(at+2, at+4, "a cross of whose averages? Name the member")
			return c, 0
		}
	}
	if key == "" {
		r.fail(at, end, "whose averages cross? Say a golden cross of SPY")
		return c, 0
	}
	c.Left = Quantity{Kind: SimpleMean, Member: key, Sessions: 50, Factor: 1}
	c.Right = Quantity{Kind: SimpleMean, Member: key, Sessions: 200, Factor: 1}
	r.note("A golden cross counts for as long as the 50-session average stays above the 200-session one, a death cross while it is below.")
	r.subject, r.last = key, c.Left
	return c, end
}

// annually returns the token after what says that a volatility is one of a year, as they
// all are.
func (r *treeReader) annually(at int) int {
	switch {
	case r.is(at, "annualized"), r.is(at, "annualised"), r.is(at, "annual"), r.is(at, "annually"):
		return at + 1
	case (r.is(at, "a") || r.is(at, "per")) && r.is(at+1, "year"):
		return at + 2
	}
	return at
}

// turning reads rising and falling, said of an average or an index.
func (r *treeReader) turning(left measured, at int) (Condition, int) {
	for r.is(at, "trending") || r.is(at, "sloping") || r.is(at, "pointing") || r.is(at, "turning") || r.is(at, "going") {
		at++
	}
	c := Condition{Left: left.Quantity, Right: left.Quantity}
	switch {
	case left.Kind == Price, left.Kind == Level:
		return c, 0
	case r.is(at, "rising"), r.is(at, "increasing"), r.is(at, "up"), r.is(at, "upward"), r.is(at, "upwards"), r.is(at, "higher") && r.closes(at+1):
	case r.is(at, "falling"), r.is(at, "decreasing"), r.is(at, "declining"), r.is(at, "down"), r.is(at, "downward"), r.is(at, "downwards"), r.is(at, "lower") && r.closes(at+1):
		c.Below = true
	default:
		return c, 0
	}
	r.composed = true
	end := at + 1
	c.Right.Ago = 1
	over := end
	for r.is(over, "over") || r.is(over, "for") || r.is(over, "in") || r.is(over, "during") || r.is(over, "the") || r.is(over, "last") || r.is(over, "past") || r.is(over, "than") {
		over++
	}
	after := over
	if n := r.spanAt(over, &after); n > 0 && over > end && n <= 252 {
		c.Right.Ago = n
		return c, after
	}
	r.note("An average or index rises or falls against the session before, as nothing else was said.")
	return c, end
}
