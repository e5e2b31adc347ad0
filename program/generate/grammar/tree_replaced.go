package grammar

import (
	"fmt"
	"math"
	"slices"
)

// replacing are verbs that put one member into the place of another, with the words that
// come between the two.
var replacing = map[string]map[string]bool{
	"switch": set("to into for"), "swap": set("to into for with"), "replace": set("with by"), "substitute": set("with by"),
	"move": set("to into"), "turn": set("into to"), "exchange": set("for with"), "shift": set("to into"), "rotate": set("to into"),
	"switching": set("to into for"), "swapping": set("to into for with"), "replacing": set("with by"), "moving": set("to into"), "shifting": set("to into"), "rotating": set("to into"),
}

// substitution is a member that is held under a condition alone, or not at all, or less of
// it: what takes its place, and where the condition begins.
type substitution struct {
	verb        int // where it begins
	key, refuge string
	kept        float64 // what is held of it all the same, as a share of all
	open        int     // the token after the word that opens the condition
	unless      bool    // it is replaced while the condition is not true
	only        bool    // it is held only under the condition
}

// replaced reads members with fixed shares of which one is replaced under a condition:
// 60/40 SPY/AGG, but switch SPY to BIL when it is below its 200 day average. Tried
// reports that the range is one, even if it is not understood.
func (r *treeReader) replaced(from, to int) (n Node, tried bool) {
	for verb := from; verb < to; verb++ {
		for _, read := range []func(int) (substitution, bool){r.exchanged, r.restricted, r.insteadOf, r.cutTo} {
			s, ok := read(verb)
			if !ok || r.openedBefore(from, verb) {
				continue
			}
			s.verb = verb
			if verb == from {
				if s.refuge == "" || s.only || s.kept > 0 || replacing[r.word(verb)] != nil {
					break
				}
				return r.either(s), true
			}
			return r.replacement(from, s), true
		}
	}
	return nil, false
}

// exchanged reads switch SPY to BIL when, at its verb.
func (r *treeReader) exchanged(verb int) (s substitution, ok bool) {
	links := replacing[r.word(verb)]
	if links == nil {
		return s, false
	}
	at := r.skip(verb+1, "the my its")
	if !r.isMemberAt(at) {
		return s, false
	}
	link := r.partOf(r.member(at, &s.key))
	if !links[r.word(link)] {
		return s, false
	}
	other := r.skip(link+1, "the")
	end := 0
	if r.isCash(other) {
		m, _ := r.p.memberAt(other, true)
		end = m.end
	} else if r.isMemberAt(other) {
		end = r.member(other, &s.refuge)
	}
	if end == 0 {
		return s, false
	}
	s.open, s.unless, ok = r.opens(r.skip(end, ","))
	return s, ok
}

// partOf returns the token after part of, which may follow a member.
func (r *treeReader) partOf(at int) int {
	for _, w := range []string{"part", "portion", "share", "sleeve", "allocation"} {
		if r.is(at, w) {
			return at + 1
		}
	}
	return at
}

// restricted reads a member that is held under a condition alone, after what is held
// otherwise: 60/40 SPY/TLT, but only hold TLT when it is above its average.
func (r *treeReader) restricted(at int) (s substitution, ok bool) {
	if !r.is(at, "only") || !r.is(at-1, "but") && !r.is(at-1, "and") && !r.is(at-1, ",") && !r.is(at-1, ";") && !r.is(at-1, ".") {
		return s, false
	}
	at++
	for introducing[r.word(at)] {
		at++
	}
	end := r.member(at, &s.key)
	if end == 0 {
		return s, false
	}
	s.only = true
	open, not, ok := r.opens(end)
	s.open, s.unless = open, !not
	return s, ok
}

// insteadOf reads use UPRO instead of SPY when, at its verb.
func (r *treeReader) insteadOf(at int) (s substitution, ok bool) {
	if !introducing[r.word(at)] {
		return s, false
	}
	end := r.member(r.skip(at+1, "the"), &s.refuge)
	if end == 0 || !r.is(end, "instead") || !r.is(end+1, "of") {
		return s, false
	}
	if end = r.member(r.skip(end+2, "the"), &s.key); end == 0 {
		return s, false
	}
	s.open, s.unless, ok = r.opens(r.skip(end, ","))
	return s, ok
}

// cutting are verbs for holding less of a member.
var cutting = set("cut cuts cutting reduce reduces reducing lower lowers lowering trim trims trimming")

// cutTo reads cut SPY to 30% when, at its verb.
func (r *treeReader) cutTo(at int) (s substitution, ok bool) {
	if !cutting[r.word(at)] {
		return s, false
	}
	end := r.partOf(r.member(r.skip(at+1, "the"), &s.key))
	n, after := r.number(end + 1)
	if end == 0 || !r.is(end, "to") || after == 0 || n <= 0 || n >= 100 || r.p.percentSign(after) == 0 {
		return s, false
	}
	s.kept = n / 100
	end = r.p.percentSign(after)
	if r.is(end, "and") || r.is(end, ",") || r.is(end, "with") {
		next := r.skip(end, "and , with put move hold the rest difference in into")
		if r.isCash(next) {
			m, _ := r.p.memberAt(next, true)
			end = m.end
		} else if after := r.member(next, &s.refuge); after > 0 {
			end = after
		}
	}
	s.open, s.unless, ok = r.opens(r.skip(end, ","))
	return s, ok
}

// either reads use UPRO instead of SPY when …, where nothing else is held.
func (r *treeReader) either(s substitution) Node {
	r.composed = true
	r.subject = s.key
	condition, end := r.condition(s.open)
	if end == 0 || !r.rest(end) {
		return nil
	}
	if s.unless {
		condition = condition.negated()
	}
	return &Choice{If: condition, Then: alone(s.refuge), Else: alone(s.key)}
}

// openedBefore reports a condition or a sentence before a token: what stands there is not
// a list of members.
func (r *treeReader) openedBefore(from, to int) bool {
	for at := from; at < to; at++ {
		if _, _, ok := r.opens(at); ok && !r.is(at, "but") && !r.is(at, "and") {
			return true
		}
		if _, ok := r.elses(at); ok || r.is(at, "(") {
			return true
		}
	}
	return false
}

// replacement gives a member's share to another while a condition is true.
func (r *treeReader) replacement(from int, s substitution) Node {
	r.composed = true
	verb, key := s.verb, s.key
	held := verb
	for held > from && (r.is(held-1, ",") || r.is(held-1, ";") || r.is(held-1, ".") || r.is(held-1, "but") || r.is(held-1, "and") || r.is(held-1, "then")) {
		held--
	}
	sub := r.sub(from, held)
	if sub == nil {
		return nil
	}
	stated := *sub
	plan := sub.plan()
	if len(sub.problems) > 0 {
		r.blame(sub, from)
		return nil
	}
	at := slices.IndexFunc(plan.Pool, func(h Holding) bool { return h.Key == key })
	switch {
	case at < 0:
		r.fail(verb+1, verb+2, key+" is not among what is held before: say which of the members is replaced")
		return nil
	case plan.Gate != nil || plan.Each != nil || plan.Select != nil || plan.Hold || plan.Cap > 0 || plan.Target > 0 || plan.Leverage != 1 || plan.Weighting != Fixed && plan.Weighting != Equal:
		r.fail(verb, verb+1, "only a member with a fixed share can be replaced: give the shares, such as 60% SPY and 40% AGG")
		return nil
	case !r.hoist(&stated, from):
		return nil
	}
	r.subject = key
	condition, end := r.condition(s.open)
	if end == 0 {
		return nil
	}
	if after, ok := r.elses(r.skip(end, ", ; .")); ok && s.only {
		for introducing[r.word(after)] {
			after++
		}
		if m, ok := r.p.memberAt(after, true); ok && m.cash {
			end = m.end
		} else if end = r.member(after, &s.refuge); end == 0 {
			r.fail(after, after+1, "what is held instead of "+key+"? Name one member, or cash")
			return nil
		}
	} else if s.only || s.kept > 0 && s.refuge == "" {
		r.note(cashOtherwise)
	}
	if !r.rest(end) {
		return nil
	}
	if s.unless {
		condition = condition.negated()
	}
	for _, n := range plan.Notes {
		if n != monthlyByDefault {
			r.note(n)
		}
	}
	shares := slices.Clone(plan.Pool)
	if plan.Weighting == Equal {
		for i := range shares {
			shares[i].Weight = 1 / float64(len(shares))
		}
	}
	b, sum := &Blend{}, 0.0
	for i, h := range shares {
		var part Node = alone(h.Key)
		sum += h.Weight
		if i == at && s.kept >= h.Weight {
			r.fail(verb, s.open, fmt.Sprintf("%s has %s, which is no more than that", key, percent(h.Weight)))
			return nil
		}
		if i == at && s.kept > 0 {
			b.Parts = append(b.Parts, Sleeve{Share: s.kept, Node: alone(h.Key)})
			h.Weight = math.Round((h.Weight-s.kept)*1e12) / 1e12
		}
		if i == at {
			part = &Choice{If: condition, Then: alone(s.refuge), Else: part}
		}
		b.Parts = append(b.Parts, Sleeve{Share: h.Weight, Node: part})
	}
	switch rest := math.Round((1-sum)*1e12) / 1e12; {
	case rest > 0:
		b.Parts = append(b.Parts, Sleeve{Share: rest, Node: alone("")})
	case rest < 0:
		r.fail(from, held, "the shares add up to more than 100%")
		return nil
	}
	if len(b.Parts) == 1 {
		return b.Parts[0].Node
	}
	return b
}

// alone holds one member, or cash if it is none.
func alone(key string) *Allocation {
	if key == "" {
		return &Allocation{Plan: &Plan{Leverage: 1}}
	}
	return &Allocation{Plan: &Plan{Pool: []Holding{{Key: key}}, Weighting: Equal, Leverage: 1, MaxGross: 1, RiskAversion: 4}}
}
