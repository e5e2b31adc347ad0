package grammar

import (
	"math"
	"slices"
	"strings"
)

// strategy reads a choice or a leaf, and returns the token after it. Within the first
// side of a choice no condition follows a leaf: it would belong to the one or to the
// other.
func (r *treeReader) strategy(at int, within bool) (Node, int) {
	if r.deep++; r.deep > deepest {
		r.fail(at, at+1, "strategies are nested too deep: name the inner one as a model of its own")
		return nil, 0
	}
	defer func() { r.deep-- }()
	at = r.skip(at, ", : then ; -")
	if r.is(at, "elif") || r.is(at, "elseif") {
		return r.choice(at+1, false, within)
	}
	if r.says(at, []string{"sell", "in", "may"}) {
		return r.sellInMay(at)
	}
	if end, not, ok := r.opens(at); ok {
		return r.choice(end, not, within)
	}
	node, end := r.leaf(at)
	if node == nil || within {
		return node, end
	}
	next := r.skip(end, ", ; .")
	open, not, ok := r.opens(next)
	if !ok {
		return node, end
	}
	if _, elsewhere := r.elses(next); elsewhere {
		return node, end
	}
	r.subject = soleMember(node)
	condition, end := r.condition(open)
	if end == 0 {
		return nil, 0
	}
	if not {
		condition = condition.negated()
		other := r.skip(end, ",")
		switch {
		case r.says(other, []string{"in", "which", "case"}):
			return r.overruled(condition, node, other+3)
		case r.is(other, "then"):
			return r.overruled(condition, node, other+1)
		}
	} else if other := r.skip(end, ", then"); r.action(other) && !r.is(other, "to") {
		return r.overruled(condition.negated(), node, other) // hold SPY, but if … hold BIL
	}
	return r.otherwise(condition, node, end, false)
}

// sellInMay reads sell in May and go away with SPY, otherwise BIL.
func (r *treeReader) sellInMay(at int) (Node, int) {
	r.composed = true
	end := at + 3
	if r.says(end, []string{"and", "go", "away"}) || r.says(end, []string{"and", "come", "back"}) {
		end += 3
	}
	for r.is(end, ",") || r.is(end, ":") || r.is(end, "with") || r.is(end, "using") || r.is(end, "on") {
		end++
	}
	if !r.in(end) {
		r.fail(at, end, "what is held from November to April? Say sell in May with SPY, otherwise BIL")
		return nil, 0
	}
	node, end := r.leaf(end)
	if node == nil {
		return nil, 0
	}
	r.note("Sell in May holds it from November to April (Bouman and Jacobsen, The Halloween Indicator, American Economic Review, 2002).")
	return r.otherwise(Condition{Months: []int{11, 12, 1, 2, 3, 4}}, node, end, false)
}

// overruled reads what is held instead of a node while a condition is not true.
func (r *treeReader) overruled(condition Condition, node Node, at int) (Node, int) {
	other, end := r.strategy(at, true)
	if other == nil {
		return nil, 0
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
	if !within { // within another choice, its means the member that was compared last
		r.subject, r.last = "", Quantity{}
	}
	condition, end := r.condition(at)
	if end == 0 {
		return nil, 0
	}
	if not {
		condition = condition.negated()
	}
	then, end := r.strategy(end, true)
	if then == nil {
		return nil, 0
	}
	return r.otherwise(condition, then, end, within)
}

// otherwise reads what is held while a condition is not true: CASH if nothing is said.
func (r *treeReader) otherwise(condition Condition, then Node, end int, within bool) (Node, int) {
	c := &Choice{If: condition, Then: then, Else: &Allocation{Plan: &Plan{Leverage: 1}}}
	next := r.skip(end, ", ; . and")
	if after, ok := r.elses(next); ok {
		other, end := r.strategy(after, false)
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
	if !within && r.in(next) && r.chained(next) {
		other, end := r.strategy(next, false)
		if other == nil {
			return nil, 0
		}
		r.note("Of several conditions the first that is true counts.")
		c.Else = other
		return c, end
	}
	r.note(cashOtherwise)
	return c, end
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

// leaf reads what is held without a condition, or a strategy in parentheses.
func (r *treeReader) leaf(at int) (Node, int) {
	start := at
	for introducing[r.word(start)] && r.is(start+1, "(") {
		start++
	}
	if r.is(start, "(") {
		if shut := r.shuts(start); shut > 0 && r.ends(shut+1) {
			n := r.node(start+1, shut, false)
			return n, shut + 1
		}
	}
	end := at
	for r.in(end) && !r.ends(end) {
		if r.is(end, "(") {
			end = max(end, r.shuts(end))
		}
		end++
	}
	stop := end
	for stop > at && (r.is(stop-1, ",") || r.is(stop-1, "and") || r.is(stop-1, "but") || r.p.tokens[stop-1].kind == line) {
		stop--
	}
	if stop <= at {
		r.fail(at, at+1, "what is held here? Name it, such as hold SPY, or 60% SPY and 40% AGG")
		return nil, 0
	}
	n := r.plan(at, stop, false)
	if n == nil {
		return nil, 0
	}
	return n, end
}

// ends reports whether what is held ends at a token.
func (r *treeReader) ends(at int) bool {
	if !r.in(at) || r.is(at, ";") || r.is(at, ".") || r.is(at, ")") {
		return true
	}
	next := at
	for r.is(next, ",") || r.is(next, "and") || r.in(next) && r.p.tokens[next].kind == line {
		next++
	}
	if _, ok := r.elses(next); ok {
		return true
	}
	_, _, ok := r.opens(next)
	return ok
}

// plan reads a range as a description without a tree. In brackets its modifiers apply
// to it alone; elsewhere it would not be clear.
func (r *treeReader) plan(from, to int, bracketed bool) Node {
	if introducing[r.word(from)] && (r.is(from+1, "everything") || r.is(from+1, "all")) && introducing[r.word(from+2)] {
		from += 2 // move everything to BIL
	}
	if r.onlyCash(from, to) {
		return &Allocation{Plan: &Plan{Leverage: 1}}
	}
	sub := r.sub(from, to)
	if sub == nil {
		return nil
	}
	stated := *sub
	if !sub.draft.schedule.there {
		sub.draft.schedule = said[Schedule]{value: Schedule{Every: "daily", Session: -1}, there: true}
	}
	plan := sub.plan()
	if len(sub.problems) > 0 {
		r.blame(sub, from)
		return nil
	}
	if plan.Hold {
		r.fail(from, to, "what is bought and held cannot be part of conditions or of a blend, which trade at each decision")
		return nil
	}
	for _, x := range modifiers(&stated.draft) {
		if x.there && !bracketed && x.what != "weighting" {
			r.fail(from+x.from, from+x.to, "does the "+x.what+" apply to this part, or to all of them? Put the part in parentheses with it")
			return nil
		}
	}
	if bracketed && (stated.draft.schedule.there || stated.draft.band.there || stated.draft.fill.there) {
		at := stated.draft.schedule
		r.fail(from+at.from, from+max(at.to, at.from+1), "a part has no schedule, band or fill of its own: say it once for the whole, outside of the parentheses")
		return nil
	}
	if !r.hoist(&stated, from) {
		return nil
	}
	for _, n := range plan.Notes {
		r.note(n)
	}
	return &Allocation{Plan: plan}
}

// onlyCash reports a range that says cash, and nothing else.
func (r *treeReader) onlyCash(from, to int) bool {
	for from < to && (introducing[r.word(from)] || filler[r.word(from)] || r.is(from, "everything") || r.is(from, "100") || r.is(from, "%")) {
		from++
	}
	if from >= to {
		return false
	}
	m, ok := r.p.memberAt(from, true)
	return ok && m.cash && m.end == to
}

// blend reads strategies with shares: 50% (…), 50% (…). It returns tried if the range
// is one, even if a part is not understood.
func (r *treeReader) blend(from, to int) (n Node, tried bool) {
	starts := r.sleeves(from, to)
	if len(starts) < 2 {
		return nil, false
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
		part := r.sleeve(s.begin, end, i+1 == len(starts))
		if part == nil {
			return nil, true
		}
		if a, ok := part.(*Allocation); ok && a.Plan.Weighting == Fixed && math.Abs(grossOf(a.Plan.Pool)-1) > 1e-9 {
			r.fail(s.begin, end, "are these shares of the whole, or of this part? The shares within a part add up to 100%")
			return nil, true
		}
		if optimizes(part) {
			r.fail(s.begin, end, "an optimizer gives the weights of a whole model, not of a part of it: make that part a model of its own, and name its symbol here")
			return nil, true
		}
		b.Parts = append(b.Parts, Sleeve{Share: share, Node: part})
	}
	if math.Abs(sum-1) > 1e-9 {
		r.fail(from, to, "the shares of the parts add up to "+percent(sum)+", not to 100%")
		return nil, true
	}
	return b, true
}

// sleeve reads one part of a blend.
func (r *treeReader) sleeve(from, to int, last bool) Node {
	for to > from && (r.is(to-1, ",") || r.is(to-1, ";") || r.is(to-1, "and") || r.is(to-1, "plus") || r.is(to-1, "+") || r.is(to-1, ".") || r.p.tokens[to-1].kind == line) {
		to--
	}
	for from < to && (r.is(from, ":") || r.is(from, "of") || r.is(from, "in") || r.is(from, "into") || r.is(from, "to") || r.is(from, "the") || r.is(from, "a") || r.is(from, "this") || r.is(from, "that") || r.is(from, "strategy") || r.is(from, "follows") || r.is(from, "goes")) {
		from++
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
	for introducing[r.word(from)] || r.is(from, "a") || r.is(from, "an") || r.is(from, "the") {
		from++
	}
	var starts []sleeveStart
	settled, decided, composed, listed := true, false, false, false
	for at := from; at < to; at++ {
		if settled || at > from && r.joins(at-1) {
			s, ok := r.shareStart(at)
			plain := ok && len(starts) > 0 && r.isOneMember(starts[len(starts)-1].begin, at)
			listed = listed || plain && !settled && !r.is(s.begin, "(")
			if ok && (len(starts) == 0 && at == from || len(starts) > 0 && (settled || plain || r.is(s.begin, "("))) {
				composed = composed || r.is(s.begin, "(")
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
		case r.is(at, ";"), r.p.tokens[at].kind == line:
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
	return r.is(at, ",") || r.is(at, ";") || r.is(at, "and") || r.is(at, "plus") || r.is(at, "+") || r.is(at, "&") || r.in(at) && r.p.tokens[at].kind == line
}

// shareStart reads a share that begins a part: 50%, half, the rest.
func (r *treeReader) shareStart(at int) (sleeveStart, bool) {
	s := sleeveStart{from: at}
	for r.is(at, "the") || r.is(at, "a") || r.is(at, "other") || r.is(at, "remaining") || r.is(at, "-") || r.is(at, "*") {
		at++
	}
	if n, after := r.number(at); after > 0 {
		if sign := r.p.percentSign(after); sign > 0 && sign <= r.limit && n > 0 && n < 100 {
			s.share, s.begin = n/100, sign
			return s, true
		}
		return s, false
	}
	if v, ok := map[string]float64{"half": 0.5, "third": 1. / 3, "quarter": 0.25}[r.word(at)]; ok {
		s.share, s.begin = v, at+1
		return s, true
	}
	if w := r.word(at); strings.TrimSpace(w) != "" && slices.Contains([]string{"rest", "remainder", "balance"}, w) {
		s.rest, s.begin = true, at+1
		return s, true
	}
	return s, false
}
