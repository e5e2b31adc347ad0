package grammar

import (
	"fmt"
	"math"
)

// risk sets what depends on volatility, leverage and caps.
func (p *parser) risk(plan *Plan) {
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
			if plan.Weighting == MinimumVariance || plan.Weighting == MeanVariance || plan.Weighting == ByOptimizer {
				plan.RiskLookback = 252
			}
			note := fmt.Sprintf("No lookback of risk was given, so it is measured over %d sessions.", plan.RiskLookback)
			if plan.Weighting == ByOptimizer {
				note = fmt.Sprintf("No lookback was given, so the optimizer sees at most the last %d sessions, even if its own lookback is longer.", plan.RiskLookback)
			}
			plan.Notes = append(plan.Notes, note)
		}
		if plan.RiskLookback < 5 {
			p.refuse(d.anyLookback.from, max(d.anyLookback.to, 1), "", "risk is measured over 5 sessions or more")
		}
	case d.riskLookback.there:
		p.refuse(d.riskLookback.from, d.riskLookback.to, "", "nothing is weighed by risk: say inverse volatility, or a volatility target")
	case d.anyLookback.there && (plan.Select == nil || d.lookbacks.there):
		p.refuse(d.anyLookback.from, d.anyLookback.to, "", "it is not clear what this is the lookback of. Say: by 12 month momentum, or 60-day volatility")
	default:
		plan.RiskLookback = 0
	}
	if d.aversion.there {
		plan.RiskAversion = d.aversion.value
		if plan.Weighting != MeanVariance {
			p.refuse(d.aversion.from, d.aversion.to, "", "risk aversion applies only to mean variance weights")
		}
	}
	p.exposure(plan)
	p.limited(plan)
	p.capped(plan)
	p.optimized(plan)
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
		p.refuse(d.gross.from, d.gross.to, "", "the leverage that was given is above this limit")
	case d.gross.there && grossOf(plan.Pool) > max(1, d.gross.value)+1e-9:
		p.refuse(d.gross.from, d.gross.to, "", fmt.Sprintf("the shares invest %s", percent(grossOf(plan.Pool))))
	case d.gross.there && d.gross.value > 1:
		p.refuse(d.gross.from, d.gross.to, "", "a leverage limit needs a volatility target; for fixed leverage say 1.5x leverage")
	case d.borrows.there && plan.Leverage == 1 && plan.Target == 0 && sumOf(plan.Pool) <= 1+1e-9:
		p.refuse(d.borrows.from, d.borrows.to, "", "how much leverage? Say 1.5x leverage")
	}
	if d.gross.there && d.gross.value == 1 && len(p.problems) == 0 {
		plan.Notes = append(plan.Notes, "Nothing is borrowed.")
	}
	if plan.Target > 0 && d.borrows.there && !d.gross.there {
		p.refuse(d.borrows.from, d.borrows.to, "", "what is the maximum leverage? Say at most 2x leverage")
	}
	if plan.Target > 0 && !d.gross.there {
		plan.Notes = append(plan.Notes, "No leverage was given, so nothing is borrowed for the volatility target.")
	}
}

// lever stores leverage, and how many members had been named by then.
func (p *parser) lever(m match, v float64) {
	d := &p.draft
	once(p, &d.leverage, v, m, "leverage")
	if b := p.lastBlock(); b != nil {
		d.leveraged, d.leveragedN = b, len(b.entries)+len(b.rest)
	}
}

// borrowing are words for leverage that may refer to the borrowed part only.
var borrowing = set("leverage leveraged levered lever leveraging gearing geared")

// unclearLeverage reports leverage of at most 100 %, because "50% leverage" may mean
// half of the equity, or one and a half times.
func (p *parser) unclearLeverage(m match, v float64) bool {
	of, times := false, false
	for i := m.from; i < m.to; i++ {
		t := p.tokens[i]
		of = of || borrowing[t.lower]
		times = times || t.is("x") || t.is("times") || t.is("fold") || t.is(":") || t.is("to")
	}
	return of && !times && (v < 1 || v == 1 && p.hasPercent(m))
}

func (p *parser) hasPercent(m match) bool {
	for i := m.from; i < m.to; i++ {
		if p.percentSign(i) > 0 {
			return true
		}
	}
	return false
}

// leverWords say that everything is leveraged, not only the member beside the factor.
var leverWords = set("leverage leveraged levered lever leveraging gearing geared exposure invested")

// levers checks that leverage applies to everything that is held.
func (p *parser) levers(plan *Plan, s *structure) {
	d := &p.draft
	if !d.leverage.there || d.leverage.value == 1 {
		return
	}
	at := d.leverage
	refuse := func(message string) { p.refuse(at.from, at.to, "", message) }
	if len(plan.Else) > 0 {
		refuse("it is not clear whether the alternative is leveraged, too. Put the leverage in the shares: hold 200% SPY when …, otherwise BIL")
		return
	}
	n := len(s.then.entries) + len(s.then.rest)
	if b := d.leveraged; b == s.then && d.leveragedN > 0 && d.leveragedN < n {
		refuse("does this apply to all members, or to one of them? Put it last if it applies to all, otherwise in the shares")
		return
	}
	for i := at.from; i < at.to; i++ {
		if leverWords[p.tokens[i].lower] {
			return
		}
	}
	_, after := p.memberAt(at.to, true)
	if n > 1 && (after || p.besideMember(at.from)) {
		refuse("does this apply to all members, or to the one next to it? Say leveraged 2x for all, or put it in the shares")
	}
}

// among refuses a volatility target or a cap that stands among the members: it could be
// meant for the one before it.
func (p *parser) among(s *structure) {
	for _, x := range []struct {
		there    bool
		from, to int
		what     string
	}{
		{p.draft.target.there, p.draft.target.from, p.draft.target.to, "volatility target"},
		{p.draft.cap.there, p.draft.cap.from, p.draft.cap.to, "cap"},
	} {
		if !x.there || s.then == nil {
			continue
		}
		before, after := "", false
		for _, e := range s.then.entries {
			if e.from < x.from {
				before = e.key
			}
			after = after || e.from >= x.to
		}
		if before != "" && after {
			p.refuse(x.from, x.to, "", fmt.Sprintf("does the %s apply to all members, or to %s alone? Say it last if it applies to all, or put it into parentheses with the member: 60%% (SPY with a 10%% volatility target), 40%% AGG", x.what, before))
		}
	}
}

// besideMember reports whether a member ends where a token begins.
func (p *parser) besideMember(at int) bool {
	for _, x := range p.draft.parts {
		if x.holdings == nil {
			continue
		}
		for _, e := range x.holdings.entries {
			if e.upto == at || e.end == at {
				return true
			}
		}
	}
	return false
}

func grossOf(list []Holding) (sum float64) {
	for _, h := range list {
		sum += math.Abs(h.Weight)
	}
	return sum
}

func sumOf(list []Holding) (sum float64) {
	for _, h := range list {
		sum += h.Weight
	}
	return sum
}

// capped checks a cap against what it caps.
func (p *parser) capped(plan *Plan) {
	d := &p.draft
	if plan.Cap == 0 {
		return
	}
	if plan.Leverage != 1 || plan.Target > 0 && plan.MaxGross > 1 {
		p.refuse(d.cap.from, d.cap.to, "", "leverage would raise weights above this cap: give only one of the two")
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

// narrowing are words after which a modifier speaks of the members that follow.
var narrowing = set("on for in to over of")

// narrowed refuses modifiers of all that is held which are said of one member:
// 2x leverage on SPY, AGG.
func (p *parser) narrowed(s *structure) {
	d := &p.draft
	entries := s.then.entries
	if len(entries)+len(s.then.rest) < 2 && s.otherwise == nil {
		return
	}
	for _, x := range []struct {
		there bool
		to    int
		what  string
	}{
		{d.leverage.there, d.leverage.to, "leverage"}, {d.cap.there, d.cap.to, "cap"}, {d.band.there, d.band.to, "band"},
		{d.target.there, d.target.to, "volatility target"}, {d.gross.there, d.gross.to, "limit of exposure"},
	} {
		if !x.there || !narrowing[p.at(x.to).lower] {
			continue
		}
		r, ok := p.memberAt(x.to+1, true)
		if !ok || r.cash || p.lists(entries, x.to+1) {
			continue
		}
		p.refuse(x.to, r.end, "", fmt.Sprintf("does the %s apply only to %s, or to all members? It can only apply to all: leave the member out there", x.what, r.key))
	}
}

// lists reports whether the members that begin at a token are plainly all of
// them: a list without shares whose last member follows and.
func (p *parser) lists(entries []entry, at int) bool {
	if len(entries) < 2 || entries[0].from != at {
		return false
	}
	for _, e := range entries {
		if e.own {
			return false
		}
	}
	before := p.at(entries[len(entries)-1].from - 1)
	return before.is("and") || before.is("&")
}
