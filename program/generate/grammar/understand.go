package grammar

import (
	"fmt"
	"math"
)

// plan turns the draft into a plan. Contradictions are reported; the plan may only be
// used if there were none.
func (p *parser) plan() *Plan {
	d := &p.draft
	p.usualMembers()
	plan := &Plan{
		Symbol: d.symbol.value, Schedule: d.schedule.value, Fill: "close", Hold: d.hold.value,
		Leverage: 1, MaxGross: 1, RiskAversion: 4, Notes: d.notes, Usual: d.usual.value,
	}
	if d.fill.there {
		plan.Fill = d.fill.value
	}
	for _, x := range p.problems {
		if !x.Member {
			return plan // what follows from words that were not understood says nothing new
		}
	}
	if d.rule.there {
		p.onlyRule(plan)
		return plan
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
	if sum := sumOf(plan.Pool); d.full.there && plan.Weighting == Fixed && sum < 1-1e-9 {
		p.refuse(d.full.from, d.full.to, "", "the shares add up to "+percent(sum)+", so not all is invested")
	}
	if d.asBefore.there && !d.momentum.there {
		p.refuse(d.asBefore.from, d.asBefore.to, "", "the same as what? Give the length again")
	}
	if d.managed.there && !d.target.there {
		p.refuse(d.managed.from, d.managed.to, "", "to which volatility? Say target 10% volatility")
	}
	if d.trending.there && len(p.tests()) == 0 {
		p.refuse(d.trending.from, d.trending.to, "", "by which rule? Say with a 200 day moving average, or only while above its 10 month average")
	}
	if n := d.announced; n.there && n.value != len(s.then.entries) {
		p.refuse(n.from, n.to, "", fmt.Sprintf("%d were announced, but %d are named", n.value, len(s.then.entries)))
	}
	p.fallback(plan, s.otherwise)
	plan.Gate, plan.Each = s.gate, s.each
	p.sides(plan)
	if len(plan.Pool) == 0 && len(p.problems) == before {
		p.refuse(0, len(p.tokens), "", "the model would hold only cash: name what it holds")
	}
	p.shorts(plan)
	p.levers(plan, s)
	p.among(s)
	p.risk(plan)
	p.narrowed(s)
	p.timing(plan)
	plan.Notes = append(plan.Notes, p.everyday(s)...)
	if plan.Name = d.name.value; plan.Name == "" && len(p.problems) == 0 {
		plan.Name = title(plan, s)
	}
	return plan
}

// sides checks that both sides of a condition differ.
func (p *parser) sides(plan *Plan) {
	if plan.Gate != nil && plan.Gate.Kind == Rising && plan.Gate.Signal == plan.Gate.Other {
		p.refuse(0, 1, "", "a member is compared with itself")
	}
	unconditional := plan.Gate == nil && plan.Each == nil && (plan.Select == nil || plan.Select.Positive == NotAsked)
	if at := p.otherwiseAt(); unconditional && (len(plan.Else) > 0 || at.otherwise) {
		p.refuse(at.from, at.to, "", "otherwise than what? Say when: only with positive momentum, or when above its 200-day moving average; a part that is always held has a share, such as 20% cash")
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
	asked := d.score.there || d.lowest.there || d.momentum.there || d.count.there || d.fraction.there || d.lookbacks.there || d.positive.there || d.hurdle.there || d.skip.there
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
		d.scored = true // the condition is on a return
		x.Positive = max(x.Positive, PerMember)
	}
	if len(spans) == 0 && d.dual.there {
		spans = []span{newSpan(12, 21)}
		plan.Notes = append(plan.Notes, "Dual momentum looks at 12 months unless another lookback is given.")
	}
	if d.byRisk.there {
		p.refuse(d.byRisk.from, d.byRisk.to, "", "members are chosen by momentum alone; to weigh those that are chosen, say weighted by inverse volatility, or minimum variance weights")
		return
	}
	if !p.scoredBy(plan, x) && !p.overSpans(plan, x, spans) {
		return
	}
	if s.each != nil && s.each.Kind == Rising && s.each.Other == "" && !s.each.Below && x.Skip == 0 && len(x.Lookbacks) == 1 && x.Lookbacks[0] == s.each.Slow {
		x.Positive, s.each = max(x.Positive, PerMember), nil
	}
	n := len(s.then.entries)
	if d.fraction.there && n > 0 {
		x.Count = max(1, int(math.Round(d.fraction.value*float64(n))))
		plan.Notes = append(plan.Notes, fmt.Sprintf("%s of the %d members is %d.", percent(d.fraction.value), n, x.Count))
	}
	switch {
	case x.Count == 0 && d.dual.there:
		x.Count = 1
	case x.Count == 0 && d.between && n == 2:
		x.Count = 1
	case x.Count == 0 && x.Positive == PerMember:
		x.Count = n
	case x.Count == 0:
		p.refuse(at[0], at[1], "", "how many are held? Say: top 3 of …")
	}
	if x.Count > n && n > 0 {
		p.refuse(d.count.from, d.count.to, "", fmt.Sprintf("%d are to be chosen, but only %d are named", x.Count, n))
	} else if x.Count == n && n > 1 && x.Positive == NotAsked && x.Count > 0 {
		p.refuse(d.count.from, d.count.to, "", fmt.Sprintf("choosing %d of %d leaves none out: name more members, or hold fewer", x.Count, n))
	}
	if d.hurdle.there {
		x.Hurdle = d.hurdle.value.key
		if d.hurdle.value.cash {
			x.Hurdle = ""
		}
	}
	plan.Select = x
}

// overSpans sets the lookbacks of a selection by returns.
func (p *parser) overSpans(plan *Plan, x *Selection, spans []span) bool {
	d := &p.draft
	at := firstSaid(d)
	if len(spans) == 0 {
		p.refuse(at[0], at[1], "", "momentum over how long? Say: 12 month momentum")
		return false
	}
	if !d.scored && !d.dual.there && !d.ranked {
		p.refuse(at[0], at[1], "", "chosen by what? Say: by 12 month momentum")
		return false
	}
	if !d.scored && !d.dual.there {
		plan.Notes = append(plan.Notes, "Nothing else was said, so members are chosen by their returns.")
	}
	for _, sp := range spans {
		x.Lookbacks = append(x.Lookbacks, sp.sessions)
		if x.Skip >= sp.sessions {
			p.refuse(d.skip.from, d.skip.to, "", "as many sessions are skipped as the momentum is measured over")
		}
	}
	return true
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
