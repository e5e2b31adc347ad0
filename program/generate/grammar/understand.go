package grammar

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// plan turns the draft into a plan. What contradicts itself is reported; the
// plan is of use only where nothing was.
func (p *parser) plan() *Plan {
	d := &p.draft
	plan := &Plan{
		Symbol: d.symbol.value, Schedule: d.schedule.value, Fill: "close", Hold: d.hold.value,
		Leverage: 1, MaxGross: 1, RiskAversion: 4, Notes: d.notes,
	}
	if d.fill.there {
		plan.Fill = d.fill.value
	}
	for _, x := range p.problems {
		if !x.Member {
			return plan // what follows from words that were not understood says nothing new
		}
	}
	before := len(p.problems)
	s := p.structure()
	if len(p.problems) > before {
		return plan
	}
	if s.then == nil || len(s.then.entries)+len(s.then.rest) == 0 {
		if len(p.problems) == 0 {
			p.refuse(0, len(p.tokens), "", "no members: name what the model holds, such as 60% SPY and 40% AGG")
			p.problems[0].Text = ""
		}
		return plan
	}
	p.chooses(plan, s)
	p.pool(plan, s.then)
	p.fallback(plan, s.otherwise)
	plan.Gate, plan.Each = s.gate, s.each
	p.sides(plan)
	if len(plan.Pool) == 0 && len(p.problems) == before {
		p.refuse(0, len(p.tokens), "", "nothing but cash: name what the model holds")
	}
	p.risk(plan, s.then)
	p.timing(plan)
	for _, r := range p.everyday(s) {
		plan.Notes = append(plan.Notes, r)
	}
	if plan.Name = d.name.value; plan.Name == "" && len(p.problems) == 0 {
		plan.Name = title(plan, s)
	}
	return plan
}

// sides holds that both sides of a condition differ.
func (p *parser) sides(plan *Plan) {
	if plan.Gate != nil && plan.Gate.Kind == Rising && plan.Gate.Signal == plan.Gate.Other {
		p.refuse(0, 1, "", "a member is compared with itself")
	}
	if len(plan.Else) > 0 && plan.Gate == nil && plan.Each == nil && (plan.Select == nil || plan.Select.Positive == NotAsked) {
		at := p.otherwiseAt()
		p.refuse(at.from, at.to, "", "otherwise than what? Say when: only with positive momentum, or when above its 200-day moving average")
	}
}

func (p *parser) otherwiseAt() part {
	for _, x := range p.draft.parts {
		if x.otherwise {
			return x
		}
	}
	return part{}
}

// chooses sets what members are chosen by.
func (p *parser) chooses(plan *Plan, s *structure) {
	d := &p.draft
	asked := d.momentum.there || d.count.there || d.lookbacks.there || d.positive.there || d.hurdle.there || d.skip.there
	if !asked {
		return
	}
	at := firstSaid(d)
	x := &Selection{Count: d.count.value, Skip: d.skip.value.sessions, Positive: d.positive.value}
	spans := d.lookbacks.value
	if len(spans) == 0 && d.anyLookback.there {
		spans = []span{d.anyLookback.value}
	}
	if len(spans) == 0 && s.each != nil && s.each.Kind == Rising && s.each.Other == "" && !s.each.Below {
		spans, s.each = []span{newSpan(float64(s.each.Slow), 1)}, nil
		x.Positive = max(x.Positive, PerMember)
	}
	if len(spans) == 0 && d.dual.there {
		spans = []span{newSpan(12, 21)}
		plan.Notes = append(plan.Notes, "Momentum is over 12 months, as dual momentum has it.")
	}
	if len(spans) == 0 {
		p.refuse(at[0], at[1], "", "momentum over how long? Say: 12 month momentum")
		return
	}
	for _, sp := range spans {
		x.Lookbacks = append(x.Lookbacks, sp.sessions)
		if x.Skip >= sp.sessions {
			p.refuse(d.skip.from, d.skip.to, "", "as much is skipped as the momentum is over")
		}
	}
	if s.each != nil && s.each.Kind == Rising && s.each.Other == "" && !s.each.Below && x.Skip == 0 && len(x.Lookbacks) == 1 && x.Lookbacks[0] == s.each.Slow {
		x.Positive, s.each = max(x.Positive, PerMember), nil
	}
	n := len(s.then.entries)
	switch {
	case x.Count == 0 && d.dual.there:
		x.Count = 1
	case x.Count == 0 && x.Positive == PerMember:
		x.Count = n
	case x.Count == 0:
		p.refuse(at[0], at[1], "", "how many are held? Say: top 3 of …")
	}
	if x.Count > n && n > 0 {
		p.refuse(d.count.from, d.count.to, "", fmt.Sprintf("%d are to be chosen, but only %d are named", x.Count, n))
	} else if x.Count == n && n > 1 && x.Positive == NotAsked && x.Count > 0 {
		p.refuse(d.count.from, d.count.to, "", fmt.Sprintf("%d of %d chooses nothing: name more members, or fewer to hold", x.Count, n))
	}
	if d.hurdle.there {
		x.Hurdle = d.hurdle.value.key
		if d.hurdle.value.cash {
			x.Hurdle = ""
		}
	}
	plan.Select = x
}

func firstSaid(d *draft) [2]int {
	for _, s := range []struct {
		there    bool
		from, to int
	}{
		{d.momentum.there, d.momentum.from, d.momentum.to}, {d.count.there, d.count.from, d.count.to}, {d.lookbacks.there, d.lookbacks.from, d.lookbacks.to},
		{d.positive.there, d.positive.from, d.positive.to}, {d.hurdle.there, d.hurdle.from, d.hurdle.to}, {d.skip.there, d.skip.from, d.skip.to},
	} {
		if s.there {
			return [2]int{s.from, s.to}
		}
	}
	return [2]int{}
}

// pool sets what is held or chosen from, and how it is weighed.
func (p *parser) pool(plan *Plan, b *block) {
	d := &p.draft
	weighed := slices.ContainsFunc(b.entries, func(e entry) bool { return e.has })
	plan.Weighting = Equal
	if d.weighting.there {
		plan.Weighting = d.weighting.value
	}
	switch {
	case weighed && d.weighting.there:
		p.refuse(d.weighting.from, d.weighting.to, "", "shares are given, so they are not weighed by anything else")
	case weighed && b.equal:
		p.refuse(b.entries[0].from, b.entries[0].end, "", "shares are given and equal weights, too: say one of the two")
	case weighed && plan.Select != nil && plan.Select.Count < len(b.entries):
		p.refuse(d.count.from, max(d.count.to, d.count.from+1), "", "shares are given, but members are to be chosen: say one of the two")
	case b.equal && d.weighting.there:
		p.refuse(d.weighting.from, d.weighting.to, "", "equal weights were said, too: say one of the two")
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

func (p *parser) eachSaid() bool {
	return slices.ContainsFunc(p.tests(), func(t *tested) bool { return t.who == everyone })
}

// fixed gives the holdings of a block with shares.
func (p *parser) fixed(plan *Plan, b *block) []Holding {
	scale := p.bareScale(b)
	members := map[int]int{}
	for _, e := range b.entries {
		members[e.group]++
	}
	var list []Holding
	total, gross := 0.0, 0.0
	single := false
	for i := range b.entries {
		e := &b.entries[i]
		w := e.weight
		switch {
		case !e.has && len(p.problems) == 0:
			p.refuse(e.from, e.end, "", "how much of this? Give each a share, or say each, or split equally")
		case e.bare:
			w = math.Round(w/scale*1e12) / 1e12
		}
		if e.group > 0 {
			w /= float64(members[e.group])
		}
		total += w
		single = single || w > 1
		if e.cash {
			continue
		}
		gross += math.Abs(w)
		list = append(list, Holding{e.key, w})
	}
	list = p.rest(plan, b, list, total)
	p.total(plan, b, total, gross, single)
	return list
}

// bareScale is what numbers without percent signs are divided by: 1 where they
// add up to 1, 100 where they add up to 100.
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

// rest adds what takes the rest.
func (p *parser) rest(plan *Plan, b *block, list []Holding, total float64) []Holding {
	left := math.Round((1-total)*1e12) / 1e12
	switch {
	case !b.hasRest:
		return list
	case len(b.rest) == 0:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "what does the rest go to?")
		return list
	case left <= 0:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "the shares leave no rest")
		return list
	case len(b.rest) > 1 && !b.restAll:
		p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "how is the rest divided? Say: the rest equally in …")
		return list
	}
	for _, r := range b.rest {
		if r.cash {
			continue
		}
		w := left / float64(len(b.rest))
		if i := slices.IndexFunc(list, func(h Holding) bool { return h.Key == r.key }); i >= 0 {
			list[i].Weight += w
			continue
		}
		list = append(list, Holding{r.key, w})
	}
	_ = plan
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
			p.refuse(p.blockPart(b).from, p.blockPart(b).to, "", "what is held instead adds up to more than 100 %")
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

// risk sets what depends on volatility, leverage and caps.
func (p *parser) risk(plan *Plan, b *block) {
	d := &p.draft
	plan.Cap, plan.Target = d.cap.value, d.target.value
	weighed := plan.Weighting != Fixed && plan.Weighting != Equal
	if d.riskLookback.there {
		plan.RiskLookback = d.riskLookback.value.sessions
	} else if d.anyLookback.there && (plan.Select == nil || d.lookbacks.there) {
		plan.RiskLookback = d.anyLookback.value.sessions
	}
	switch {
	case weighed || plan.Target > 0:
		if plan.RiskLookback == 0 {
			plan.RiskLookback = 60
			if plan.Weighting == MinimumVariance || plan.Weighting == MeanVariance {
				plan.RiskLookback = 252
			}
			plan.Notes = append(plan.Notes, fmt.Sprintf("Risk is measured over %d sessions, as nothing else was said.", plan.RiskLookback))
		}
		if plan.RiskLookback < 5 {
			p.refuse(d.anyLookback.from, max(d.anyLookback.to, 1), "", "risk is measured over 5 sessions or more")
		}
	case d.riskLookback.there:
		p.refuse(d.riskLookback.from, d.riskLookback.to, "", "nothing is weighed by risk: say inverse volatility, or a volatility target")
	case d.anyLookback.there && (plan.Select == nil || d.lookbacks.there):
		p.refuse(d.anyLookback.from, d.anyLookback.to, "", "a lookback of what? Say: by 12 month momentum, or 60-day volatility")
	default:
		plan.RiskLookback = 0
	}
	if d.aversion.there {
		plan.RiskAversion = d.aversion.value
		if plan.Weighting != MeanVariance {
			p.refuse(d.aversion.from, d.aversion.to, "", "risk aversion is of mean variance weights")
		}
	}
	p.exposure(plan)
	p.capped(plan, b)
}

// exposure sets leverage and the limit of a volatility target.
func (p *parser) exposure(plan *Plan) {
	d := &p.draft
	if d.leverage.there {
		plan.Leverage = d.leverage.value
	}
	switch {
	case d.leverage.there && plan.Target > 0 && plan.Leverage != 1:
		p.refuse(d.leverage.from, d.leverage.to, "", "a volatility target sets the leverage: say at most 2x leverage")
	case d.gross.there && plan.Target > 0:
		plan.MaxGross = d.gross.value
	case d.gross.there && plan.Leverage > d.gross.value:
		p.refuse(d.gross.from, d.gross.to, "", "the leverage said is above this limit")
	case d.gross.there && d.gross.value > 1:
		p.refuse(d.gross.from, d.gross.to, "", "a limit of leverage goes with a volatility target; otherwise say 1.5x leverage")
	case d.borrows.there && plan.Leverage == 1 && plan.Target == 0 && sumOf(plan.Pool) <= 1+1e-9:
		p.refuse(d.borrows.from, d.borrows.to, "", "how much leverage? Say 1.5x leverage")
	}
	if plan.Target > 0 && !d.gross.there {
		plan.Notes = append(plan.Notes, "Nothing is borrowed for the volatility target, as no leverage was said.")
	}
}

func sumOf(list []Holding) (sum float64) {
	for _, h := range list {
		sum += h.Weight
	}
	return sum
}

// capped checks a cap against what it caps.
func (p *parser) capped(plan *Plan, _ *block) {
	d := &p.draft
	if plan.Cap == 0 {
		return
	}
	if plan.Weighting == Fixed {
		for _, h := range plan.Pool {
			if h.Weight > plan.Cap+1e-9 || h.Weight < 0 {
				p.refuse(d.cap.from, d.cap.to, "", fmt.Sprintf("%s is given %s, which this cap does not allow", h.Key, percent(h.Weight)))
				return
			}
		}
	}
}

// timing sets when decisions are taken.
func (p *parser) timing(plan *Plan) {
	d := &p.draft
	if d.band.there {
		b := d.band.value
		plan.Band = &b
	}
	switch {
	case plan.Hold:
		for _, other := range []struct {
			there    bool
			from, to int
		}{
			{d.schedule.there, d.schedule.from, d.schedule.to}, {d.band.there, d.band.from, d.band.to}, {d.target.there, d.target.from, d.target.to},
			{plan.Select != nil && d.momentum.there, d.momentum.from, d.momentum.to}, {d.weighting.there, d.weighting.from, d.weighting.to},
		} {
			if other.there {
				p.refuse(other.from, other.to, "", "what is bought once and held is never decided on again")
			}
		}
		if plan.Gate != nil || plan.Each != nil || plan.Select != nil {
			p.refuse(d.hold.from, d.hold.to, "", "a condition has to be looked at again: say how often, such as monthly")
		}
		plan.Schedule = Schedule{Every: "yearly", Session: -1}
	case d.schedule.there:
		if plan.Schedule.Every == "" || plan.Schedule.Every == "daily" && plan.Schedule.Session != -1 {
			p.refuse(d.schedule.from, d.schedule.to, "", "this is no schedule: say the first session of the month")
		}
		limit := map[string]int{"weekly": 5, "monthly": 19, "quarterly": 60, "yearly": 250}[plan.Schedule.Every]
		if plan.Schedule.Session > limit && limit > 0 || plan.Schedule.Session == 0 {
			p.refuse(d.schedule.from, d.schedule.to, "", fmt.Sprintf("not every such period has so many sessions: up to %d", limit))
		}
	case plan.Band != nil:
		plan.Schedule = Schedule{Every: "daily", Session: -1}
		plan.Notes = append(plan.Notes, "The band is looked at daily, as nothing else was said.")
	default:
		plan.Schedule = Schedule{Every: "monthly", Session: -1}
		plan.Notes = append(plan.Notes, "Decisions are monthly, as nothing else was said.")
	}
}

// everyday says which symbols were taken for everyday words.
func (p *parser) everyday(s *structure) (notes []string) {
	seen := map[string]bool{}
	add := func(r reading) {
		if r.said != "" && !r.unknown && !seen[r.said+r.key] {
			seen[r.said+r.key] = true
			notes = append(notes, fmt.Sprintf("%q is taken as %s.", strings.TrimSpace(r.said), r.key))
		}
	}
	for _, b := range []*block{s.then, s.otherwise} {
		if b == nil {
			continue
		}
		for _, e := range b.entries {
			add(e.reading)
		}
		for _, r := range b.rest {
			add(r)
		}
	}
	for _, t := range p.tests() {
		add(t.subject)
	}
	add(p.draft.hurdle.value)
	return notes
}
