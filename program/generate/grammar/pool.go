package grammar

import (
	"fmt"
	"math"
	"slices"
)

// pool sets what is held or chosen from, and how it is weighted.
func (p *parser) pool(plan *Plan, b *block) {
	d := &p.draft
	weighed := slices.ContainsFunc(b.entries, func(e entry) bool { return e.has })
	plan.Weighting = Equal
	if d.weighting.there {
		plan.Weighting = d.weighting.value
	}
	switch {
	case weighed && d.weighting.there:
		p.refuse(d.weighting.from, d.weighting.to, "", "shares are given, so the members cannot be weighted in another way")
	case weighed && b.equal:
		p.refuse(b.entries[0].from, b.entries[0].end, "", "both shares and equal weights are given: use only one of them")
	case weighed && plan.Select != nil && plan.Select.Count < len(b.entries):
		p.refuse(d.count.from, max(d.count.to, d.count.from+1), "", "both shares and a choice of members are given: use only one of them")
	case b.equal && d.weighting.there:
		p.refuse(d.weighting.from, d.weighting.to, "", "equal weights are given as well: use only one of them")
	case b.hasRest && !weighed && d.target.there && len(b.rest) == 1 && len(b.entries) > 0 && !b.entries[0].cash:
		if r := b.rest[0]; !r.cash { // it takes what the volatility target leaves
			plan.Rest = r.key
		}
		d.weighting.there = d.weighting.there || len(b.entries) == 1
	case weighed && b.hasRest && d.target.there && len(b.rest) == 1 && math.Abs(sharesOf(b)-1) < 1e-9:
		if r := b.rest[0]; !r.cash {
			plan.Rest = r.key
		}
		whole := *b
		whole.hasRest = false
		plan.Weighting, plan.Pool = Fixed, p.fixed(plan, &whole)
		if len(plan.Pool) == 1 {
			plan.Weighting, plan.Pool[0].Weight = Equal, 0
		}
		return
	case weighed || b.hasRest:
		plan.Weighting = Fixed
		plan.Pool = p.fixed(plan, b)
		if len(plan.Pool) == 1 && plan.Pool[0].Weight == 1 {
			plan.Weighting, plan.Pool[0].Weight = Equal, 0
		}
		return
	}
	for _, e := range b.entries {
		if e.cash {
			p.refuse(e.from, e.end, "", "how much of it is cash? Give shares")
			continue
		}
		if e.short {
			p.refuse(e.from, e.end, "", "how much of it is sold short? Give shares")
		}
		plan.Pool = append(plan.Pool, Holding{Key: e.key})
	}
	if len(plan.Pool) > 1 && !b.equal && !d.weighting.there && plan.Select == nil && !p.eachSaid() && len(p.problems) == 0 {
		p.refuse(b.entries[1].from, b.entries[len(b.entries)-1].end, "", "how much of each? Say equal weight, or give shares such as 60% SPY and 40% AGG")
	}
}

// sharesOf adds the shares of a block up.
func sharesOf(b *block) (sum float64) {
	for _, e := range b.entries {
		sum += e.weight
	}
	return sum
}

func (p *parser) eachSaid() bool {
	return slices.ContainsFunc(p.tests(), func(t *tested) bool { return t.who == everyone })
}

// fixed returns the holdings of a block with shares.
func (p *parser) fixed(plan *Plan, b *block) []Holding {
	scale := p.bareScale(b)
	members := map[int]int{}
	for _, e := range b.entries {
		members[e.group]++
	}
	var list []Holding
	total, gross := 0.0, 0.0
	single, borrowed := false, false
	for i := range b.entries {
		e := &b.entries[i]
		w := e.weight
		switch {
		case !e.has && len(p.problems) == 0:
			p.refuse(e.from, e.end, "", "how much of this? Give each a share, or say each, or split equally")
		case e.short && e.weight > 0:
			p.refuse(e.from, e.end, "", "is this sold short? Say short before its share")
		case e.bare:
			w = math.Round(w/scale*1e12) / 1e12
		}
		if e.group > 0 {
			w /= float64(members[e.group])
		}
		total += w
		single = single || w > 1
		if e.cash {
			borrowed = borrowed || w < 0
			continue
		}
		gross += math.Abs(w)
		list = append(list, Holding{e.key, w})
	}
	list = p.rest(b, list, total)
	if borrowed && math.Abs(total-1) > 1e-9 && !b.hasRest {
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", fmt.Sprintf("together with the borrowed cash, the shares add up to %s, not 100 %%", percent(total)))
	}
	p.total(plan, b, total, gross, single)
	return list
}

// bareScale is what numbers without percent signs are divided by: 1 if they add up to
// 1, 100 if they add up to 100.
func (p *parser) bareScale(b *block) float64 {
	sum, first, rest := 0.0, -1, b.hasRest
	for i, e := range b.entries {
		if e.bare {
			sum += math.Abs(e.weight)
			if first < 0 {
				first = i
			}
		} else if e.has {
			rest = true
		}
	}
	switch {
	case first < 0:
		return 1
	case math.Abs(sum-1) < 0.011 || rest && sum <= 1:
		return 1
	case math.Abs(sum-100) < 1.01 || rest && sum > 1 && sum < 100:
		return 100
	}
	e := b.entries[first]
	p.refuse(e.from, e.end, "", fmt.Sprintf("numbers without percent signs add up to %s, neither 1 nor 100: write percentages", plainNumber(sum)))
	return 100
}

// rest adds the members that take the rest.
func (p *parser) rest(b *block, list []Holding, total float64) []Holding {
	left := math.Round((1-total)*1e12) / 1e12
	switch {
	case !b.hasRest:
		return list
	case len(b.rest) == 0:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "what does the rest go to?")
		return list
	case left <= 0:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "the shares leave nothing for the rest")
		return list
	case b.restShares != nil && len(b.restShares) != len(b.rest):
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "the number of shares of the rest differs from the number of members that get it")
		return list
	case len(b.rest) > 1 && !b.restAll && b.restShares == nil:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "how is the rest divided? Say: the rest equally in …")
		return list
	}
	for i, r := range b.rest {
		if r.cash {
			continue
		}
		w := left / float64(len(b.rest))
		if b.restShares != nil {
			w = math.Round(left*b.restShares[i]*1e12) / 1e12
		}
		if i := slices.IndexFunc(list, func(h Holding) bool { return h.Key == r.key }); i >= 0 {
			list[i].Weight += w
			continue
		}
		list = append(list, Holding{r.key, w})
	}
	return list
}

func (p *parser) blockPart(b *block) part {
	for _, x := range p.draft.parts {
		if x.holdings == b {
			return x
		}
	}
	return part{to: 1}
}

// total checks what the shares add up to.
func (p *parser) total(plan *Plan, b *block, total, gross float64, single bool) {
	d := &p.draft
	at := p.blockPart(b)
	switch {
	case total > 1+1e-9 && d.leverage.there:
		if math.Abs(d.leverage.value-total) > 1e-9 && math.Abs(d.leverage.value-gross) > 1e-9 {
			p.refuse(d.leverage.from, d.leverage.to, "", fmt.Sprintf("the shares add up to %s already: say one of the two", percent(total)))
		}
		d.leverage.value = 1 // it is in the shares
	case total > 1.011 && !d.borrows.there && !single && !d.target.there:
		p.refuse(at.from, at.to, "", fmt.Sprintf("the shares add up to %s: bring them down to 100 %%, or say that it is leveraged", percent(total)))
	case total > 1+1e-9 && total <= 1.011 && !d.borrows.there && !single:
		p.refuse(at.from, at.to, "", fmt.Sprintf("the shares add up to %s: bring them down to 100 %%", percent(total)))
	case total < -1e-9:
		p.refuse(at.from, at.to, "", "more is sold short than held")
	case total < 1-1e-9 && !b.hasRest && !slices.ContainsFunc(b.entries, func(e entry) bool { return e.cash }):
		plan.Notes = append(plan.Notes, fmt.Sprintf("The shares add up to %s; the rest stays in CASH.", percent(total)))
	}
}

// fallback sets what is held instead.
func (p *parser) fallback(plan *Plan, b *block) {
	if b == nil {
		return
	}
	scratch := &Plan{}
	weighed := b.hasRest || slices.ContainsFunc(b.entries, func(e entry) bool { return e.has })
	n := 0
	for _, e := range b.entries {
		if !e.cash {
			n++
		}
		if e.short && !e.has {
			p.refuse(e.from, e.end, "", "how much of it is sold short? Give shares")
			return
		}
	}
	switch {
	case weighed:
		before := p.draft.leverage
		p.draft.leverage = said[float64]{}
		plan.Else = p.fixed(scratch, b)
		p.draft.leverage = before
		sum := 0.0
		for _, h := range plan.Else {
			sum += math.Abs(h.Weight)
		}
		if sum > 1+1e-9 {
			p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "the alternative adds up to more than 100 %")
		}
	case n == 0:
	case n == len(b.entries) && (n == 1 || b.equal):
		for _, e := range b.entries {
			plan.Else = append(plan.Else, Holding{e.key, 1 / float64(n)})
		}
	default:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "how much of each? Say equally, or give shares")
	}
}
