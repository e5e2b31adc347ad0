package grammar

import (
	"fmt"
	"slices"
)

// movements sorts the payments: each phase has one rule, and what is dated goes
// beside the rules.
func (p *parser) movements(s *Simulation) {
	f := p.future
	begin := 1
	for i := range s.Phases {
		p.phaseRule(s, i, begin)
		begin += s.Phases[i].Years
	}
	for i := range f.payments {
		if f.payments[i].dated() && len(p.problems) == 0 {
			p.datedFlow(s, &f.payments[i])
		}
	}
	if len(p.problems) > 0 {
		return
	}
	if f.method.there {
		p.byName(s)
	} else if x := s.Phases[len(s.Phases)-1].Rule.Kind; x == Nothing && len(s.Phases) == 1 && len(s.Flows) == 0 {
		p.noPayment(s)
	}
	if f.age.there && s.Phases[len(s.Phases)-1].Rule.Kind != LifeExpectancy && !f.endAge.there && !f.usesAge() && !f.paymentAt(f.age.from) && len(p.problems) == 0 {
		p.refuse(f.age.from, f.age.to, "", "what is the age for? Say until age 95, a pension from age 67, or withdraw by life expectancy")
	}
	if f.verb.there && !f.method.there && len(p.problems) == 0 {
		p.refuse(f.verb.from, f.verb.to, "", "by which rule? Say withdraw 4 % a year, or withdraw using guardrails starting at 5 %")
	}
}

// usesAge reports whether a payment begins or ends at an age.
func (f *future) usesAge() bool {
	return slices.ContainsFunc(f.payments, func(x payment) bool {
		return x.first != nil && x.first.age || x.last != nil && x.last.age
	})
}

// paymentAt reports whether a payment is said at a token.
func (f *future) paymentAt(token int) bool {
	return slices.ContainsFunc(f.payments, func(x payment) bool { return x.m.from == token })
}

// phaseRule sets the rule of a phase: the first payment that has no dates. Others
// without dates last as long as the phase.
func (p *parser) phaseRule(s *Simulation, phase, begin int) {
	f := p.future
	rule := &s.Phases[phase].Rule
	rule.Kind = Nothing
	var first *payment
	for i := range f.payments {
		x := &f.payments[i]
		if x.phase != phase || x.dated() {
			continue
		}
		if x.way == unsaidDirection {
			if x.way = f.purposeWay(); x.way == unsaidDirection {
				p.refuse(x.m.from, x.m.to, "", "is this paid in or taken out? Say save 1,000 a month, or withdraw 40,000 a year")
				return
			}
		}
		main := rule.Kind == Nothing && x.about == ""
		switch {
		case x.rate > 0 && !main:
			p.refuse(x.m.from, x.m.to, "", "a rate goes with no other payment before it: say the rate first, or an amount")
			return
		case main:
			if first = x; !p.mainRule(rule, x, phase) {
				s.Flows = append(s.Flows, Flow{First: begin, Last: begin + s.Phases[phase].Years - 1, Amount: signed(x), About: x.about, Open: phase == len(s.Phases)-1})
			}
		case x.growth != nil:
			p.refuse(x.m.from, x.m.to, "", "a rate of growth goes with the first payment alone")
			return
		case first != nil && first.way == x.way:
			p.refuse(x.m.from, x.m.to, "", fmt.Sprintf("another payment was said before: %q. Add them up, or date one of them", p.text(first.m.from, first.m.to)))
			return
		default:
			s.Flows = append(s.Flows, Flow{First: begin, Last: begin + s.Phases[phase].Years - 1, Amount: signed(x), Real: !x.real.there || x.real.value, About: x.about, Open: phase == len(s.Phases)-1})
		}
		if len(p.problems) > 0 {
			return
		}
	}
}

// signed is a payment's money a year, positive where it leaves.
func signed(x *payment) float64 {
	if x.way == comesIn {
		return -x.yearly()
	}
	return x.yearly()
}

// purposeWay is which way payments without a word go.
func (f *future) purposeWay() direction {
	if f.purpose.there {
		return leaves
	}
	return unsaidDirection
}

// mainRule sets a phase's rule from its main payment. It reports false if no rule
// does that: a level amount is a flow.
func (p *parser) mainRule(rule *Rule, x *payment, phase int) bool {
	real := !x.real.there || x.real.value
	switch {
	case x.way == comesIn:
		*rule = Rule{Kind: Contribute, Amount: x.yearly(), Growth: x.growth}
		if x.growth != nil && x.real.there {
			p.refuse(x.m.from, x.m.to, "", "it grows by a rate, or with prices: say one of the two")
		}
		if !real {
			level := 0.0
			rule.Growth = &level
		}
		if !x.real.there && x.growth == nil {
			p.assume("Amounts are in prices of the start and rise with inflation, unless it is said that they do not.")
		}
	case x.rate > 0 && x.base == portfolioBase:
		*rule = Rule{Kind: Percentage, Rate: x.rate}
		if x.real.there {
			p.refuse(x.m.from, x.m.to, "", "a share of the portfolio is what it is: prices do not change it. Say 4 % of the starting value for an amount that rises with inflation")
		}
	case x.rate > 0:
		*rule = Rule{Kind: FixedRate, Rate: x.rate}
		if x.base == unsaidBase && !p.future.method.there {
			p.assume(fmt.Sprintf("%s is of the value at the start of the withdrawals; say %s of the portfolio each year for a share of what is there.", percent(x.rate), percent(x.rate)))
		}
		if !x.real.there && !p.future.method.there {
			p.assume("Withdrawals rise with inflation, unless it is said that they do not.")
		}
		if !real {
			if rule.Kind = LevelRate; phase > 0 {
				p.refuse(x.m.from, x.m.to, "", "a level rate is of the value at the start of the plan: say an amount, or let it rise with inflation")
			}
		}
	case !real:
		return false
	default:
		*rule = Rule{Kind: FixedAmount, Amount: x.yearly()}
		if !x.real.there && !p.future.method.there {
			p.assume("Amounts are in prices of the start and rise with inflation, unless it is said that they do not.")
		}
	}
	if rule.Kind == FixedRate && phase > 0 {
		*rule = Rule{Kind: Ratchet, Rate: rule.Rate, RaiseBy: 0, Above: 1.5}
	}
	return true
}

// datedFlow adds a payment with dates.
func (p *parser) datedFlow(s *Simulation, x *payment) {
	f := p.future
	if x.way == unsaidDirection {
		x.way = f.purposeWay()
		if x.way == unsaidDirection && x.once {
			x.way = leaves
			p.assume("One-off amounts are spent, unless they are called a deposit, a gift or an inheritance.")
		}
	}
	switch {
	case x.way == unsaidDirection:
		p.refuse(x.m.from, x.m.to, "", "is this paid in or taken out? Say withdraw 40,000 a year from 2034 to 2038, or a pension of 20,000 a year from year 10")
		return
	case x.rate > 0:
		p.refuse(x.m.from, x.m.to, "", "a rate has no dates: say an amount of money")
		return
	case x.growth != nil:
		p.refuse(x.m.from, x.m.to, "", "a dated payment rises with inflation or not at all")
		return
	}
	flow := Flow{First: p.planYear(x.first, x.m, true), Last: s.Years, Amount: signed(x), Real: !x.real.there || x.real.value, About: x.about}
	flow.Open = !x.once && x.last == nil && x.length == 0
	switch {
	case x.once:
		flow.Last = flow.First
	case x.last != nil:
		flow.Last = p.planYear(x.last, x.m, false)
	case x.length > 0:
		flow.Last = flow.First + int(x.length) - 1
	}
	if len(p.problems) > 0 {
		return
	}
	switch {
	case flow.First > flow.Last:
		p.refuse(x.m.from, x.m.to, "", "it ends before it begins")
	case flow.Last > s.Years:
		p.refuse(x.m.from, x.m.to, "", fmt.Sprintf("the plan lasts %s, and this is paid until year %d: let the plan last longer", yearsText(s.Years), flow.Last))
	}
	if !x.real.there {
		p.assume("Amounts are in prices of the start and rise with inflation, unless it is said that they do not.")
	}
	s.Flows = append(s.Flows, flow)
}

// noPayment sets what is done where no payment was said.
func (p *parser) noPayment(s *Simulation) {
	f := p.future
	switch {
	case f.spending.there || f.retires:
		s.Phases[0].Rule = Rule{Kind: FixedRate, Rate: 0.04}
		p.assume("No withdrawal was given, so the plan withdraws 4% of the start value a year, rising with inflation.")
	case f.goal.there || f.purpose.there:
	default:
		p.assume("No payments were given, so nothing is paid in or taken out.")
	}
}

// byName puts the named rule in the place of the payment that says its rate.
func (p *parser) byName(s *Simulation) {
	f := p.future
	m := match{from: f.method.from, to: f.method.to}
	last := &s.Phases[len(s.Phases)-1]
	said := last.Rule
	rule := f.method.value
	initial := s.start(f)
	rate := said.Rate
	if said.Kind == FixedAmount && len(s.Phases) == 1 {
		rate = cents(said.Amount / initial)
	}
	spends := said.Kind == FixedRate || said.Kind == Percentage || said.Kind == Ratchet || said.Kind == FixedAmount && len(s.Phases) == 1
	needsRate := rule.Kind == GuytonKlinger || rule.Kind == FloorCeiling || rule.Kind == Ratchet
	switch {
	case said.Kind == Contribute:
		p.refuse(m.from, m.to, "", "what is saved is not withdrawn by this rule: say save 1,000 a month for 20 years, then withdraw by it for 30 years")
		return
	case said.Kind == LevelRate || said.Kind == FixedAmount && len(s.Phases) > 1:
		p.refuse(m.from, m.to, "", "this rule starts with a rate: withdraw 5 % with guardrails")
		return
	case needsRate && !spends:
		p.refuse(m.from, m.to, "", "at which rate does it start? Say withdraw 5 % a year with it")
		return
	case !needsRate && said.Kind != Nothing:
		at := f.phasePayment(len(s.Phases) - 1)
		p.refuse(at.from, at.to, "", "the rule says how much is withdrawn: leave this out, or leave out the rule")
		return
	case needsRate && (rate <= 0 || rate > 1):
		p.refuse(m.from, m.to, "", "the first withdrawal is more than the start value")
		return
	}
	if needsRate {
		rule.Rate = rate
	}
	switch rule.Kind {
	case GuytonKlinger:
		rule.Guard, rule.Change = 0.2, 0.1
		if f.guard.there {
			rule.Guard = f.guard.value
		}
		if f.change.there {
			rule.Change = f.change.value
		}
		if !f.guard.there || !f.change.there {
			p.assume("Guyton and Klinger's guardrails are 20% away from the first rate and change spending by 10%, unless other figures are given.")
		}
	case FloorCeiling:
		p.bounds(s, &rule, initial)
	case Annuity:
		if rule.Rate == 0 {
			rule.Rate = 0.03
			p.assume("No real return was given for the payments, so they count on 3% a year.")
		}
	case LifeExpectancy:
		if !f.age.there {
			p.refuse(m.from, m.to, "", "at which age? Say withdraw by life expectancy from age 72")
			return
		}
		if f.age.value < 72 || f.age.value > 120 {
			p.refuse(f.age.from, f.age.to, "", "the uniform lifetime table has the ages from 72 to 120; before 72 another rule can be used, such as VPW")
			return
		}
		rule.Age = f.age.value
	}
	if rule.Kind != GuytonKlinger && (f.guard.there || f.change.there) {
		at := f.guard
		if !at.there {
			at = f.change
		}
		p.refuse(at.from, at.to, "", "this belongs to guardrails: withdraw 5 % with guardrails")
	}
	last.Rule = rule
}

// start is the money at the start, as far as it is known by now.
func (s *Simulation) start(f *future) float64 {
	if f.start.there {
		return f.start.value
	}
	return 1_000_000
}

// bounds sets a floor and a ceiling.
func (p *parser) bounds(s *Simulation, rule *Rule, initial float64) {
	f := p.future
	m := match{from: f.method.from, to: f.method.to}
	if !f.floor.there || !f.ceiling.there {
		p.refuse(m.from, m.to, "", "between what? Say with a floor of 85 % and a ceiling of 120 %, which are shares of the first withdrawal, or amounts of money")
		return
	}
	share := func(x limit) float64 {
		if x.money {
			if len(s.Phases) > 1 {
				p.refuse(m.from, m.to, "", "how much is first withdrawn is not known before: say shares of the first withdrawal, such as 85 % and 120 %")
				return 0
			}
			return cents(x.value / (rule.Rate * initial))
		}
		return x.value
	}
	rule.Floor, rule.Ceiling = share(f.floor.value), share(f.ceiling.value)
	if rule.Floor > rule.Ceiling && len(p.problems) == 0 {
		p.refuse(m.from, m.to, "", "the floor is above the ceiling")
	}
}
