package grammar

import "slices"

// rulePhrases name rules of spending.
var rulePhrases = []phrase{
	{
		forms: []string{
			"[by|using|with|via|under|following|use] [guyton klinger|guyton and klinger|guyton & klinger|guyton 's|gk] {guard=pct} guardrails",
			"[by|using|with|via|under|following|use] (guyton klinger|guyton and klinger|guyton & klinger|guyton / klinger|gk|guardrails|guardrail) [guardrails|guardrail] [rules|rule|method|withdrawals|withdrawal|decision rules|strategy|approach|withdrawal rule|withdrawal rules|spending|spending rule] [(of|at|:) {guard=pct}]",
			"[by|using|with|via|under|following|use] guardrails (of|at) [+ / -] {guard=pct}",
		},
		says: func(p *parser, m match) {
			if m.has("guard") {
				p.say(&p.future.guard, get[float64](m.captures, "guard"), m, "how wide the guardrails are")
			}
			p.by(Rule{Kind: GuytonKlinger}, m)
		},
	},
	{
		forms: []string{
			"[with|and] [a] {change=pct} (adjustment|adjustments|cut|cuts|raise|raises|changes|change|steps) [at guardrails|at guardrail|each time]",
			"[with|and] (adjustment|adjustments|cut|cuts|cutting|changes|cuts and raises|adjusting|adjusted|changing) [of|by|spending by|withdrawals by] {change=pct} [at guardrails|each time]",
		},
		says: func(p *parser, m match) {
			p.say(&p.future.change, get[float64](m.captures, "change"), m, "what a guardrail changes")
		},
	},
	{
		forms: []string{
			"[by|using|with|via|under|following|use] (vpw|variable percentage withdrawal|variable percentage withdrawals|variable percentage|amortization based withdrawal|amortization based withdrawals|abw|annuitized withdrawals) [rule|method|strategy|withdrawals|spending] [(with|at|of|assuming|counting on) [real] [return|rate] [of] {pct} [real] [return|rate|real return] [a year|per year]]",
			"[by|using|with|via|under|following|use] (vpw|variable percentage withdrawal|variable percentage withdrawals) [rule|method|strategy] [(with|at|assuming|counting on) [a] {pct} real return]",
		},
		says: func(p *parser, m match) { p.by(Rule{Kind: Annuity, Rate: get[float64](m.captures, "pct")}, m) },
	},
	{
		forms: []string{
			"[by|using|with|via|under|following|use|only|on|take|taking|spend|withdraw] (life expectancy|rmd|rmds|required minimum distribution|required minimum distributions|minimum required distributions|uniform lifetime table|irs table) [rule|method|table|withdrawals|divisor|divisors|based withdrawals|strategy|approach] [each year|every year|a year]",
		},
		says: func(p *parser, m match) { p.by(Rule{Kind: LifeExpectancy}, m) },
	},
	{
		forms: []string{
			"[by|using|with|via|under|following|use] [kitces|kitces 's] (ratchet|ratcheting|ratcheted|ratchet up) [rule|method|strategy|withdrawals|spending|4 % rule] [[that] (raise|raises|raising|raised|increasing|increases) [it|spending|withdrawals] [by] {raise=pct} [(when|if|once|whenever) [portfolio|value|it|balance|real value] [is|rises|has grown|grows|goes] [by] ({more=pct} (above|over) [its|the] [start|starting value|start value|initial value|starting balance|initial balance|beginning]|(above|over|to) {above=pct} of [its|the] [start|starting value|start value|initial value|starting balance|initial balance])]]",
		},
		says: func(p *parser, m match) {
			r := Rule{Kind: Ratchet, RaiseBy: 0.1, Above: 1.5}
			if m.has("raise") {
				r.RaiseBy = get[float64](m.captures, "raise")
			}
			if m.has("more") {
				r.Above = cents(1 + get[float64](m.captures, "more"))
			}
			if m.has("above") {
				r.Above = get[float64](m.captures, "above")
			}
			if !m.has("raise") {
				p.assume("The ratchet raises spending by 10% when the portfolio is half above its start, unless other figures are given.")
			}
			p.by(r, m)
		},
	},
	{
		forms: []string{
			"[by|using|with|via|under|following|use] (floor and ceiling|floor / ceiling|floor ceiling|ceiling and floor|dynamic spending) [rule|method|strategy|withdrawals|spending|withdrawal] [(of|at|:) {floor=limit} and {ceiling=limit} [of (first withdrawal|initial withdrawal|first year 's withdrawal)]]",
			"[with] [a] floor [of|at|:|is] {floor=limit} [a year] [of (first withdrawal|initial withdrawal)]",
			"[with|and] [a] {floor=limit} floor", "[with|and] [a] {ceiling=limit} ceiling",
			"[with|and] [a] (ceiling|cap) [of|at|:|is] {ceiling=limit} [a year] [of (first withdrawal|initial withdrawal)]",
			"[but] (never|not) (less than|below|under) {floor=limit} [a year] [of (first withdrawal|initial withdrawal)] [(and|or|nor) [never|not] (more than|above|over) {ceiling=limit} [a year] [of (first withdrawal|initial withdrawal)]]",
			"[but] between {floor=limit} and {ceiling=limit} of (first withdrawal|initial withdrawal)",
			"[but] [but|and|at|withdrawing|spending] at least {floor=limit} [a year] and at most {ceiling=limit} [a year] [of (first withdrawal|initial withdrawal)]",
		},
		says: func(p *parser, m match) {
			if m.has("floor") {
				once(p, &p.future.floor, get[limit](m.captures, "floor"), m, "a floor")
			}
			if m.has("ceiling") {
				once(p, &p.future.ceiling, get[limit](m.captures, "ceiling"), m, "a ceiling")
			}
			p.by(Rule{Kind: FloorCeiling}, m)
		},
	},
}

// by says by which rule is spent.
func (p *parser) by(r Rule, m match) {
	f := p.future
	f.simulates = true
	if f.method.there && f.method.value.Kind == r.Kind {
		if r.Kind != FloorCeiling && r.Kind != GuytonKlinger {
			p.refuse(m.from, m.to, "", "the rule was said before")
		}
		return
	}
	once(p, &f.method, r, m, "the rule of spending")
}

// assume notes an assumption once.
func (p *parser) assume(note string) {
	if !slices.Contains(p.draft.notes, note) {
		p.draft.notes = append(p.draft.notes, note)
	}
}

// limitAt reads a floor or a ceiling: 85 %, 30,000.
func (p *parser) limitAt(at int) (any, int) {
	if v, end := p.percent(at); end > 0 {
		return limit{value: v.(float64)}, end
	}
	if v, end := p.money(at); end > 0 {
		return limit{value: v.(float64), money: true}, end
	}
	return nil, 0
}
