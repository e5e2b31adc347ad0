package grammar

import (
	"math"
	"slices"
)

// pieces finds the parts of a blend that plain shares begin: 60% SPY, 40% best of TLT and
// GLD by 6 month return. A condition at the very end could belong to all of them, unless
// it speaks of its part alone.
func (r *treeReader) pieces(from, to int) []sleeveStart {
	from = r.skip(from, ", . ; :")
	for introducing[r.word(from)] || r.is(from, "weight") || r.is(from, "put") || r.is(from, "a") || r.is(from, "an") || r.is(from, "the") {
		from++
	}
	var starts []sleeveStart
	sum, rest := 0.0, false
	for at := from; at < to; at++ {
		if r.is(at, "(") {
			at = max(at, r.shuts(at))
			continue
		}
		if at > from && !r.joins(at-1) {
			continue
		}
		if s, ok := r.shareStart(at); ok && s.begin < to && !r.is(s.begin, "/") && !r.is(s.begin, "or") {
			partly := r.is(s.begin, "of") && (r.is(s.begin+1, "that") || r.is(s.begin+1, "which") || r.is(s.begin+1, "it") || r.is(s.begin+1, "those") || r.is(s.begin+1, "them"))
			if len(starts) == 0 && at > from || rest || partly {
				return nil
			}
			starts, sum, rest = append(starts, s), sum+s.share, s.rest
			at = s.begin - 1
		}
	}
	if len(starts) < 2 || !rest && math.Abs(sum-1) > 0.011 || rest && sum >= 1 {
		return nil
	}
	composed := false
	for i, s := range starts {
		end := to
		if i+1 < len(starts) {
			end = starts[i+1].from
		}
		if !r.isOneMember(s.begin, end) && !r.cashUpTo(s.begin, end) {
			composed = true
			if i+1 == len(starts) && !r.remaining(s) && !r.ownCondition(s.begin, end) {
				return nil
			}
		}
	}
	if !composed {
		return nil
	}
	return r.thirds(starts, sum)
}

// remaining reports a part that is said to be what the others leave: the other 50%.
func (r *treeReader) remaining(s sleeveStart) bool {
	return r.is(s.from, "other") || r.is(s.from, "remaining") || r.is(s.from, "the") && (r.is(s.from+1, "other") || r.is(s.from+1, "remaining"))
}

// thirds makes three times 33% a third each.
func (r *treeReader) thirds(starts []sleeveStart, sum float64) []sleeveStart {
	if sum != 1 && math.Abs(sum-1) < 0.011 && !slices.ContainsFunc(starts, func(s sleeveStart) bool { return s.rest || s.share != starts[0].share }) {
		for i := range starts {
			starts[i].share = 1 / float64(len(starts))
		}
	}
	return starts
}

// cashUpTo reports a range that names cash alone.
func (r *treeReader) cashUpTo(from, to int) bool {
	for to > from && r.joins(to-1) {
		to--
	}
	return r.onlyCash(from, to)
}

// ownCondition reports the last part of a blend whose condition, if it has one, speaks of
// that part: when above its average, not if SPY is above its average.
func (r *treeReader) ownCondition(from, to int) bool {
	for at := from; at < to; at++ {
		if r.is(at, "(") {
			at = max(at, r.shuts(at))
			continue
		}
		open, _, ok := r.opens(at)
		if !ok {
			continue
		}
		if r.is(open, "it") || r.is(open, "its") || r.is(open, "it's") {
			return true
		}
		_, compared := wordingAt(r, comparing, r.linked(open))
		return compared > 0 || r.startsCondition(open)
	}
	return true
}

// fraction reads 1/3, one third, two thirds and three quarters.
func (r *treeReader) fraction(at int) (float64, int) {
	n, after := r.number(at)
	if after == 0 || n < 1 || n > 9 {
		return 0, 0
	}
	if d, end := r.number(after + 1); r.is(after, "/") && end > 0 && n < d && d < 100 && r.p.tokens[after].glued && r.p.percentSign(end) == 0 && !r.is(end, "/") && n+d != 10 {
		return n / d, end
	}
	parts := map[string]float64{"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5}
	if d := parts[r.word(after)]; d > n {
		return n / d, after + 1
	}
	return 0, 0
}

// grouping are the words before parts in parentheses.
var grouping = set("equal equally evenly parts part weight weights weighted of split splits between among across blend mix combination portfolio strategies strategy models model two three four five a an the in to into and : , half put allocate hold money my each combine invest")

// groups reads parts in parentheses with equal shares, or with shares before all of them:
// equal parts of (…) and (…), a 60/40 blend of (…) and (…).
func (r *treeReader) groups(from, to int) (Node, bool) {
	at, equal := from, false
	var shares []float64
	for ; at < to && !r.is(at, "("); at++ {
		if n, after := r.number(at); after > 0 && (r.is(after, "/") || len(shares) > 0) && r.p.tokens[at].kind == number {
			shares = append(shares, n/100)
			if r.is(after, "/") {
				at++
			}
			continue
		}
		equal = equal || r.is(at, "equal") || r.is(at, "equally") || r.is(at, "evenly")
		if !grouping[r.word(at)] {
			return nil, false
		}
	}
	var parts [][2]int
	for at < to && r.is(at, "(") {
		shut := r.shuts(at)
		if shut == 0 {
			return nil, false
		}
		parts = append(parts, [2]int{at + 1, shut})
		at = shut + 1
		for at < to && r.joins(at) {
			at++
		}
	}
	if len(parts) < 2 || !equal && len(shares) != len(parts) || equal && shares != nil {
		return nil, false
	}
	r.composed = true
	b := &Blend{}
	sum := 0.0
	for i, part := range parts {
		share := 1 / float64(len(parts))
		if shares != nil {
			share = shares[i]
		}
		sum += share
		inside := r.inside
		r.inside, r.subject, r.last = 0, "", Quantity{}
		n := r.node(part[0], part[1], false)
		r.inside = inside
		if n == nil {
			return nil, true
		}
		if optimizes(n) {
			r.fail(part[0], part[1], "an optimizer gives the weights of a whole model, not of a part of it: make that part a model of its own, and name its symbol here")
			return nil, true
		}
		b.Parts = append(b.Parts, Sleeve{Share: share, Node: n})
	}
	if math.Abs(sum-1) > 1e-9 {
		r.fail(from, parts[0][0], "the shares of the parts add up to "+percent(sum)+", not to 100%")
		return nil, true
	}
	if at < to && !r.rest(at) {
		return nil, true
	}
	return b, true
}
