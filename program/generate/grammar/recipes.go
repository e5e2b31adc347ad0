package grammar

import (
	"fmt"
	"slices"
)

// recipes are strategies that are known by name: momentum and trend rules with the
// members that their authors use.
var recipes = []struct {
	name, source string
	forms        []string
	pool         []ticker
	fallback     []ticker
	apply        func(p *parser, m match)
}{
	{
		"GTAA 5", "Mebane Faber, A Quantitative Approach to Tactical Asset Allocation, 2007",
		[]string{"[faber|faber 's|meb faber 's|mebane faber 's] (gtaa|gtaa 5|tactical asset allocation|global tactical asset allocation|gtaa5) [portfolio|strategy|model]", "(faber 's|meb faber 's|mebane faber 's) (timing|trend|tactical) (model|strategy|system|portfolio)"},
		[]ticker{{"SPY", 0, large}, {"EFA", 0, abroad}, {"IEF", 0, middle}, {"VNQ", 0, estate}, {"DBC", 0, commodities}},
		nil,
		func(p *parser, m match) {
			p.lastBlock().equal = true
			p.addTest(tested{Test: Test{Kind: AboveAverage, Slow: 210}, who: everyone}, m)
		},
	},
	{
		"Global Equities Momentum", sourceOfGEM,
		[]string{"[antonacci 's|gary antonacci 's] global (equities|equity) momentum [portfolio|strategy|model] [\\( gem \\)]", "[antonacci 's|gary antonacci 's] gem (portfolio|strategy|model|rotation|dual momentum)", "antonacci 's gem"},
		[]ticker{{"SPY", 0, large}, {"VEU", 0, append([]string{"ACWX"}, abroad...)}},
		[]ticker{{"AGG", 1, append([]string{"BND"}, bonds...)}},
		equitiesMomentum,
	},
	{
		"GTAA 13", "Mebane Faber, A Quantitative Approach to Tactical Asset Allocation, updated 2013",
		[]string{"[faber|faber 's|meb faber 's|mebane faber 's] (gtaa 13|gtaa13|gtaa moderate|gtaa moderate 13) [portfolio|strategy|model]"},
		[]ticker{
			{"VTV", .05, []string{"IWD", "SPY", "SYN-LARGE"}}, {"MTUM", .05, []string{"SPMO", "QQQ", "SYN-TECH"}}, {"VBR", .05, small}, {"XSMO", .05, smaller}, {"EFA", .10, abroad}, {"EEM", .10, developing},
			{"IEF", .05, middle}, {"BWX", .05, []string{"IGOV", "BNDX", "SYN-WORLD"}}, {"LQD", .05, credit}, {"TLT", .05, long}, {"DBC", .10, commodities}, {"GLD", .10, gold}, {"VNQ", .20, estate},
		},
		nil,
		func(p *parser, m match) {
			if m.has("pool") {
				p.lastBlock().equal = true
			}
			p.addTest(tested{Test: Test{Kind: AboveAverage, Slow: 210}, who: everyone}, m)
		},
	},
	{
		"Adaptive Asset Allocation", "Adam Butler, Michael Philbrick, Rodrigo Gordillo and David Varadi, Adaptive Asset Allocation: A Primer, 2012: the better half by the returns of six months, with the weights of least variance over 60 sessions",
		[]string{"[butler 's|philbrick 's|resolve 's] adaptive asset allocation [\\( aaa \\)] [portfolio|strategy|model] [by butler , philbrick and gordillo]", "aaa (portfolio|strategy|model|by butler , philbrick and gordillo)"},
		[]ticker{{"SPY", 0, large}, {"VGK", 0, europe}, {"EWJ", 0, japan}, {"EEM", 0, developing}, {"VNQ", 0, estate}, {"RWX", 0, []string{"VNQI", "REET", "IYR", "SYN-REAL"}}, {"IEF", 0, middle}, {"TLT", 0, long}, {"DBC", 0, commodities}, {"GLD", 0, gold}},
		nil,
		func(p *parser, m match) {
			once(p, &p.draft.count, max(1, len(p.lastBlock().entries)/2), m, "how many are held")
			p.byMomentum(m)
			p.momentumSpans(m, []span{newSpan(6, 21)})
			once(p, &p.draft.weighting, MinimumVariance, m, "how members are weighted")
			once(p, &p.draft.riskLookback, newSpan(60, 1), m, "the lookback of risk")
		},
	},
	{
		"Faber's sector rotation", "Mebane Faber, Relative Strength Strategies for Investing, 2010: the best three of the sectors by the mean of their returns over 1, 3, 6, 9 and 12 months",
		[]string{"(faber 's|faber|meb faber 's) sector (rotation|momentum) [portfolio|strategy|model]"},
		sectors,
		nil,
		bestSectors,
	},
	{
		"Accelerating Dual Momentum", "Stephen Hanly, Engineered Portfolio, 2018: the better of two by the mean of their returns over 1, 3 and 6 months if that is positive, long bonds otherwise",
		[]string{"(engineered portfolio 's|hanly 's) (accelerating|accelerated) dual momentum [\\( adm \\)] [portfolio|strategy|model]", "adm (portfolio|strategy|model)"},
		accelerators,
		[]ticker{{"TLT", 1, long}},
		func(p *parser, m match) {
			once(p, &p.draft.count, 1, m, "how many are held")
			p.byMomentum(m)
			p.momentumSpans(m, []span{newSpan(1, 21), newSpan(3, 21), newSpan(6, 21)})
			p.asksPositive(PerMember, m)
		},
	},
}

var (
	accelerators = []ticker{{"SPY", 0, large}, {"SCZ", 0, append([]string{"VSS"}, abroad...)}}
	sectors      = []ticker{
		{"XLB", 0, nil}, {"XLE", 0, nil}, {"XLF", 0, nil}, {"XLI", 0, nil}, {"XLK", 0, nil}, {"XLP", 0, nil}, {"XLU", 0, nil}, {"XLV", 0, nil}, {"XLY", 0, nil},
	}
)

// bestSectors chooses the best three by the mean of five returns.
func bestSectors(p *parser, m match) {
	once(p, &p.draft.count, min(3, max(1, len(p.lastBlock().entries)-1)), m, "how many are held")
	p.byMomentum(m)
	var spans []span
	for _, months := range []float64{1, 3, 6, 9, 12} {
		spans = append(spans, newSpan(months, 21))
	}
	p.momentumSpans(m, spans)
}

// withOwnRoles are forms after which members may be given for those that are held and for
// those that are held otherwise.
func withOwnRoles(forms []string) (own []string) {
	for _, f := range forms {
		own = append(own, f, f+" (with|using|on|of|from|among|applied to|for) {pool=members} [[,|;] [and] (otherwise|else) {safe=members}]", f+" [,|;] [and] (otherwise|else) {safe=members}")
	}
	return own
}

// withOwn are forms after which members may be given: all of them, or one in the place of
// another.
func withOwn(forms []string) (own []string) {
	for _, f := range forms {
		own = append(own, f, f+" (with|using|of|in) {pool=members}", f+" [,] (with|using|but with) {one=member} (instead of|in place of|for) {usual=member}")
	}
	return own
}

// takePortfolio adds the holdings of a well-known portfolio to a block, with the members
// that the description gives in the place of its own, in the same order.
func (p *parser) takePortfolio(b *block, name string, holdings []ticker, m match) {
	own := map[int]reading{}
	given := get[[]reading](m.captures, "pool")
	if n := len(given); n > 0 && n != len(holdings) {
		p.refuse(m.from, m.to, "", fmt.Sprintf("the %s has %d members: name one for each of %s, in this order", name, len(holdings), and(roles(holdings))))
		return
	}
	for i, r := range given {
		own[i] = r
	}
	if one, usual := get[reading](m.captures, "one"), get[reading](m.captures, "usual"); one.key != "" {
		at := slices.IndexFunc(holdings, func(h ticker) bool { return h.ticker == usual.key })
		if at < 0 {
			p.refuse(m.from, m.to, "", "the "+name+" does not hold "+usual.key+": it holds "+and(roles(holdings)))
			return
		}
		own[at] = one
	}
	var parts []string
	for i, h := range holdings {
		r, yours := own[i]
		if !yours {
			r = p.stand(h, m)
		} else if p.captureMember(m, r); r.key != h.ticker {
			parts = append(parts, r.key+" for "+h.ticker)
		}
		b.entries = append(b.entries, entry{reading: r, from: m.from, weight: h.weight, has: true})
	}
	if len(parts) > 0 {
		p.draft.notes = append(p.draft.notes, "As was said, it holds "+and(parts)+".")
	}
}

// roles lists the holdings of a portfolio with their shares.
func roles(holdings []ticker) (list []string) {
	for _, h := range holdings {
		list = append(list, percent(h.weight)+" "+h.ticker)
	}
	return list
}

// usualMembers names the members of a rule that was named without any.
func (p *parser) usualMembers() {
	d := &p.draft
	if d.bare == nil && d.count.there && p.namesSectors() {
		d.bare, d.usualAt = &bareSectors, match{from: d.count.from, to: d.count.to}
	}
	if d.bare == nil || len(d.parts) > 0 || d.rule.there {
		return
	}
	b, m := p.openBlock(d.usualAt.from), d.usualAt
	p.takeTickers(b, d.bare.pool, m)
	b.known = d.bare.name
	if d.bare.complete != nil && !d.count.there && !d.lookbacks.there && !d.anyLookback.there && !d.score.there {
		d.bare.complete(p, m)
		d.usual = said[string]{"Faber's sector rotation", m.from, m.to, true}
	}
	if d.bare.fallback != nil {
		d.parts = append(d.parts, part{otherwise: true, from: m.from, to: m.to})
		p.takeTickers(p.openBlock(m.from), d.bare.fallback, m)
	}
	d.notes = append(d.notes, "No members were named, so they are those of "+d.bare.source+".")
}

// namesSectors reports that sectors are chosen from, and none of them is named.
func (p *parser) namesSectors() bool {
	at := slices.IndexFunc(p.tokens, func(t token) bool { return t.is("sectors") || t.is("sector") })
	return at >= 0 && len(p.draft.parts) == 0 && !p.at(at+1).is("rotation")
}

// bare is a rule that may be named without members.
type bare struct {
	name, source   string
	pool, fallback []ticker
	complete       func(p *parser, m match) // says the rest where nothing else is said; nil without
}

var (
	bareAccelerating = bare{"Accelerating Dual Momentum", "Stephen Hanly, Engineered Portfolio, 2018", accelerators, []ticker{{"TLT", 1, long}}, nil}
	bareDual         = bare{"Dual Momentum", "Gary Antonacci, Dual Momentum Investing, 2014", []ticker{{"SPY", 0, large}, {"VEU", 0, append([]string{"ACWX"}, abroad...)}}, []ticker{{"AGG", 1, append([]string{"BND"}, bonds...)}}, nil}
	bareSectors      = bare{"Sector rotation", "Mebane Faber, Relative Strength Strategies for Investing, 2010, in the nine sector funds of 1998", sectors, nil, bestSectors}
)

// takeOwn adds members that the description gives to a block.
func (p *parser) takeOwn(b *block, own []reading, m match) {
	for _, r := range own {
		p.captureMember(m, r)
		b.entries = append(b.entries, entry{reading: r, from: m.from, weight: 1, has: false})
	}
	if len(own) == 1 && p.draft.parts[len(p.draft.parts)-1].holdings == b && len(p.draft.parts) > 1 {
		b.entries[0].has = true // it takes everything
	}
}
