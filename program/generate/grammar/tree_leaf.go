package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

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
	if r.compares(at) || at > 0 && (r.is(at, "normally") || r.is(at, "usually")) {
		return true
	}
	if at > 0 && r.departs(at) {
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

// compares reports a condition that follows what is held without a word such as when: SSO
// above the 200 day average of SPY.
func (r *treeReader) compares(at int) bool {
	if w := r.word(at); at == 0 || w != "above" && w != "below" && w != "over" && w != "under" || introducing[r.word(at-1)] {
		return false
	}
	kept, tree := *r, *r.tree
	right := r.quantity(at + 1)
	*r, *r.tree = kept, tree
	return !right.unknown && (right.Kind == SimpleMean || right.Kind == ExponentialMean) && (right.Member != "" || r.closes(right.end))
}

// plan reads a range as a description without a tree. In brackets its modifiers apply
// to it alone; elsewhere it would not be clear.
func (r *treeReader) plan(from, to int, bracketed bool) Node {
	if introducing[r.word(from)] && (r.is(from+1, "everything") || r.is(from+1, "all")) && introducing[r.word(from+2)] {
		from += 2 // move everything to BIL
	}
	if (cutting[r.word(from)] || r.is(from, "increase") || r.is(from, "raise")) && r.is(from+1, "to") {
		from += 2 // reduce to 50% SPY and 50% BIL
	}
	if r.is(from, "fully") || r.is(from, "entirely") {
		from++ // otherwise fully SPY
	}
	if r.onlyCash(from, to) {
		return &Allocation{Plan: &Plan{Leverage: 1}}
	}
	if key := r.itself(from, to); key != "" {
		return alone(key)
	}
	sub := r.sub(from, to)
	if sub == nil {
		return nil
	}
	stated := *sub
	r.asCompared(&sub.draft)
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
		if x.there && !bracketed && x.what != "weighting" && r.apart(from+x.from, from+x.to, to) {
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
	a := &Allocation{Plan: plan}
	r.unnamed(a, from, to)
	for _, n := range plan.Notes {
		r.note(n)
	}
	return a
}

// staying are words that, without a member, mean what was named before: go long, hold it.
var staying = set("go be get stay hold buy own keep long it in invested fully 100 % unlevered unleveraged without leverage back then position")

// itself returns the member that a range without one means: go long, hold it unlevered;
// "" if it says something else.
func (r *treeReader) itself(from, to int) string {
	named := false
	for at := from; at < to; at++ {
		if !staying[r.word(at)] {
			return ""
		}
		named = named || r.is(at, "long") || r.is(at, "it") || r.is(at, "invested") || r.is(at, "unlevered") || r.is(at, "unleveraged")
	}
	if !named {
		return ""
	}
	return cmp.Or(r.held, r.subject)
}

// asCompared gives members that are chosen by their returns without a length the length of
// the returns that the condition compares: if SPY's 12 month return beats BIL's, the better
// of SPY and VEU.
func (r *treeReader) asCompared(d *draft) {
	n := r.asked.Left.Sessions
	if !d.momentum.there || d.lookbacks.there || d.dual.there || d.score.there || d.usual.there || d.rule.there || d.anyLookback.there || r.asked.Left.Kind != Return || n < 2 || r.inside == 0 && !r.other {
		return
	}
	d.lookbacks = said[[]span]{value: []span{newSpan(float64(n), 1)}, there: true}
	d.scored = true
	if d.asBefore.there {
		return
	}
	r.note(fmt.Sprintf("No length was given for the members that are chosen, so it is that of the condition: %d sessions.", n))
}

// stocksAndBonds ends the note on shares without members.
const stocksAndBonds = " means stocks and bonds."

// unnamed remembers shares of stocks and bonds that name neither: 80/20.
func (r *treeReader) unnamed(a *Allocation, from, to int) {
	if slices.ContainsFunc(a.Plan.Notes, func(n string) bool { return strings.HasSuffix(n, stocksAndBonds) }) {
		r.nameless = append(r.nameless, nameless{a, from, to})
	}
}

// nameless is what is held without a name, and where it was said.
type nameless struct {
	*Allocation
	from, to int
}

// adopt gives shares without members those of the one other pair that the tree holds: 60/40
// SPY/TLT, but 80/20 when ….
func (r *treeReader) adopt(root Node) {
	for _, x := range r.nameless {
		var pair []string
		several := false
		(&Tree{Root: root}).walk(func(n Node) {
			a, ok := n.(*Allocation)
			if !ok || slices.ContainsFunc(r.nameless, func(y nameless) bool { return y.Allocation == a }) || len(a.Plan.Pool) == 0 {
				return
			}
			keys := keysOf(a.Plan.Pool)
			if len(keys) != len(x.Plan.Pool) || a.Plan.Weighting != Fixed || pair != nil && !slices.Equal(pair, keys) {
				several = true
			}
			pair = keys
		})
		if several || len(pair) != len(x.Plan.Pool) {
			continue
		}
		for i := range x.Plan.Pool {
			x.Plan.Pool[i].Key = pair[i]
		}
		said := fmt.Sprintf("%q", r.p.text(x.from, x.to))
		r.tree.Notes = slices.DeleteFunc(r.tree.Notes, func(n string) bool { return strings.HasSuffix(n, stocksAndBonds) })
		r.note(strings.TrimRight(said, " ") + " means " + strings.Join(pair, " and ") + ", which were named before.")
	}
}

// unclear refuses shares without members beside others that have two: 60/40 VTI/BND until
// VTI falls 10%, then 80/20.
func (r *treeReader) unclear(root Node) (found bool) {
	r.adopt(root)
	for _, x := range r.nameless {
		(&Tree{Root: root}).walk(func(n Node) {
			a, ok := n.(*Allocation)
			if found || !ok || a == x.Allocation || len(a.Plan.Pool) != len(x.Plan.Pool) || slices.Equal(keysOf(a.Plan.Pool), keysOf(x.Plan.Pool)) {
				return
			}
			found = true
			r.composed = true
			r.furthest, r.stopped = -1, nil
			r.fail(x.from, x.to, "shares of what? Name the members again, as in 80/20 "+strings.Join(keysOf(a.Plan.Pool), "/"))
		})
	}
	return found
}

// apart reports a modifier that a comma separates from the last part of what is read: it
// may belong to all of it. Elsewhere a modifier belongs to what it stands beside.
func (r *treeReader) apart(from, end, to int) bool {
	for from > 0 && (r.is(from-1, "with") || r.is(from-1, "a") || r.is(from-1, "at") || r.is(from-1, "and")) {
		from--
	}
	separate := from > 0 && (r.is(from-1, ",") || r.is(from-1, ";") || r.is(from-1, ".") || r.p.tokens[from-1].kind == line)
	_, more := r.elses(r.skip(to, ", ; ."))
	return separate && end >= to && !more
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
