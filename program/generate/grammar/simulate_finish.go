package grammar

import (
	"fmt"
	"math"
	"slices"
)

// simulation turns the draft into a simulation. Contradictions are reported; the
// simulation may only be used if there were none.
func (p *parser) simulation() *Simulation {
	f := p.future
	s := &Simulation{Symbol: p.draft.symbol.value, Rebalance: "monthly", Step: "yearly", Goal: f.goal.value, Lasting: f.lasting.there, Spending: f.spending.there, Success: f.success.value}
	if len(p.problems) > 0 {
		return s // what follows from words that were not understood says nothing new
	}
	if !f.simulates {
		p.refuse(0, len(p.tokens), "", "nothing here says what is simulated: money that is withdrawn or saved, a number of years, Monte Carlo; a model is described at POST /v1/models")
		p.problems[0].Text = ""
		return s
	}
	if f.unreal != nil {
		p.refuse(f.unreal.from, f.unreal.to, "", "what rises with prices? Say withdraw 40,000 a year, adjusted for inflation")
		return s
	}
	for _, step := range []func(*Simulation){p.simulatedMembers, p.startAge, p.lengths, p.movements, p.startValue, p.saves, p.settings, p.questions} {
		if step(s); len(p.problems) > 0 {
			return s
		}
	}
	if s.Notes = p.draft.notes; f.rebalance.there {
		s.Rebalance = f.rebalance.value
	}
	if s.Name = p.draft.name.value; s.Name == "" {
		s.Name = simulationTitle(s, f.purpose.value)
	}
	return s
}

// simulatedMembers sets the members and their weights.
func (p *parser) simulatedMembers(s *Simulation) {
	if len(p.draft.parts) == 0 {
		b := p.openBlock(0)
		p.takeTickers(b, []ticker{{"SPY", .6, large}, {"AGG", .4, bonds}}, match{from: 0, to: 1})
		if len(p.problems) > 0 {
			p.problems = p.problems[:1]
			p.problems[0].Text, p.problems[0].Message, p.problems[0].Member = "", "no members: name what the money is invested in, such as 60/40 of SPY and AGG, or a model", false
			return
		}
		p.assume("No members were named, so 60% stocks and 40% bonds are assumed.")
	}
	if len(p.draft.parts) > 1 || p.draft.parts[0].holdings == nil {
		last := p.draft.parts[len(p.draft.parts)-1]
		p.refuse(last.from, last.to, "", "a simulation has one portfolio: make a model of what changes, and simulate that by its name")
		return
	}
	if x := p.draft.longOnly; x.there {
		p.refuse(x.from, x.to, "", "a simulation holds what is named: leave this out")
		return
	}
	b := p.draft.parts[0].holdings
	before := len(b.entries)
	plan := &Plan{Weighting: Equal}
	p.pool(plan, b)
	if len(p.problems) > 0 {
		return
	}
	s.Members = plan.Pool
	if len(s.Members) == 0 {
		p.refuse(0, len(p.tokens), "", "nothing is named that the money is invested in: say 60/40 of SPY and AGG, or the name of a model")
		return
	}
	if plan.Weighting == Equal {
		for i := range s.Members {
			s.Members[i].Weight = 1 / float64(len(s.Members))
		}
	}
	for _, note := range plan.Notes {
		p.assume(note)
	}
	p.glides(s, before)
}

// glides sets where the weights go.
func (p *parser) glides(s *Simulation, named int) {
	g := p.future.glide
	if !g.there {
		return
	}
	if len(s.Members) != 2 || named > 2 {
		p.refuse(g.from, g.to, "", "a glide path goes between two members: from 90% SPY to 40% SPY, the rest AGG")
		return
	}
	for _, h := range s.Members {
		if h.Weight < 0 || h.Weight > 1 {
			p.refuse(g.from, g.to, "", "shares of a glide path are from 0 % to 100 %")
			return
		}
	}
	to := slices.Clone(g.value.to)
	if len(to) == 1 {
		to = append(to, 1-to[0])
		if math.Abs(s.Members[0].Weight+s.Members[1].Weight-1) > 1e-9 {
			p.refuse(g.from, g.to, "", "the shares of a glide path add up to 100 %: say the rest AGG")
			return
		}
	}
	s.Glide = &Glide{To: []float64{cents(to[0]), cents(to[1])}, Years: int(g.value.years)}
}

// startAge lets a withdrawal from one age to another be the plan, where no other age
// begins it.
func (p *parser) startAge(*Simulation) {
	f := p.future
	if f.age.there {
		return
	}
	for i := range f.payments {
		x := &f.payments[i]
		if x.way != leaves || x.once || x.first == nil || !x.first.age {
			continue
		}
		at := said[int]{x.first.value, x.m.from, x.m.to, true}
		if f.age = at; x.last != nil && !f.endAge.there {
			at.value = x.last.value
			f.endAge = at
		} else if x.last != nil {
			return // it ends before the plan does
		}
		p.assume(fmt.Sprintf("The plan begins at the age of %d.", x.first.value))
		x.first, x.last = nil, nil
		return
	}
}

// lengths sets how long the plan and its phases last.
func (p *parser) lengths(s *Simulation) {
	f := p.future
	total, from := 0, 0
	for i, x := range f.phases {
		ends := i == len(f.phases)-1 && (f.endAge.there || f.endYear.there)
		if !x.there && len(f.phases) > 1 && !ends {
			at := f.phasePayment(i)
			p.refuse(at.from, at.to, "", "for how long? Say it of each part: save 1,000 a month for 20 years, then withdraw 40,000 a year for 30 years")
			return
		}
		s.Phases = append(s.Phases, Phase{Years: int(x.value)})
		total += int(x.value)
	}
	if len(s.Phases) == 0 {
		s.Phases = []Phase{{}}
	}
	last := &s.Phases[len(s.Phases)-1]
	ends := func(n int, at said[int]) {
		switch {
		case last.Years > 0:
			p.refuse(at.from, at.to, "", "how long it lasts was said before")
		case n-total < 1:
			p.refuse(at.from, at.to, "", "the plan would end before it begins")
		default:
			last.Years = n - total
			total, from = n, at.from
		}
	}
	if f.endAge.there {
		if !f.age.there {
			p.refuse(f.endAge.from, f.endAge.to, "", "how old at the start? Say from age 65 to 95")
			return
		}
		ends(f.endAge.value-f.age.value, f.endAge)
	}
	if f.endYear.there && len(p.problems) == 0 {
		ends(f.endYear.value-f.year+1, f.endYear)
	}
	if len(p.problems) > 0 {
		return
	}
	if last.Years == 0 {
		last.Years = p.unsaidYears(total)
		total += last.Years
	}
	if s.Years = total; total > mostYears {
		p.refuse(from, from+1, "", fmt.Sprintf("%d years altogether: a plan lasts from 1 to 200 years", total))
	}
}

// phasePayment is where a phase is described.
func (f *future) phasePayment(phase int) match {
	for _, x := range f.payments {
		if x.phase == phase {
			return x.m
		}
	}
	return match{}
}

// unsaidYears is how long the last phase lasts where nothing was said: to the end of
// the last dated payment if all are dated, otherwise 30 years.
func (p *parser) unsaidYears(before int) int {
	f := p.future
	until, open := 0, f.method.there || f.retires
	for i := range f.payments {
		x := &f.payments[i]
		switch {
		case !x.dated():
			open = open || x.way != comesIn || !f.purpose.there
		case x.once:
			until = max(until, p.planYear(x.first, x.m, true))
		case x.last != nil:
			until = max(until, p.planYear(x.last, x.m, false))
		case x.length > 0:
			until = max(until, p.planYear(x.first, x.m, true)+int(x.length)-1)
		default:
			open = true
		}
	}
	if !open && until > before {
		p.assume(fmt.Sprintf("The plan ends with its last payment, after %s.", yearsText(until)))
		return until - before
	}
	p.assume("No length was given, so 30 years are simulated.")
	return max(30, until-before)
}

// startValue sets the money at the start.
func (p *parser) startValue(s *Simulation) {
	f := p.future
	rate := slices.ContainsFunc(s.Phases[:1], func(x Phase) bool { return x.Rule.Kind != Contribute && x.Rule.Kind != Nothing })
	switch {
	case f.start.there:
		s.Start = f.start.value
		if s.Start == 0 && rate {
			p.refuse(f.start.from, f.start.to, "", "with nothing at the start there is nothing to withdraw")
		}
	case s.Phases[0].Rule.Kind == Contribute:
		p.assume("It starts with nothing.")
	default:
		s.Start = 1_000_000
		p.assume("No start value was given, so it is 1,000,000.")
	}
}

// saves checks what is saved for a goal.
func (p *parser) saves(s *Simulation) {
	g := p.future.goal
	if !g.there {
		return
	}
	switch {
	case len(s.Phases) > 1 || len(s.Flows) > 0:
		p.refuse(g.from, g.to, "", "a plan that saves for a goal has no other payments: save 1,000 a month until I have 500,000")
	case s.Phases[0].Rule.Kind != Contribute:
		p.refuse(g.from, g.to, "", "how much is saved? Say save 1,000 a month until I have 500,000")
	case s.Start >= s.Goal:
		p.refuse(g.from, g.to, "", "the goal is reached at the start")
	default:
		s.Step = "monthly"
	}
}

// settings sets the inputs that every simulation has.
func (p *parser) settings(s *Simulation) {
	f, to := p.future, &s.Settings
	pick := func(x *said[float64], into **float64) {
		if x.there {
			*into = &x.value
		}
	}
	pick(&f.block, &to.Block)
	pick(&f.inflate, &to.Inflation)
	pick(&f.fee, &to.Fee)
	if to.Prices = f.prices.value; f.prices.there && f.inflate.there {
		p.refuse(f.prices.from, f.prices.to, "", fmt.Sprintf("inflation was given before, as a rate: %q", p.text(f.inflate.from, f.inflate.to)))
	}
	if f.paths.there {
		to.Paths = &f.paths.value
	}
	if f.seed.there {
		to.Seed = &f.seed.value
	}
	to.Source, to.Since = f.source.value, f.since.value
	if f.past.there {
		switch {
		case f.source.there:
		case f.random.there:
			p.assume("Futures are drawn at random from blocks of past months.")
		default:
			p.refuse(f.past.from, f.past.to, "", "drawn at random from the past, or each past start as it was? Say bootstrap, or historical cycles")
		}
	}
	switch source := to.Source; {
	case source == "history" && f.paths.there:
		p.refuse(f.paths.from, f.paths.to, "", "historical cycles have as many paths as there are past starts: leave the number out")
	case source == "history" && f.random.there:
		p.refuse(f.random.from, f.random.to, "", "Monte Carlo draws at random, and historical cycles do not: say one of the two")
	case source == "history" && f.seed.there:
		p.refuse(f.seed.from, f.seed.to, "", "historical cycles draw nothing at random: leave the seed out")
	case f.block.there && source != "" && source != "stationary" && source != "circular":
		p.refuse(f.block.from, f.block.to, "", "blocks belong to the bootstraps: say bootstrap, or block bootstrap")
	}
	if f.paths.there && 12*s.Years*f.paths.value > mostSteps {
		p.refuse(f.paths.from, f.paths.to, "", fmt.Sprintf("%d paths of %d years are more than can be computed: with %d years up to %d", f.paths.value, s.Years, s.Years, mostSteps/12/s.Years))
	}
	if r := f.rebalance; r.there && !slices.Contains([]string{"monthly", "quarterly", "yearly", "never"}, r.value) {
		p.refuse(r.from, r.to, "", "a simulation moves by months: rebalanced monthly, quarterly, yearly or never")
	}
	if f.often.there && len(p.problems) == 0 {
		s.Step = f.often.value
	}
}

// mostSteps are the paths × months of a plan.
const mostSteps = 200_000_000

// questions checks what was asked.
func (p *parser) questions(*Simulation) {
	f := p.future
	if f.success.there && !f.spending.there {
		p.refuse(f.success.from, f.success.to, "", "a chance of success goes with a question: how much can I spend from 1,000,000 over 40 years with 90 % success")
	}
}

func yearsText(n int) string {
	if n == 1 {
		return "1 year"
	}
	return fmt.Sprintf("%d years", n)
}
