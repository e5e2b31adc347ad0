package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// sharePhrases specify the shares of members.
var sharePhrases = []phrase{
	{
		forms: []string{
			"[in] (equal|equally|even|evenly) [weight|weights|weighted|weighting|weightings|split|divided|distributed|allocated|allocation|parts|proportions|proportion|shares|amounts|sized|size|spread|balanced]",
			"[split|divide|divided|spread|distribute|distributed|allocated|allocate|invest|invested] (equally|evenly) [between|among|amongst|across|over|in|into|to|with] [each]",
			"same (weight|amount|share) [in|to|of|for] (each|all|every one)", "1 / n [over|across|of|in|on|with]", "one over n", "equalweight", "equal weight", "each [one] equally [weighted]",
			"in equal (parts|shares|proportions|amounts|measure|weights)", "(split|divide|divided|spread) [it] (equally|evenly)", "an equal (part|share|weight|amount) (of|in|to) [each [of]]", "ew", "weighted equally",
		},
		keeps: true,
		says: func(p *parser, m match) {
			p.expected = true
			switch s := &p.shares; {
			case s.open && s.rest:
				p.openBlock(m.from).restAll = true
			case s.open && s.single && s.taken == 0:
				s.split, s.single = true, false
				s.groups++
				s.group = s.groups
			case p.restJustSaid():
				p.lastBlock().restAll = true
			case p.splitLast():
			default:
				p.closeShares()
				p.equalBlock(m).equal = true
			}
		},
	},
	{
		forms: []string{"each", "each (to|in|into|of|for)", "each [asset|one|fund|etf] [is] (held at|gets|has|weighted|at|with weight of)", "apiece"},
		keeps: true,
		says: func(p *parser, m match) {
			p.expected = true
			if s := &p.shares; s.open && s.single && s.taken == 0 {
				s.each, s.single = true, false
				return
			}
			if _, end, bare := p.share(m.to); end > 0 && !bare {
				return
			}
			if r, ok := p.memberAt(m.to, true); ok && !r.cash {
				p.draft.eachOf = true
				return
			}
			if p.draft.parts == nil {
				p.refuse(m.from, m.to, "", "each of what? Name the members first")
			}
		},
	},
	{
		forms: []string{
			"(rest|remainder|remaining|balance|whatever is left|what is left|what 's left|everything else|(unallocated|uninvested|idle|leftover|unused|spare) (money|cash|capital|part|weight|portion|share|funds)|remaining (portfolio|money|capital|weight|part|share|allocation)|other half|rest of [it|portfolio|money|capital|weight]|remainder of portfolio) [is|goes|going|stays|held|kept|invested|should be|left|will be] [held|kept|invested|parked|put|{shared=w:split}|{shared=w:divided}|{shared=w:shared}|{shared=w:spread}] [in|into|to|as|between|among|across|over]",
		},
		keeps: true,
		says: func(p *parser, m match) {
			p.closeShares()
			if p.leavesRest() {
				p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
				p.expected = true
				return
			}
			b := p.openBlock(m.from)
			if b.hasRest {
				p.refuse(m.from, m.to, "", "what takes the rest was said before")
				return
			}
			b.hasRest, b.restAll = true, m.has("shared") // split between: in equal parts, unless shares follow
			p.shares = shares{open: true, rest: true, from: m.from, lastAt: m.to, groups: p.shares.groups}
			p.expected = true
		},
	},
	{
		forms: []string{"[on|of|across|over|with|from|universe of|basket of|list of] {n} (assets|etfs|funds|tickers|symbols|stocks|sectors|members|holdings) :"},
		keeps: true,
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.announced = said[int]{get[int](m.captures, "n"), m.from, m.to, true}
		},
	},
	{
		forms: []string{"weighted [:]"},
		keeps: true,
		says: func(p *parser, m match) {
			p.expected = true
			_, end, _ := p.share(m.to)
			if _, ok := p.memberAt(m.to, true); end == 0 && !ok {
				p.refuse(m.from, m.to, "", "weighted how? Say equally, by inverse volatility, or give shares")
			}
		},
	},
	{
		forms: []string{"fully invested [in]", "fully in"},
		keeps: true,
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.full = said[bool]{true, m.from, m.to, true}
		},
	},
	{
		forms: []string{"(volatility|vol) (managed|controlled|targeted)"},
		keeps: true,
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.managed = said[bool]{true, m.from, m.to, true}
		},
	},
	{
		forms: []string{"all in [on]", "go all in [on]", "(put|move|invest|allocate|go) (everything|it all|all of it|all money|all my money) (in|into|to|on)", "[a] (barbell|ladder) (of|with)", "target (allocation|allocations|weights|mix|portfolio) [of|is|:]", "(look|looking|looks) at", "all of [:]", "start (from|with)"},
		keeps: true,
		says:  func(p *parser, _ match) { p.expected = true },
	},
	{
		forms: []string{"(about|roughly|approximately|approx|around|circa|~)"},
		keeps: true,
		says: func(p *parser, m match) {
			if _, end, _ := p.share(m.to); end == 0 {
				p.refuse(m.from, m.to, "", "this is not understood")
				return
			}
			if note := "\"About\" is left out: shares are exactly as given."; !slices.Contains(p.draft.notes, note) {
				p.draft.notes = append(p.draft.notes, note)
			}
		},
	},
}

// leavesRest reports members without shares of which some may not be held: the rest is
// what they leave.
func (p *parser) leavesRest() bool {
	if p.shares.open && !p.shares.each {
		return false
	}
	for _, x := range p.draft.parts {
		if x.otherwise || x.holdings != nil && (x.holdings.known != "" || slices.ContainsFunc(x.holdings.entries, func(e entry) bool { return e.has })) {
			return false
		}
	}
	each := slices.ContainsFunc(p.tests(), func(t *tested) bool { return t.who == everyone })
	return len(p.draft.parts) > 0 && (each || p.draft.positive.there)
}

// weightPhrases specify how members are weighted, other than by shares.
var weightPhrases = []phrase{
	{
		forms: []string{"short", "(shorting|shorted|shorts)", "(sell|sold|held|held as) short", "selling short", "short (position in|sell|selling|position)", "[go|going|be|being] short"},
		keeps: true,
		says:  func(p *parser, m match) { p.sellShort(m) },
	},
	{
		forms: []string{"of (which|whom|that|those|it)", "thereof"},
		keeps: true,
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "a share of a part: say what it is of all")
		},
	},
	{
		forms: []string{"long / short", "long and short", "long short", "short / long", "long or short", "short or long"},
		says: func(p *parser, m match) {
			p.refuse(m.from, m.to, "", "say what is held and what is sold short, each with its share: 130% SPY, short 30% IWM")
		},
	},
	{
		forms: []string{
			"[weighted|weight|weights|weighting|sized] [by] [their|its] inverse [of] [their] (volatility|vol|volatilities|risk|standard deviation) [weighted|weighting|weights|weight|weightings|sizing|parity]",
			"[weighted|weight|sized] by inverse of [their] {span} (volatility|vol|volatilities|standard deviation)", "[weighted|weight|sized] inversely [proportional] to [their] (volatility|vol|volatilities|risk)", "[weighted|weight] inversely by (volatility|vol)", "[weighted|weight|sized] by (volatility|vol|inverse risk)",
			"naive risk parity", "(volatility|vol) (weighted|weighting|weights|parity)", "1 / (volatility|vol|sigma)", "inverse vol", "(volatility|vol) inverse weighted",
		},
		says: weighting(InverseVolatility),
	},
	{
		forms: []string{"[weighted|weight] [by|with|in] risk parity [weighted|weighting|weights|weight]", "[in|with|by|at] equal risk [contribution|contributions] [weighted|weighting|weights]", "[with] equal (contribution|contributions) to risk", "(erc|equal risk parity)", "[so that] [each|all] (contribute|contributes) [the] same risk", "same risk (from|in) each"},
		says:  weighting(RiskParity),
	},
	{
		forms: []string{
			"[weighted|weight] [by|for|with] (minimum|min|minimal|minimise|minimize|minimizing|minimising|minimised|minimized) [portfolio] (variance|volatility|vol|risk) [weighted|weighting|weights|weight|portfolio|combination|mix]",
			"[by|for|with] (lowest|least) [portfolio] (variance|volatility|vol|risk) (weighted|weighting|weights|weight|portfolio|combination|mix)", "(weighted|weight) (by|for) (lowest|least) [portfolio] (variance|volatility|vol|risk)",
			"(variance|volatility) (minimizing|minimising) [weights]", "gmv", "global minimum variance",
		},
		says: weighting(MinimumVariance),
	},
	{
		forms: []string{
			"[by|with|for] [{n}] (lowest|least|smallest|highest|most) (variance|volatility|vol|risk|volatile|risky) [{n}] [<things>]", "[by|with|for] [{n}] (minimum|min|minimal) (variance|volatility|vol|risk) [{n}] (asset|etf|fund|one|stock|assets|etfs|funds|ones|stocks|of them)",
			"[{n}] (calmest|riskiest|safest) [<things>]",
			"{n} [<things>] (with|that have|having) [the] (lowest|least|smallest|highest|most) (variance|volatility|vol|risk)", "{n} (lowest|least|highest) (volatility|vol|risk) [<things>] [<of members>]",
		},
		says: func(p *parser, m match) {
			p.expected = true
			chooses := m.has("n") || p.at(m.from).is("calmest") || p.at(m.from).is("riskiest") || p.at(m.from).is("safest")
			for i := m.from; i < m.to; i++ {
				switch t := p.tokens[i]; {
				case t.is("variance"):
					chooses = false
				case t.is("volatile") || t.is("risky") || i > m.from+1 && p.tokens[i-1].lower != "of" && thing[t.lower]:
					chooses = true
				}
			}
			if chooses {
				p.calmest(m)
				return
			}
			p.refuse(m.from, m.to, "", "are members chosen by their volatility, or is it the mix of all with the lowest variance? Say the 2 least volatile, or minimum variance")
		},
	},
	{
		forms: []string{"[weighted|weight] [by|with] mean variance [optimal|optimized|optimised|optimization|optimisation|weights|weighting|weighted|efficient]", "markowitz [optimal|optimized|optimisation|optimization|weights]"},
		says:  weighting(MeanVariance),
	},
	{
		forms: []string{"[with] [a] risk aversion [of|=|:|is] {num}"},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "num")
			if p.bounded(m, v, 0.1, 1000, "a risk aversion", "0.1 and 1,000") {
				once(p, &p.draft.aversion, v, m, "a risk aversion")
			}
		},
	},
}

// capPhrases limit the weight of each member.
var capPhrases = []phrase{
	{
		forms: []string{
			"[but] (no more than|not more than|never above|never over|at most|max|maximum|maximum of|max of|up to|never more than|capped at|cap at|cap of|limited to|limit of|no higher than|a maximum weight of|maximum weight of|max weight of|maximum allocation of) {pct} [weight|allocation|exposure] [in|per|for|to|on|of|into] (<any> [single|one] [<holding>]|anything|everything)",
			"[with] [<any>] [<holding>] [weight|weights] (capped|cap|limit|limited|limits|capping) [each] [<any>] [<holding>] [at|to|of] {pct} [each|apiece|per <holding>|in <any> [<holding>]]",
			"[<any>] [<holding>] (may not exceed|must not exceed|not exceeding|cannot exceed|should not exceed|does not exceed) {pct}",
			"(max|maximum|at most|no more than|up to|not more than) ({pct}|{part=division}) (each|apiece|per <holding>)", "(max|maximum) [weight] ({pct}|{part=division}) [weight]", "(at most|no more than|not more than|never more than) ({pct}|{part=division}) in (any one|any single one|a single one|each|any|one)", "(maximum|max) [position|holding|single|asset] (weight|size|allocation) [is|of|:|=] {pct}",
			"[with] [a] {pct} (cap|limit|maximum|max) [on|per|for] [<any>] [<holding>]", "no [single] <holding> [gets|has|is|weighs|may be] (above|over|more than|larger than|greater than) {pct}",
		},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "pct") + get[float64](m.captures, "part")
			if v > 1 && p.draft.target.there { // of a volatility target: a limit of exposure
				if p.bounded(m, v, 0.1, mostWeight, "a limit of exposure", "10 % and 1,000 %") {
					once(p, &p.draft.gross, v, m, "a limit of exposure")
				}
				return
			}
			if p.bounded(m, v, 0.01, 1, "a cap", "1 % and 100 %") {
				once(p, &p.draft.cap, v, m, "a cap")
			}
		},
	},
}

// thing are words for what is chosen.
var thing = set("asset assets etf etfs fund funds one ones stock stocks member members model models holding holdings")

// equalBlock returns the block whose members have equal weights: the last one, if no
// members follow.
func (p *parser) equalBlock(m match) *block {
	if b := p.lastBlock(); b != nil {
		return b
	}
	at := m.to
	for p.at(at).kind == word && (filler[p.at(at).lower] || introducing[p.at(at).lower]) {
		at++
	}
	if r, ok := p.memberAt(at, true); !ok || r.cash {
		for i := len(p.draft.parts) - 1; i >= 0; i-- {
			if b := p.draft.parts[i].holdings; b != nil && len(b.entries) > 1 {
				return b
			}
		}
	}
	return p.openBlock(m.from)
}

func weighting(w Weighting) func(*parser, match) {
	return func(p *parser, m match) {
		p.expected = true
		once(p, &p.draft.weighting, w, m, "a weighting")
		if s := get[span](m.captures, "span"); s.sessions > 0 && p.bounded(m, float64(s.sessions), 2, longestLookback, "a lookback", "2 sessions and 10 years") {
			once(p, &p.draft.riskLookback, s, m, "a lookback of risk")
		}
		if text := strings.Join(p.lowers(m.from, m.to), " "); w == InverseVolatility && !strings.Contains(text, "inverse") && !strings.Contains(text, "1 /") && !strings.Contains(text, "parity") {
			p.draft.notes = append(p.draft.notes, fmt.Sprintf("%q means inverse volatility: the less volatile a member, the larger its weight.", text))
		}
		if p.ranks(m) {
			p.draft.byRisk = said[bool]{true, m.from, m.to, true}
		}
	}
}

// ranks reports whether a weighting could also be the way that members are chosen: by
// inverse volatility, with the lowest volatility.
func (p *parser) ranks(m match) bool {
	for i := m.from; i < m.to; i++ {
		if w := p.tokens[i].lower; strings.HasPrefix(w, "weigh") || w == "sized" || w == "parity" || w == "portfolio" {
			return false
		}
	}
	first := p.at(m.from)
	for i := m.from; i < m.to; i++ {
		if t := p.tokens[i]; t.is("lowest") || t.is("least") {
			return true
		}
	}
	return first.is("by") || first.is("with") || first.is("for") || p.at(m.from-1).is("by") || p.at(m.from-1).is("on") || p.at(m.from-1).is("with")
}

// restJustSaid reports whether the members of the last block take the rest.
func (p *parser) restJustSaid() bool {
	b := p.lastBlock()
	return b != nil && len(b.rest) > 1
}

// bounded reports a number outside of the sensible range.
func (p *parser) bounded(m match, v, least, most float64, what, between string) bool {
	if v >= least && v <= most {
		return true
	}
	p.refuse(m.from, m.to, "", fmt.Sprintf("%s is between %s", what, between))
	return false
}
