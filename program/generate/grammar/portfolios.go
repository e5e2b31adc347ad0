package grammar

import "fmt"

// ticker is a holding of a well-known portfolio.
type ticker struct {
	ticker string
	weight float64
	other  []string // what stands for it where the catalog does not have it
}

// wellKnown are portfolios that are known by name, with funds that commonly represent
// their asset classes.
var wellKnown = []struct {
	name     string
	source   string // where the shares are published
	forms    []string
	holdings []ticker
}{
	{
		"Permanent Portfolio", "Harry Browne, Fail-Safe Investing, 1999",
		[]string{"[harry browne 's|harry browne|browne 's] permanent portfolio [(by|of|from) [harry] browne]"},
		[]ticker{{"VTI", .25, stocks}, {"TLT", .25, long}, {"BIL", .25, bills}, {"GLD", .25, gold}},
	},
	{
		"All Weather", "Ray Dalio in Tony Robbins, Money: Master the Game, 2014",
		[]string{"[ray dalio 's|ray dalio|dalio 's] (all weather|all seasons) [portfolio|strategy] [(by|of|from) [ray] dalio]"},
		[]ticker{{"VTI", .30, stocks}, {"TLT", .40, long}, {"IEF", .15, middle}, {"GLD", .075, gold}, {"DBC", .075, commodities}},
	},
	{
		"Golden Butterfly", "Tyler, Portfolio Charts, 2016",
		[]string{"golden butterfly [portfolio]"},
		[]ticker{{"VTI", .20, stocks}, {"VBR", .20, small}, {"TLT", .20, long}, {"SHY", .20, short}, {"GLD", .20, gold}},
	},
	{
		"Three-Fund Portfolio", "the shares of 50, 30 and 20 % that are commonly listed for the Bogleheads' three funds; the authors leave them open",
		[]string{"[bogleheads|boglehead|bogleheads '|lazy|lazy bogleheads] (three|3) fund [portfolio]"},
		[]ticker{{"VTI", .50, stocks}, {"VXUS", .30, []string{"VEU", "VEA", "EFA", "SYN-WORLD"}}, {"BND", .20, bonds}},
	},
	{
		"Coffeehouse Portfolio", "Bill Schultheis, The Coffeehouse Investor, 1998",
		[]string{"[bill schultheis 's|schultheis 's] (coffeehouse|coffee house) [portfolio]"},
		[]ticker{{"SPY", .10, large}, {"VTV", .10, nil}, {"VB", .10, []string{"IWM"}}, {"VBR", .10, nil}, {"VXUS", .10, []string{"EFA"}}, {"VNQ", .10, estate}, {"BND", .40, bonds}},
	},
	{
		"Ivy Portfolio", "Mebane Faber and Eric Richardson, The Ivy Portfolio, 2009",
		[]string{"[faber 's|meb faber 's|mebane faber 's] ivy [5|five] portfolio"},
		[]ticker{{"VTI", .20, stocks}, {"VEU", .20, abroad}, {"BND", .20, bonds}, {"VNQ", .20, estate}, {"DBC", .20, commodities}},
	},
	{
		"Swensen Portfolio", "David Swensen, Unconventional Success, 2005",
		[]string{"[david swensen 's] (swensen 's|swensen|yale) [lazy|model|unconventional success] portfolio"},
		[]ticker{{"VTI", .30, stocks}, {"VEA", .15, abroad}, {"VWO", .05, emerging}, {"VNQ", .20, estate}, {"IEF", .15, middle}, {"TIP", .15, []string{"SCHP", "SYN-INFL"}}},
	},
	{
		"Core Four", "Rick Ferri's Core-4, 60/40",
		[]string{"[rick ferri 's|ferri 's] core (four|4) [portfolio]"},
		[]ticker{{"VTI", .36, stocks}, {"VXUS", .18, abroad}, {"VNQ", .06, estate}, {"BND", .40, bonds}},
	},
	{
		"Buffett 90/10", "Warren Buffett's letter to shareholders of 2013",
		[]string{"[warren buffett 's|buffett 's|warren buffett|buffett] 90 / 10 [portfolio]", "(warren buffett 's|buffett 's|warren buffett|buffett) portfolio"},
		[]ticker{{"SPY", .90, large}, {"SHY", .10, short}},
	},
	{
		"Larry Portfolio", "Larry Swedroe, Reducing the Risk of Black Swans, 2013, as listed by Portfolio Charts",
		[]string{"(larry|swedroe|larry swedroe) ['s] portfolio"},
		[]ticker{{"VBR", .15, small}, {"SCZ", .075, append([]string{"VSS"}, abroad...)}, {"EEM", .075, developing}, {"IEF", .70, middle}},
	},
	{
		"Pinwheel Portfolio", "Tyler, Portfolio Charts, 2016",
		[]string{"pinwheel [portfolio]"},
		[]ticker{{"VTI", .15, stocks}, {"VBR", .10, small}, {"VEA", .15, abroad}, {"EEM", .10, developing}, {"VNQ", .15, estate}, {"IEF", .15, middle}, {"BIL", .10, bills}, {"GLD", .10, gold}},
	},
	{
		"Couch Potato Portfolio", "Scott Burns, Dallas Morning News, 1991, with inflation-linked bonds as he suggests since",
		[]string{"[scott burns ['s|']] couch potato [portfolio]"},
		[]ticker{{"VTI", .50, stocks}, {"TIP", .50, linked}},
	},
	{
		"Margaritaville Portfolio", "Scott Burns, Dallas Morning News, 2004: three funds in equal parts",
		[]string{"[scott burns ['s|']] margaritaville [portfolio]", "scott burns ['s|'] three (funds|fund portfolio)"},
		[]ticker{{"VTI", .34, stocks}, {"VXUS", .33, abroad}, {"TIP", .33, linked}},
	},
	{
		"No-Brainer Portfolio", "William Bernstein, The Four Pillars of Investing, 2002",
		[]string{"[william bernstein 's|bernstein 's] no brainer [portfolio]"},
		[]ticker{{"SPY", .25, large}, {"VB", .25, smaller}, {"VGK", .25, europe}, {"SHY", .25, short}},
	},
	{
		"Second Grader's Portfolio", "Allan Roth, How a Second Grader Beats Wall Street, 2009",
		[]string{"[allan roth 's|roth 's] second grader ['s] [starter] [portfolio]"},
		[]ticker{{"VTI", .60, stocks}, {"VXUS", .30, abroad}, {"BND", .10, bonds}},
	},
	{
		"Desert Portfolio", "Gyroscopic Investing forum, as listed by Portfolio Charts",
		[]string{"desert portfolio"},
		[]ticker{{"VTI", .30, stocks}, {"IEF", .60, middle}, {"GLD", .10, gold}},
	},
	{
		"Weird Portfolio", "Value Stock Geek, 2018",
		[]string{"[value stock geek 's] weird portfolio"},
		[]ticker{{"VBR", .20, small}, {"SCZ", .20, append([]string{"VSS"}, abroad...)}, {"TLT", .20, long}, {"VNQ", .20, estate}, {"GLD", .20, gold}},
	},
	{
		"Talmud Portfolio", "Roger Gibson, Asset Allocation, 2008, after the Talmud: a third each in business, land and money",
		[]string{"talmud portfolio"},
		[]ticker{{"VTI", .34, stocks}, {"VNQ", .33, estate}, {"BND", .33, bonds}},
	},
	{
		"Hedgefundie's Excellent Adventure", "Hedgefundie, Bogleheads forum, February 2019, with the shares of August 2019",
		[]string{"hedgefundie ['s] [excellent] [adventure] [portfolio|strategy]", "hfea [portfolio|strategy]"},
		[]ticker{{"UPRO", .55, []string{"SPXL"}}, {"TMF", .45, nil}},
	},
}

var (
	stocks      = []string{"SPY", "SYN-LARGE"}
	large       = []string{"VOO", "IVV", "SYN-LARGE"}
	small       = []string{"IJS", "IWM", "SYN-SMALL"}
	abroad      = []string{"VXUS", "VEA", "EFA", "SYN-EUROPE"}
	emerging    = []string{"EEM", "SYN-EMERG"}
	bonds       = []string{"AGG", "SYN-BOND"}
	long        = []string{"VGLT", "SYN-LONG"}
	middle      = []string{"GOVT", "AGG", "SYN-BOND"}
	short       = []string{"VGSH", "SYN-SHORT"}
	bills       = []string{"SGOV", "SHV", "SYN-BILLS"}
	gold        = []string{"IAU", "SYN-GOLD"}
	commodities = []string{"PDBC", "GSG", "SYN-COMMO"}
	estate      = []string{"IYR", "SYN-REAL"}
)

const sourceOfGEM = "Gary Antonacci, Dual Momentum Investing, 2014: the better of two where the first beats bills over 12 months, bonds otherwise"

// equitiesMomentum adds the rules of Global Equities Momentum to the members of the
// last block.
func equitiesMomentum(p *parser, m match) {
	p.momentumSpans(m, []span{newSpan(12, 21)})
	once(p, &p.draft.count, 1, m, "how many are held")
	p.byMomentum(m)
	b := p.lastBlock()
	hurdle := p.stand(ticker{"BIL", 0, bills}, m)
	p.draft.notes = append(p.draft.notes, "Treasury bills are "+hurdle.key+".")
	p.addTest(tested{Test: Test{Kind: Rising, Slow: 252, Other: hurdle.key}, subject: b.entries[0].reading, who: named}, m)
}

// ownEquitiesMomentum is Global Equities Momentum with members that the description
// names: domestic and foreign stocks, and bonds.
var ownEquitiesMomentum = phrase{
	forms: []string{
		"[antonacci 's|gary antonacci 's|dual momentum] gem [strategy|portfolio|model] (with|using|on|of) {one=member} [,|/|and] {two=member} [,|/] [and] {bonds=member}",
		"(antonacci 's|gary antonacci 's) dual momentum [strategy|portfolio|model] (with|using|on|of) {one=member} [,|/|and] {two=member} [,|/] [and] {bonds=member}",
		"[antonacci 's|gary antonacci 's] global (equities|equity) momentum [strategy|portfolio|model] [\\( gem \\)] (with|using|on|of) {one=member} [,|/|and] {two=member} [,|/] [and] {bonds=member}",
	},
	says: func(p *parser, m match) {
		if len(p.draft.parts) > 0 {
			p.refuse(m.from, m.to, "", "a well-known strategy has its own members: leave the others out, or describe the strategy in full")
			return
		}
		const name = "Global Equities Momentum"
		b := p.openBlock(m.from)
		b.known = name
		for _, slot := range []string{"one", "two"} {
			b.entries = append(b.entries, entry{reading: get[reading](m.captures, slot), from: m.from})
		}
		bonds := get[reading](m.captures, "bonds")
		p.draft.usual = said[string]{name, m.from, m.to, true}
		p.draft.notes = append(p.draft.notes, fmt.Sprintf("The rules are those of %s (%s). %s stands for the stocks of the country, %s for those of others, %s for bonds.", name, sourceOfGEM, b.entries[0].key, b.entries[1].key, bonds.key))
		equitiesMomentum(p, m)
		p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
		other := p.openBlock(m.from)
		other.entries = append(other.entries, entry{reading: bonds, from: m.from, weight: 1, has: true})
	},
}

// ownAccelerating is Accelerating Dual Momentum with members that the description names:
// two of which the better is held, and the refuge.
var ownAccelerating = phrase{
	forms: []string{
		"[hanly 's|engineered portfolio 's|dual momentum] (adm|accelerating dual momentum|accelerated dual momentum) [\\( adm \\)] [strategy|portfolio|model] (with|using|on|of) {one=member} [,|/|and] {two=member} [,|/] [and] {safe=member}",
	},
	says: func(p *parser, m match) {
		if len(p.draft.parts) > 0 {
			p.refuse(m.from, m.to, "", "a well-known strategy has its own members: leave the others out, or describe the strategy in full")
			return
		}
		const name = "Accelerating Dual Momentum"
		b := p.openBlock(m.from)
		b.known = name
		for _, slot := range []string{"one", "two"} {
			b.entries = append(b.entries, entry{reading: get[reading](m.captures, slot), from: m.from})
		}
		safe := get[reading](m.captures, "safe")
		p.draft.usual = said[string]{name, m.from, m.to, true}
		p.draft.notes = append(p.draft.notes, fmt.Sprintf("The rules are those of %s (Stephen Hanly, Engineered Portfolio, 2018): the better of %s and %s, and %s while neither rises.", name, b.entries[0].key, b.entries[1].key, safe.key))
		once(p, &p.draft.count, 1, m, "how many are held")
		p.byMomentum(m)
		p.momentumSpans(m, []span{newSpan(1, 21), newSpan(3, 21), newSpan(6, 21)})
		p.asksPositive(PerMember, m)
		p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
		other := p.openBlock(m.from)
		other.entries = append(other.entries, entry{reading: safe, from: m.from, weight: 1, has: true})
	},
}

// knownHoldings are all members of well-known portfolios and strategies.
var knownHoldings = func() (lists [][]ticker) {
	for _, w := range wellKnown {
		lists = append(lists, w.holdings)
	}
	for _, r := range recipes {
		lists = append(lists, r.pool, r.fallback)
	}
	for _, r := range rulesByName {
		lists = append(lists, r.pool, r.defensive, r.canary)
	}
	lists = append(lists, accelerators, sectors, bareDual.pool, bareDual.fallback)
	return append(lists, []ticker{{"BIL", 0, bills}, {"SPY", 0, large}, {"AGG", 0, bonds}})
}()

// portfolioPhrases are the names of well-known portfolios and strategies.
var portfolioPhrases = func() (list []phrase) {
	for _, w := range wellKnown {
		list = append(list, phrase{forms: withOwn(w.forms), says: func(p *parser, m match) {
			if p.ownWords(m.to) {
				p.draft.notes = append(p.draft.notes, "What is held is what was said, not what the "+w.name+" holds.")
				return
			}
			b := p.openBlock(m.from)
			if len(b.entries) > 0 || p.draft.name.there && b.known != "" {
				p.refuse(m.from, m.to, "", "a well-known portfolio cannot be mixed with other members: build a model of it first, and hold that model by its name")
				return
			}
			b.known = w.name
			p.draft.notes = append(p.draft.notes, "The shares are those of the "+w.name+" ("+w.source+").")
			p.takePortfolio(b, w.name, w.holdings, m)
		}})
	}
	list = append(list, ownEquitiesMomentum, ownAccelerating)
	for _, r := range recipes {
		list = append(list, phrase{forms: withOwnRoles(r.forms), says: func(p *parser, m match) {
			if len(p.draft.parts) > 0 {
				p.refuse(m.from, m.to, "", "a well-known strategy has its own members: leave the others out, or describe the strategy in full")
				return
			}
			if !m.has("pool") && !m.has("safe") && p.ownWords(m.to) {
				p.draft.notes = append(p.draft.notes, "The rule is the one that was said, not that of "+r.name+".")
				return
			}
			b := p.openBlock(m.from)
			b.known = r.name
			p.draft.usual = said[string]{r.name, m.from, m.to, true}
			p.draft.notes = append(p.draft.notes, "The rules are those of "+r.name+" ("+r.source+").")
			if own := get[[]reading](m.captures, "pool"); len(own) > 0 {
				p.takeOwn(b, own, m)
			} else {
				p.takeTickers(b, r.pool, m)
			}
			r.apply(p, m)
			safe := get[[]reading](m.captures, "safe")
			if r.fallback == nil && len(safe) == 0 {
				return
			}
			p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
			if other := p.openBlock(m.from); len(safe) > 0 {
				p.takeOwn(other, safe, m)
				other.equal = len(safe) > 1
			} else {
				p.takeTickers(other, r.fallback, m)
			}
		}})
	}
	return list
}()

// ownWords reports what is held after the name of a portfolio or strategy, which then only
// names it: three-fund portfolio with 60% VTI, 20% VXUS, 20% BND; adaptive asset allocation
// with the top 5 of ….
func (p *parser) ownWords(at int) bool {
	start := at
	for p.at(at).is("with") || p.at(at).is("of") || p.at(at).is("using") || p.at(at).is(":") || p.at(at).is("the") || p.at(at).is("a") {
		at++
	}
	if at == start {
		return false
	}
	if t := p.at(at); t.is("top") || t.is("best") || t.is("strongest") {
		return true
	}
	_, end, bare := p.share(at)
	if end == 0 || bare {
		return false
	}
	r, ok := p.memberAt(end, true)
	return ok && !r.unknown
}

// takeTickers adds holdings to a block, as far as the catalog has them.
func (p *parser) takeTickers(b *block, holdings []ticker, m match) {
	for _, h := range holdings {
		r := p.stand(h, m)
		b.entries = append(b.entries, entry{reading: r, from: m.from, weight: h.weight, has: h.weight > 0})
	}
}

// stand finds a fund of a well-known portfolio in the catalog, or one that represents
// it.
func (p *parser) stand(h ticker, m match) reading {
	for i, symbol := range append([]string{h.ticker}, h.other...) {
		if x, ok := p.members.known[symbol]; ok && !x.Model {
			if i > 0 {
				p.draft.notes = append(p.draft.notes, x.Symbol+" stands for "+h.ticker+", which the catalog does not have.")
			}
			return reading{end: m.to, key: x.Key, member: x}
		}
	}
	r := reading{end: m.to, key: h.ticker, unknown: true}
	p.reported[m.from] = false
	p.unknownMember(m.from, r)
	p.problems[len(p.problems)-1].Message = h.ticker + ", which this strategy holds, is not in the catalog, nor is anything that could stand for it: name a member of your own after with, as in golden butterfly with SPY instead of VTI, or VAA strategy with SPY, EFA, EEM and AGG"
	return r
}

// abbreviated are strategies whose usual abbreviation is also the symbol of an asset.
var abbreviated = map[string]string{
	"GEM": "Antonacci's Global Equities Momentum", "GTAA": "Faber's tactical asset allocation", "ADM": "accelerating dual momentum", "IVY": "the Ivy Portfolio",
	"PAA": "protective asset allocation", "VAA": "vigilant asset allocation", "DAA": "defensive asset allocation", "HAA": "hybrid asset allocation",
	"BAA": "bold asset allocation",
}

// naming are the words after which a strategy's abbreviation may follow.
var naming = set("momentum strategy model rotation allocation portfolio system")

// strategies are the abbreviations that stand for the strategy far more often than for the
// asset, so that a share before them does not tell which is meant.
var strategies = set("GEM GTAA VAA DAA HAA BAA")

// strategyOrSymbol refuses a symbol that is a strategy's abbreviation, if it is where
// the name of one would be: dual momentum GEM with SPY and VEU.
func (p *parser) strategyOrSymbol(at int, r reading) {
	t := p.at(at)
	name, ok := abbreviated[t.text]
	shared := p.shares.open && p.shares.single || p.leads(at)
	if !ok || t.kind != word || r.member.Model || shared && !strategies[t.text] {
		return
	}
	if p.listed(at) && !naming[p.at(at-1).lower] && !shared {
		return
	}
	p.refuse(at, r.end, "$"+t.text, fmt.Sprintf("is this the asset %s, or %s? Write $%s for the asset, and %s portfolio for the strategy", t.text, name, t.text, t.text))
}
