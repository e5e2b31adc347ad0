package grammar

import (
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

// replaced reads members with fixed shares of which one is replaced under a condition:
// 60/40 SPY/AGG, but switch SPY to BIL when it is below its 200 day average. Tried
// reports that the range is one, even if it is not understood.
func (r *treeReader) replaced(from, to int) (n Node, tried bool) {
	for verb := from + 1; verb < to; verb++ {
		links := replacing[r.word(verb)]
		if links == nil || r.openedBefore(from, verb) {
			continue
		}
		var key, refuge string
		at := r.skip(verb+1, "the my its")
		if !r.isMemberAt(at) {
			continue
		}
		link := r.member(at, &key)
		for _, w := range []string{"part", "portion", "share", "sleeve", "allocation"} {
			if r.is(link, w) {
				link++
			}
		}
		if link == 0 || !links[r.word(link)] {
			continue
		}
		other := r.skip(link+1, "the")
		open := 0
		if m, ok := r.p.memberAt(other, true); ok && m.cash {
			open = m.end
		} else if r.isMemberAt(other) {
			open = r.member(other, &refuge)
		}
		condition, not, ok := r.opens(r.skip(open, ","))
		if open == 0 || !ok {
			continue
		}
		return r.replacement(from, verb, key, refuge, condition, not), true
	}
	return nil, false
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
func (r *treeReader) replacement(from, verb int, key, refuge string, open int, not bool) Node {
	r.composed = true
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
	condition, end := r.condition(open)
	if end == 0 || !r.rest(end) {
		return nil
	}
	if not {
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
		if i == at {
			part = &Choice{If: condition, Then: alone(refuge), Else: part}
		}
		sum += h.Weight
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
