package grammar

import (
	"slices"
	"strings"
)

// Published is a published strategy that sorts its members into roles: what is held while
// markets rise (the plan's Pool), what is held instead, and what warns.
type Published struct {
	Kind      PublishedKind
	Hold      int      // how many of the pool are held
	Defensive []string // of which the best are held instead
	Canary    []string // whose momentum warns; nil where the pool itself does
	Bills     string   // of Bold: what takes the place of defensive members that do not beat it
}

// PublishedKind is a published strategy.
type PublishedKind string

// Published strategies, all of Wouter Keller's.
const (
	Vigilant  PublishedKind = "vigilant"
	Defending PublishedKind = "defensive"
	Protected PublishedKind = "protective"
	Hybrid    PublishedKind = "hybrid"
	Bold      PublishedKind = "bold"
)

// publishedRule is a rule with its source and the funds that its authors use.
type publishedRule struct {
	kind   PublishedKind
	name   string
	source string
	said   string // how it is named, as part of a form
	short  string // its abbreviation, which may also be a symbol

	pool, defensive, canary []ticker
	hold                    int
}

var rulesByName = []publishedRule{
	{
		kind: Vigilant, name: "Vigilant Asset Allocation",
		source: "Wouter Keller and Jan Willem Keuning, Breadth Momentum and Vigilant Asset Allocation, 2017, aggressive with four members (G4)",
		said:   "vigilant asset allocation [\\( vaa \\)] [g4|aggressive]|vaa (g4|aggressive|- g4)|vaa g4", short: "vaa",
		pool:      []ticker{{"SPY", 0, large}, {"EFA", 0, abroad}, {"EEM", 0, developing}, {"AGG", 0, append([]string{"BND"}, bonds...)}},
		defensive: []ticker{{"LQD", 0, credit}, {"IEF", 0, middle}, {"SHY", 0, short}},
		hold:      1,
	},
	{
		kind: Defending, name: "Defensive Asset Allocation",
		source: "Wouter Keller and Jan Willem Keuning, Breadth Momentum and the Canary Universe: Defensive Asset Allocation, 2018",
		said:   "defensive asset allocation [\\( daa \\)]|daa g12", short: "daa",
		pool:      twelve,
		defensive: []ticker{{"SHY", 0, short}, {"IEF", 0, middle}, {"LQD", 0, credit}},
		canary:    []ticker{{"VWO", 0, append([]string{"EEM"}, emerging...)}, {"BND", 0, bonds}},
		hold:      6,
	},
	{
		kind: Protected, name: "Protective Asset Allocation",
		source: "Wouter Keller and Jan Willem Keuning, Protective Asset Allocation: A Simple Momentum-Based Alternative for Term Deposits, 2016, with high protection (PAA2)",
		said:   "protective asset allocation [\\( paa \\)]|paa2|paa 2", short: "paa",
		pool:      twelve,
		defensive: []ticker{{"IEF", 0, middle}},
		hold:      6,
	},
	{
		kind: Hybrid, name: "Hybrid Asset Allocation",
		source: "Wouter Keller and Jan Willem Keuning, Dual and Canary Momentum with Rising Yields/Inflation: Hybrid Asset Allocation, 2023",
		said:   "hybrid asset allocation [\\( haa \\)]|haa balanced", short: "haa",
		pool: []ticker{
			{"SPY", 0, large}, {"IWM", 0, smaller}, {"VEA", 0, abroad}, {"VWO", 0, append([]string{"EEM"}, emerging...)},
			{"VNQ", 0, estate}, {"DBC", 0, commodities}, {"IEF", 0, middle}, {"TLT", 0, long},
		},
		defensive: []ticker{{"BIL", 0, bills}, {"IEF", 0, middle}},
		canary:    []ticker{{"TIP", 0, linked}},
		hold:      4,
	},
	{
		kind: Bold, name: "Bold Asset Allocation",
		source: "Wouter Keller, Relative and Absolute Momentum in Times of Rising/Low Yields: Bold Asset Allocation, 2022, balanced with twelve members (G12)",
		said:   "bold asset allocation [\\( baa \\)]|baa (g12|balanced|- g12)|baa g12", short: "baa",
		pool: []ticker{
			{"SPY", 0, large}, {"QQQ", 0, growth}, {"IWM", 0, smaller}, {"VGK", 0, europe}, {"EWJ", 0, japan}, {"VWO", 0, append([]string{"EEM"}, emerging...)},
			{"VNQ", 0, estate}, {"DBC", 0, commodities}, {"GLD", 0, gold}, {"TLT", 0, long}, {"HYG", 0, highYield}, {"LQD", 0, credit},
		},
		defensive: []ticker{{"TIP", 0, linked}, {"DBC", 0, commodities}, {"BIL", 0, bills}, {"IEF", 0, middle}, {"TLT", 0, long}, {"LQD", 0, credit}, {"BND", 0, bonds}},
		canary:    []ticker{{"SPY", 0, large}, {"VWO", 0, append([]string{"EEM"}, emerging...)}, {"VEA", 0, abroad}, {"BND", 0, bonds}},
		hold:      6,
	},
}

// twelve are the members of the defensive and the protective rule.
var twelve = []ticker{
	{"SPY", 0, large}, {"QQQ", 0, growth}, {"IWM", 0, smaller}, {"VGK", 0, europe}, {"EWJ", 0, japan}, {"EEM", 0, developing},
	{"VNQ", 0, estate}, {"DBC", 0, commodities}, {"GLD", 0, gold}, {"HYG", 0, highYield}, {"LQD", 0, credit}, {"TLT", 0, long},
}

var (
	developing = []string{"VWO", "SYN-EMERG"}
	smaller    = []string{"IJR", "VB", "SYN-SMALL"}
	growth     = []string{"VUG", "XLK", "SYN-TECH"}
	europe     = []string{"EZU", "IEV", "EFA", "SYN-EUROPE"}
	japan      = []string{"DXJ", "VPL", "SYN-ASIA"}
	credit     = []string{"VCIT", "SYN-CREDIT"}
	highYield  = []string{"JNK", "SYN-YIELD"}
	linked     = []string{"SCHP", "VTIP", "SYN-INFL"}
)

// publishedPhrases are the names of published rules, alone or with the user's members.
var publishedPhrases = func() (list []phrase) {
	for _, r := range rulesByName {
		const (
			author = "[wouter keller 's|keller 's|keller and keuning 's|keller|keuning 's]"
			noun   = "[strategy|portfolio|model|rule] [(by|from) (keller|wouter keller|keller and keuning|keller & keuning)]"
			own    = "(with|using|on|of|from|among|holding) [(offensive|risky|risk) (assets|asset|members|universe)] [members] [:|of] {pool=members} [as [the] (offensive|risky|risk|aggressive|attack) [assets|asset|members|universe|side|one|ones]]"
			safe   = "[,|;] [and|with] ((otherwise|else|defensive|defensively) [assets|members] [:|hold|holding|from] {safe=members}|{safe=members} as [the] [defensive|safe|protective|crash protection] [assets|asset|members|defense|defensive|one|ones|side|universe])"
			canary = "[,|;] [and|with] ((canary|canaries) [assets|members] [:] {canary=members}|{canary=members} as [the] (canary|canaries) [assets|members])"
		)
		tail := " " + noun + " [" + own + "] [" + safe + "] [" + canary + "]"
		list = append(list,
			phrase{forms: []string{author + " (" + r.said + ")" + tail}, says: func(p *parser, m match) { p.takeRule(r, m) }},
			phrase{forms: []string{author + " " + r.short + tail}, says: func(p *parser, m match) {
				at := m.from
				for !p.at(at).is(r.short) {
					at++
				}
				if t := p.at(at); at == m.from && p.isKnown(t.text) && !naming[p.at(at+1).lower] {
					p.refuse(at, at+1, "$"+t.text, "is this the asset "+t.text+", or "+r.name+"? Write $"+t.text+" for the asset, and "+t.text+" portfolio for the rule")
					return
				}
				p.takeRule(r, m)
			}})
	}
	return list
}()

// takeRule takes a published rule, with the members that the description gives for a role
// in the place of its own.
func (p *parser) takeRule(r publishedRule, m match) {
	if p.draft.rule.there || len(p.draft.parts) > 0 {
		p.refuse(m.from, m.to, "", r.name+" has its own members: name yours after with, as in "+r.example())
		return
	}
	rule, own := &Published{Kind: r.kind, Hold: r.hold}, false
	role := func(slot string, usual []ticker) (keys []string) {
		given := get[[]reading](m.captures, slot)
		own = own || len(given) > 0
		for _, x := range given {
			p.captureMember(m, x)
			keys = append(keys, x.key)
		}
		if len(given) > 0 {
			return keys
		}
		for _, h := range usual {
			keys = append(keys, p.stand(h, m).key)
		}
		return keys
	}
	pool := role("pool", r.pool)
	rule.Defensive = role("safe", r.defensive)
	if m.has("canary") && r.canary == nil {
		p.refuse(m.from, m.to, "", r.name+" has no canaries: all of its members warn")
		return
	}
	if rule.Canary = role("canary", r.canary); len(rule.Canary) == 0 {
		rule.Canary = nil
	}
	if r.kind == Bold {
		rule.Bills = p.stand(ticker{"BIL", 0, bills}, m).key
	}
	if m.has("pool") {
		rule.Hold = max(1, (r.hold*len(pool)+len(r.pool)/2)/len(r.pool)) // the same part of them
	}
	if len(pool) < 2 {
		p.refuse(m.from, m.to, "", r.name+" chooses among several members: name at least two, as in "+r.example())
		return
	}
	note := "The rules are those of " + r.name + " (" + r.source + "), with a month of 21 sessions."
	if own {
		note = "The rules are those of " + r.name + " (" + r.source + "), with a month of 21 sessions and with the members that were named."
	}
	p.draft.notes = append(p.draft.notes, note)
	p.draft.usual = said[string]{r.name, m.from, m.to, true}
	p.draft.rule = said[*Published]{rule, m.from, m.to, true}
	p.draft.ruled = pool
}

// example is a description with other members.
func (r publishedRule) example() string {
	return strings.ToUpper(r.short) + " strategy with SPY, EFA, EEM and AGG, otherwise IEF"
}

// onlyRule plans a published rule. Nothing that it decides itself can be said beside it.
func (p *parser) onlyRule(plan *Plan) {
	d := &p.draft
	name := d.usual.value
	for _, x := range d.parts {
		p.refuse(x.from, x.to, "", name+" has its own members and conditions: put it in parentheses to make it a part of a choice or a blend, or name its members after with")
	}
	for _, x := range []modifier{
		{d.count.there, d.count.from, d.count.to, ""}, {d.lookbacks.there, d.lookbacks.from, d.lookbacks.to, ""}, {d.skip.there, d.skip.from, d.skip.to, ""},
		{d.positive.there, d.positive.from, d.positive.to, ""}, {d.hurdle.there, d.hurdle.from, d.hurdle.to, ""}, {d.momentum.there, d.momentum.from, d.momentum.to, ""},
		{d.score.there, d.score.from, d.score.to, ""}, {d.lowest.there, d.lowest.from, d.lowest.to, ""}, {d.byRisk.there, d.byRisk.from, d.byRisk.to, ""},
		{d.weighting.there, d.weighting.from, d.weighting.to, ""}, {d.cap.there, d.cap.from, d.cap.to, ""}, {d.target.there, d.target.from, d.target.to, ""},
		{d.gross.there, d.gross.from, d.gross.to, ""}, {d.leverage.there, d.leverage.from, d.leverage.to, ""}, {d.hold.there, d.hold.from, d.hold.to, ""},
		{d.riskLookback.there, d.riskLookback.from, d.riskLookback.to, ""}, {d.anyLookback.there, d.anyLookback.from, d.anyLookback.to, ""}, {d.aversion.there, d.aversion.from, d.aversion.to, ""},
	} {
		if x.there {
			p.refuse(x.from, x.to, "", name+" decides this itself; beside it you can say when it decides, a band, and a name")
		}
	}
	plan.Rule, plan.Weighting, plan.Hold = d.rule.value, Equal, false
	for _, key := range d.ruled {
		plan.Pool = append(plan.Pool, Holding{Key: key})
	}
	p.timing(plan)
	if plan.Name = d.name.value; plan.Name == "" {
		plan.Name = clipped(name)
	}
}

// keys are the members of a rule beside its pool.
func (r *Published) keys() []string {
	return slices.Concat(r.Defensive, r.Canary, []string{r.Bills})
}
