package grammar

import (
	"math"
	"slices"
	"strings"
)

// blend reads strategies with shares: 50% (…), 50% (…). It returns tried if the range
// is one, even if a part is not understood.
func (r *treeReader) blend(from, to int) (n Node, tried bool) {
	starts := r.sleeves(from, to)
	unbracketed := len(starts) < 2
	if unbracketed {
		starts = r.pieces(from, to)
	}
	if len(starts) < 2 {
		if n, tried := r.groups(from, to); tried {
			return n, true
		}
		return r.mixture(from, to)
	}
	r.composed = true
	b := &Blend{}
	sum := 0.0
	for i, s := range starts {
		end := to
		if i+1 < len(starts) {
			end = starts[i+1].from
		}
		share := s.share
		if s.rest {
			share = math.Round((1-sum)*1e12) / 1e12
		}
		sum += share
		inside := r.inside
		r.inside, r.subject, r.last = 0, "", Quantity{}
		part := r.sleeve(s.begin, end, i+1 == len(starts))
		r.inside = inside
		if part == nil {
			return nil, true
		}
		if a, ok := part.(*Allocation); ok && a.Plan.Weighting == Fixed && math.Abs(grossOf(a.Plan.Pool)-1) > 1e-9 {
			r.fail(s.begin, end, "are these shares of the whole, or of this part? The shares within a part add up to 100%")
			return nil, true
		}
		if _, simple := part.(*Allocation); !simple && repeatsShare(part, share) {
			r.fail(s.begin, end, "are these shares of the whole, or of this part? The shares within a part add up to 100%")
			return nil, true
		}
		if optimizes(part) {
			r.fail(s.begin, end, "an optimizer gives the weights of a whole model, not of a part of it: make that part a model of its own, and name its symbol here")
			return nil, true
		}
		b.Parts = append(b.Parts, Sleeve{Share: share, Node: part})
	}
	if unbracketed && !slices.ContainsFunc(b.Parts, func(s Sleeve) bool { return !isHolding(s.Node) }) {
		r.fail(from, to, "these are shares of one portfolio: what else is said of it belongs to all of them")
		return nil, true
	}
	if math.Abs(sum-1) > 1e-9 {
		r.fail(from, to, "the shares of the parts add up to "+percent(sum)+", not to 100%")
		return nil, true
	}
	return b, true
}

// repeatsShare reports a part that holds fixed shares which add up to the part's own: 70%
// SPY if …, else 70% BIL.
func repeatsShare(part Node, share float64) (found bool) {
	(&Tree{Root: part}).walk(func(n Node) {
		if a, ok := n.(*Allocation); ok && a.Plan.Weighting == Fixed && share < 1 && math.Abs(grossOf(a.Plan.Pool)-share) < 1e-9 {
			found = true
		}
	})
	return found
}

// isHolding reports a part that holds one member, or cash, and nothing else.
func isHolding(n Node) bool {
	a, ok := n.(*Allocation)
	return ok && a.Plan.plain() && len(a.Plan.Pool) < 2
}

// sleeve reads one part of a blend.
func (r *treeReader) sleeve(from, to int, last bool) Node {
	for to > from && (r.is(to-1, ",") || r.is(to-1, ";") || r.is(to-1, "and") || r.is(to-1, "plus") || r.is(to-1, "+") || r.is(to-1, ".") || r.p.tokens[to-1].kind == line) {
		to--
	}
	for from < to && (r.is(from, ":") || r.is(from, "of") || r.is(from, "in") || r.is(from, "into") || r.is(from, "to") || r.is(from, "the") || r.is(from, "a") || r.is(from, "this") || r.is(from, "that") || r.is(from, "strategy") || r.is(from, "satellite") || r.is(from, "core") || r.is(from, "follows") || r.is(from, "goes")) {
		from++
	}
	if begin, ok := r.label(from); ok && begin < to {
		n := r.sleeve(begin, to, last)
		if n != nil && !conditional(n) {
			r.fail(from, begin, "when does this strategy hold something else? Say, for example: when SPY is above its 200 day average, otherwise BIL")
			return nil
		}
		return n
	}
	if r.says(from, []string{"buy", "and", "hold"}) && r.isOneMember(from+3, to) {
		from += 3
		r.note("What is bought and held in a part is brought back to its share like the others.")
	}
	if from >= to {
		r.fail(from-1, from, "a share of what? Say 50% (SPY when above its 200 day moving average, otherwise BIL)")
		return nil
	}
	if r.is(from, "(") {
		if shut := r.shuts(from); shut > 0 && shut < to {
			n := r.node(from+1, shut, false)
			if n == nil {
				return nil
			}
			if shut+1 < to {
				if !last {
					r.fail(shut+1, to, "this stands between two parts: say it at the end if it applies to the whole, and in parentheses if it applies to a part")
					return nil
				}
				kept := r.limit
				r.limit = to
				ok := r.rest(shut + 1)
				r.limit = kept
				if !ok {
					return nil
				}
			}
			return n
		}
	}
	if last {
		if cut := r.lastClause(from, to); cut > 0 {
			stopped, furthest := r.stopped, r.furthest
			if r.whole(cut, to) {
				to = cut
				for to > from && (r.is(to-1, ",") || r.is(to-1, ";") || r.is(to-1, ".")) {
					to--
				}
			} else {
				r.stopped, r.furthest = stopped, furthest
			}
		}
	}
	return r.node(from, to, false)
}

// lastClause returns where the words after the last comma begin.
func (r *treeReader) lastClause(from, to int) int {
	for i := to - 1; i > from; i-- {
		if r.is(i, ",") || r.is(i, ";") || r.is(i, ".") {
			return i + 1
		}
	}
	return 0
}

// sleeveStart is where a part of a blend begins.
type sleeveStart struct {
	from, begin int // its share, and what follows it
	share       float64
	rest        bool
}

// sleeves finds the parts of a blend. A share begins a part if parentheses follow it,
// if a semicolon or a line ends the part before it, or if that part has said what is
// held otherwise.
func (r *treeReader) sleeves(from, to int) []sleeveStart {
	from = r.skip(from, ", . ; :")
	for introducing[r.word(from)] || r.is(from, "a") || r.is(from, "an") || r.is(from, "the") || r.is(from, "i") || r.is(from, "we") || r.is(from, "want") || r.is(from, "i'd") || r.is(from, "like") {
		from++
	}
	var starts []sleeveStart
	settled, decided, composed, listed := true, false, false, false
	for at := from; at < to; at++ {
		if settled || at > from && r.joins(at-1) {
			s, ok := r.shareStart(at)
			plain := ok && len(starts) > 0 && r.isOneMember(starts[len(starts)-1].begin, at)
			_, labelled := r.label(r.skip(s.begin, "in into"))
			listed = listed || plain && !settled && !r.is(s.begin, "(") && !r.is(s.begin, "satellite") && !labelled
			if ok && (len(starts) == 0 && at == from || len(starts) > 0 && (settled || plain || r.is(s.begin, "("))) {
				composed = composed || r.is(s.begin, "(") || labelled || r.is(s.begin, "satellite") || r.is(at, "satellite") || mixing[r.word(at)]
				starts = append(starts, s)
				settled, decided = false, false
				at = s.begin - 1
				continue
			}
		}
		if len(starts) == 0 {
			return nil
		}
		switch {
		case r.is(at, "("):
			if shut := r.shuts(at); shut > 0 {
				at = shut
				settled = true
			}
		case r.is(at, ";"), r.p.tokens[at].kind == line, r.is(at, ".") && (r.is(at+1, "satellite") || r.is(at+1, "core")):
			settled = true
		default:
			if after, ok := r.elses(at); ok {
				for introducing[r.word(after)] {
					after++
				}
				if _, shared := r.shareStart(after); !shared { // otherwise its shares are those of what is held otherwise
					decided = true
				}
			}
		}
		if decided && at > from && r.joins(at) {
			settled, composed = true, true
		}
	}
	if !composed || len(starts) < 2 || listed && !r.bracketedOrOne(starts, to) {
		return nil
	}
	return starts
}

// isOneMember reports a range with one member, apart from marks and in.
func (r *treeReader) isOneMember(from, to int) bool {
	for r.is(from, "in") || r.is(from, "of") || r.is(from, "into") {
		from++
	}
	for to > from && r.joins(to-1) {
		to--
	}
	var key string
	return r.member(from, &key) == to && to > from
}

// bracketedOrOne reports parts that each are in parentheses or one member. Where
// plain shares are listed, a condition without parentheses would belong to all of them
// or to the last.
func (r *treeReader) bracketedOrOne(starts []sleeveStart, to int) bool {
	for i, s := range starts {
		end := to
		if i+1 < len(starts) {
			end = starts[i+1].from
		}
		bracketed := r.is(s.begin, "(") || r.is(s.begin, "in") && r.is(s.begin+1, "(")
		if !bracketed && !r.isOneMember(s.begin, end) {
			return false
		}
	}
	return true
}

// joins reports a token after which another part of a list may begin.
func (r *treeReader) joins(at int) bool {
	return r.is(at, ",") || r.is(at, ";") || r.is(at, "and") || r.is(at, "with") && r.satellite(at+1) || r.is(at, "plus") || r.is(at, "+") || r.is(at, "&") || r.in(at) && r.p.tokens[at].kind == line
}

// satellite reports the share of a satellite: 20% satellite in BTC.
func (r *treeReader) satellite(at int) bool {
	for r.is(at, "a") {
		at++
	}
	_, after := r.number(at)
	return r.is(at, "satellite") || after > 0 && r.is(max(after, r.p.percentSign(after)), "satellite")
}

// shareStart reads a share that begins a part: 50%, half, the rest.
func (r *treeReader) shareStart(at int) (sleeveStart, bool) {
	s := sleeveStart{from: at}
	if mixing[r.word(at)] && (r.is(at+1, "remaining") || r.is(at+1, "other") || r.is(at+1, "the") && (r.is(at+2, "remaining") || r.is(at+2, "other"))) {
		at++
	}
	if r.is(at, "core") || r.is(at, "satellite") || r.is(at, "a") && r.is(at+1, "satellite") {
		for r.is(at, "a") || r.is(at, "core") || r.is(at, "satellite") || r.is(at, "of") || r.is(at, ":") {
			at++
		}
	}
	for r.is(at, "the") || r.is(at, "a") || r.is(at, "other") || r.is(at, "remaining") || r.is(at, "-") || r.is(at, "*") {
		at++
	}
	if v, end := r.fraction(at); end > 0 {
		s.share, s.begin = v, r.ofMoney(end)
		return s, true
	}
	if n, after := r.number(at); after > 0 {
		if sign := r.p.percentSign(after); sign > 0 && sign <= r.limit && n > 0 && n < 100 {
			s.share, s.begin = n/100, r.ofMoney(sign)
			return s, true
		}
		return s, false
	}
	if v, ok := map[string]float64{"half": 0.5, "third": 1. / 3, "quarter": 0.25}[r.word(at)]; ok {
		s.share, s.begin = v, r.ofMoney(at+1)
		return s, true
	}
	if w := r.word(at); strings.TrimSpace(w) != "" && slices.Contains([]string{"rest", "remainder", "balance"}, w) {
		s.rest, s.begin = true, at+1
		return s, true
	}
	return s, false
}

// ofMoney returns the token after of the money, of my portfolio, which a share may be
// said to be of.
func (r *treeReader) ofMoney(at int) int {
	start := at
	if r.is(at, "my") || r.is(at, "the") || r.is(at, "our") {
		at-- // half my money
	} else if !r.is(at, "of") || !r.is(at+1, "the") && !r.is(at+1, "my") && !r.is(at+1, "your") {
		return at
	}
	switch r.word(at + 2) {
	case "money", "capital", "portfolio", "equity", "account", "funds", "assets", "total", "whole":
		return at + 3
	}
	return start
}
