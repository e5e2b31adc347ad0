package grammar

import (
	"fmt"
	"math"
	"reflect"
	"slices"
)

// modified reads members of which one has a modifier of its own: 60% SPY, 40% BIL with 3x
// leverage on SPY. Tried reports that the range is one, even if it is not understood.
func (r *treeReader) modified(from, to int) (n Node, tried bool) {
	for on := from + 1; on < to; on++ {
		if w := r.word(on); w != "on" && w != "for" && w != "in" && w != "to" || !r.isMemberAt(on+1) {
			continue
		}
		var key string
		end := r.member(on+1, &key)
		if r.is(end, "only") || r.is(end, "alone") {
			end++
		}
		if end < to && !r.is(end, ",") && !r.is(end, ";") && !r.is(end, ".") && !r.is(end, "and") {
			continue
		}
		begin, m := r.modifierBefore(from, on)
		if m == nil || begin == from && end >= to {
			continue
		}
		tokens := slices.Concat(r.p.tokens[from:begin], r.p.tokens[end:to])
		rest := newParser(r.p.language, string(r.p.prompt), tokens, r.p.members)
		if rest.parse(r.ctx) != nil {
			return nil, true
		}
		stated := *rest
		plan := rest.plan()
		if len(rest.problems) > 0 {
			r.composed = true
			r.blame(rest, from)
			return nil, true
		}
		return r.withModifier(plan, &stated, m, key, begin, end)
	}
	return nil, false
}

// modifierBefore finds the longest range that ends at a token and says nothing but a
// modifier; nil if there is none.
func (r *treeReader) modifierBefore(from, to int) (begin int, found *draft) {
	for at := to - 1; at >= max(from, to-10); at-- {
		sub := newParser(r.p.language, string(r.p.prompt), r.p.tokens[at:to:to], r.p.members)
		if sub.parse(r.ctx) != nil {
			return 0, nil
		}
		d := sub.draft
		left := d
		left.leverage, left.cap, left.target, left.leveraged, left.leveragedN = draft{}.leverage, draft{}.cap, draft{}.target, nil, 0
		said := 0
		for _, there := range []bool{d.leverage.there, d.cap.there, d.target.there} {
			if there {
				said++
			}
		}
		if len(sub.problems) == 0 && said == 1 && reflect.DeepEqual(left, draft{}) {
			begin, found = at, &d
		}
	}
	return begin, found
}

// withModifier gives one member of a plan its modifier: as a part of a blend, or, for a
// cap, by its share.
func (r *treeReader) withModifier(plan *Plan, stated *parser, m *draft, key string, begin, end int) (Node, bool) {
	r.composed = true
	refuse := func(message string) (Node, bool) {
		r.fail(begin, end, message)
		return nil, true
	}
	at := slices.IndexFunc(plan.Pool, func(h Holding) bool { return h.Key == key })
	switch {
	case at < 0:
		return refuse("this is no member of what is held")
	case plan.Gate != nil || plan.Each != nil || plan.Select != nil || plan.Hold || plan.Cap > 0 || plan.Target > 0 || plan.Leverage != 1 || plan.Weighting != Fixed && plan.Weighting != Equal || len(plan.Pool) < 2:
		return refuse("only a member with a fixed share can have this of its own: put that member into parentheses with it, as in 60% (SPY with 2x leverage), 40% AGG")
	case !r.hoist(stated, begin):
		return nil, true
	}
	for _, n := range plan.Notes {
		if n != monthlyByDefault {
			r.note(n)
		}
	}
	if plan.Weighting == Equal {
		for i := range plan.Pool {
			plan.Pool[i].Weight = 1 / float64(len(plan.Pool))
		}
		plan.Weighting = Fixed
	}
	if m.cap.there {
		if !capMember(plan, at, m.cap.value) {
			return refuse(fmt.Sprintf("%s is given %s, which this cap does not change", key, percent(plan.Pool[at].Weight)))
		}
		r.note(fmt.Sprintf("No more than %s is held in %s; what is cut off goes to the others in proportion.", percent(m.cap.value), key))
		return &Allocation{Plan: plan}, true
	}
	b := &Blend{}
	sum := 0.0
	for i, h := range plan.Pool {
		part := &Plan{Pool: []Holding{{Key: h.Key}}, Weighting: Equal, Leverage: 1, MaxGross: 1, RiskAversion: 4}
		if i == at && m.leverage.there {
			part.Leverage = m.leverage.value
		} else if i == at {
			part.Target, part.RiskLookback = m.target.value, 60
			r.note("No lookback of risk was given, so it is measured over 60 sessions.")
		}
		sum += h.Weight
		b.Parts = append(b.Parts, Sleeve{Share: h.Weight, Node: &Allocation{Plan: part}})
	}
	if rest := math.Round((1-sum)*1e12) / 1e12; rest > 0 {
		b.Parts = append(b.Parts, Sleeve{Share: rest, Node: &Allocation{Plan: &Plan{Leverage: 1}}})
	} else if rest < 0 {
		return refuse("the shares add up to more than 100% already")
	}
	return b, true
}

// capMember cuts the share of a member to a cap, and gives the rest to the others in
// proportion; false if its share is below the cap.
func capMember(plan *Plan, at int, most float64) bool {
	over := plan.Pool[at].Weight - most
	others := sumOf(plan.Pool) - plan.Pool[at].Weight
	if over <= 1e-9 || others <= 0 {
		return false
	}
	for i := range plan.Pool {
		plan.Pool[i].Weight *= 1 + over/others
	}
	plan.Pool[at].Weight = most
	return true
}
