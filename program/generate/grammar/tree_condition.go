package grammar

import (
	"fmt"
	"strings"
)

// condition reads comparisons joined by and or or. It returns the token after it, or 0.
func (r *treeReader) condition(at int) (Condition, int) {
	if r.deep++; r.deep > deepest {
		r.fail(at, at+1, fmt.Sprintf("conditions may be nested %d deep", deepest))
		return Condition{}, 0
	}
	defer func() { r.deep-- }()
	if (r.is(at, "both") || r.is(at, "either")) && !linking[r.word(at+1)] {
		at++
	}
	first, end := r.single(at)
	if end == 0 {
		return first, 0
	}
	r.composed = true
	all := Condition{Join: Single, Of: []Condition{first}}
	for {
		next := end
		if r.is(next, ",") {
			next++
		}
		var join Join
		switch {
		case r.is(next, "and"), r.is(next, "&"):
			join = All
		case r.is(next, "or"):
			join = Any
		default:
			return joined(all), end
		}
		var key string
		if held := r.member(r.skip(next+1, "in into hold"), &key); join == All && held > 0 && r.dated(held) { // SPY in winter and BIL from May to October
			return joined(all), end
		}
		if r.remains(end) { // in SPY in January and in BIL the rest of the time
			return joined(all), end
		}
		next++
		if open, not, ok := r.opens(next); ok && !not { // and if
			next = open
		}
		kept := r.stopped
		x, after := r.single(next)
		if after == 0 {
			if r.action(next) || exiting[r.word(next)] || r.is(next, "back") {
				r.stopped = kept
				return joined(all), end
			}
			return x, 0
		}
		if all.Join != Single && all.Join != join && !r.p.tokens[next-1].is("&") {
			r.fail(next-1, after, "does and or or come first here? Put parentheses around what belongs together, such as (A and B) or C")
			return x, 0
		}
		all.Join, all.Of, end = join, append(all.Of, x), after
	}
}

// contrary reads it isn't, which means the opposite of the condition before.
func (r *treeReader) contrary(at int) int {
	for r.is(at, "it") || r.is(at, "they") || r.is(at, "this") || r.is(at, "that") || r.is(at, "'s") || r.is(at, "is") || r.is(at, "it's") || r.is(at, "are") || r.is(at, "does") || r.is(at, "do") {
		at++
	}
	if r.is(at, "not") || r.is(at, "isn't") || r.is(at, "isnt") || r.is(at, "aren't") || r.is(at, "doesn't") || r.is(at, "don't") {
		if at++; r.closes(at) || r.action(at) {
			return at
		}
	}
	return 0
}

// closes reports whether a clause ends at a token.
func (r *treeReader) closes(at int) bool {
	if !r.in(at) || r.is(at, ",") || r.is(at, ":") || r.is(at, "then") || r.is(at, "-") && r.is(at+1, ">") || r.ends(at) {
		return true
	}
	return r.action(at)
}

// action reports that holdings follow, not another condition.
func (r *treeReader) action(at int) bool {
	w := r.word(at)
	return introducing[w] && w != "over" && w != "in" || w == "then"
}

func joined(c Condition) Condition {
	if len(c.Of) == 1 {
		return c.Of[0]
	}
	return c
}

// single reads one comparison, months, or a condition in parentheses.
func (r *treeReader) single(at int) (Condition, int) {
	for r.is(at, "that") || r.is(at, "also") {
		at++
	}
	switch {
	case r.is(at, "not"):
		c, end := r.single(at + 1)
		return c.negated(), end
	case r.is(at, "("):
		if shut := r.shuts(at); shut > 0 {
			kept := r.limit
			r.limit = shut
			c, end := r.condition(at + 1)
			r.limit = kept
			if end > 0 && end != shut {
				r.fail(end, shut, "this is not understood as part of a condition")
				return c, 0
			}
			if end == 0 {
				return c, 0
			}
			return c, shut + 1
		}
	}
	if c, end := r.date(at); end > 0 {
		return c, end
	}
	if r.crossed(at) || r.is(r.skip(at, "a the"), "golden") || r.is(r.skip(at, "a the"), "death") {
		c, end := r.cross(at)
		r.asked = c
		return c, end
	}
	if r.extreme(at) && r.subject != "" { // buy SPY at a new 52 week high
		c, end := r.predicate(measured{Quantity: Quantity{Kind: Price, Member: r.subject, Factor: 1}, from: at, end: at})
		r.asked = c
		return c, end
	}
	if c, end, found := r.inTrend(at); found {
		return c, end
	}
	if c, end := r.afterFall(at); end > 0 {
		r.asked = c
		return c, end
	}
	if c, end := r.bothReturns(at); end > 0 {
		r.asked = c
		return c, end
	}
	if end := r.contrary(at); end > 0 && r.asked.Left.Kind != "" {
		return r.asked.negated(), end
	}
	if c, end, found := r.counted(at); found {
		return c, end
	}
	if r.startsCondition(at) && r.subject != "" && r.last.Kind == "" {
		r.last = Quantity{Kind: Price, Member: r.subject, Factor: 1}
	}
	if n, after := r.number(at); after > 0 && n > 0 && r.last.Kind.priced() && r.startsCondition(at) { // 3% above the 200 day average
		if c, end := r.away(measured{Quantity: r.last, from: at, end: at}, at); end > 0 {
			r.composed, r.asked = true, c
			return c, end
		}
	}
	left := r.quantity(at)
	if left.unknown && (r.is(at, "positive") || r.is(at, "negative")) && r.asked.Left.Kind == Return && at > 0 { // when negative
		left = measured{Quantity: r.asked.Left, from: at, end: at}
	}
	if left.unknown && r.is(r.linked(at), "within") && r.subject != "" { // SPY if within 5% of its high
		left = measured{Quantity: Quantity{Kind: Price, Member: r.subject, Factor: 1}, from: at, end: at}
	}
	if left.unknown {
		if _, end := wordingAt(r, comparing, r.linked(at)); end > 0 && r.last.Kind != "" {
			left = measured{Quantity: r.last, from: at, end: at} // and above its 50 day average
		} else {
			r.strange(at)
			return Condition{}, 0
		}
	}
	if left.Member == "" && left.Kind != Level {
		left.Member = r.subject
		if r.elliptic(left) { // when it falls below: what was above
			left.Member = r.against.Member
		}
		if left.Member == "" {
			r.fail(left.from, left.end, "whose? Name the member, such as SPY's 12 month return")
			return Condition{}, 0
		}
	}
	if left.bare && !r.is(at, "it") {
		if others, join, end := r.listed(left); len(others) > 0 {
			left.end = end
			c, end := r.predicate(left)
			if end == 0 || c.Join != Single {
				return c, 0
			}
			return c.each(others, join), end
		}
	}
	c, end := r.predicate(left)
	r.previous = c
	if end > 0 {
		r.asked = c
	}
	return c, end
}

// elliptic reports a comparison of it with what a price was compared with before: when it
// falls below.
func (r *treeReader) elliptic(left measured) bool {
	if !left.bare || r.against.Kind == "" {
		return false
	}
	left.Member = r.against.Member
	at := r.linked(left.end)
	if n, after := r.number(at); after > 0 && n > 0 {
		at = max(after, r.p.percentSign(after))
	}
	_, end := wordingAt(r, comparing, at)
	return end > 0 && !r.again(left, end).unknown
}

// bothReturns reads several lengths of one return: both its 3 month and 12 month returns are
// positive.
func (r *treeReader) bothReturns(at int) (Condition, int) {
	from, key := at, r.subject
	for r.is(at, "both") || r.is(at, "its") || r.is(at, "the") {
		at++
	}
	if end := r.member(at, &key); end > 0 {
		if at = end; r.is(at, "'s") {
			at++
		}
	}
	list, end := r.p.spanList(at)
	lengths, _ := list.([]span)
	kind, after := wordingAt(r, measures, end)
	if len(lengths) < 2 || end >= r.limit || kind != Return {
		return Condition{}, 0
	}
	if (r.is(after, "of") || r.is(after, "for")) && r.isMemberAt(after+1) {
		after = r.member(after+1, &key)
	}
	after = r.skip(after, "are both is being")
	if key == "" || !r.is(after, "positive") && !r.is(after, "negative") {
		r.fail(from, after, "whose returns, and what of them? Say both the 3 month and the 12 month return of SPY are positive")
		return Condition{}, 0
	}
	all := Condition{Join: All}
	for _, x := range lengths {
		all.Of = append(all.Of, Condition{Left: Quantity{Kind: Return, Member: key, Sessions: x.sessions, Factor: 1}, Right: Quantity{Kind: Level, Factor: 1}, Below: r.is(after, "negative")})
	}
	r.composed = true
	r.subject, r.last = key, all.Of[0].Left
	return all, after + 1
}

// inTrend reads in uptrends (above the 200 day average), and in downtrends after it, which
// are the opposite.
func (r *treeReader) inTrend(at int) (c Condition, end int, found bool) {
	if !r.is(at, "in") && !r.is(at, "during") {
		return c, 0, false
	}
	end = r.trend(at)
	down := end > 0 && (strings.HasPrefix(r.word(end-1), "downtrend") || r.is(end-2, "bear") || r.is(end-2, "down"))
	inner := r.explained(at)
	switch {
	case end == 0:
		return c, 0, false
	case inner == 0 && r.trending.Left.Kind == "":
		return c, 0, false
	case inner == 0:
		if c = r.trending; down {
			c = c.negated()
		}
		r.asked = c
		return c, end, true
	}
	shut := r.shuts(inner)
	kept := r.limit
	r.limit = shut
	c, end = r.condition(inner + 1)
	if r.limit = kept; end != shut {
		r.fail(inner, shut, "how is this told? Say in uptrends (SPY above its 200 day average)")
		return c, 0, true
	}
	if r.trending = c; down {
		r.trending = c.negated()
	}
	return c, shut + 1, true
}

// listed reads several members that one comparison is about: SPY and QQQ are above
// their 200 day averages. It returns the others and the token after them.
func (r *treeReader) listed(first measured) (others []string, join Join, end int) {
	end = first.end
	join = All
	for {
		at := end
		if r.is(at, ",") {
			at++
		}
		joins := All
		switch {
		case r.is(at, "and"), r.is(at, "&"):
			at++
		case r.is(at, "or"):
			joins = Any
			at++
		case at == end:
			return others, join, end
		}
		var key string
		after := r.member(at, &key)
		if after == 0 {
			return nil, All, first.end
		}
		others, end = append(others, key), after
		if joins == Any {
			join = Any
		}
		if _, compared := wordingAt(r, comparing, r.linked(end)); compared > 0 {
			return others, join, end
		}
	}
}

// each repeats a comparison for other members.
func (c Condition) each(others []string, join Join) Condition {
	all := Condition{Join: join, Of: []Condition{c}}
	for _, key := range others {
		x := c
		if x.Right.Member == x.Left.Member {
			x.Right.Member = key
		}
		x.Left.Member = key
		all.Of = append(all.Of, x)
	}
	return all
}
