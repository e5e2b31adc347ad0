package grammar

import (
	"fmt"
	"slices"
)

// momentumPhrases choose members by their momentum.
var momentumPhrases = []phrase{
	{
		forms: []string{
			"(top|best|strongest|highest|leading|greatest) {n} [<things>] [<things>] [<of members>]", "{n} (top|best|strongest|highest|leading) [<things>] [<things>] [<of members>]",
			"{n} [<things>] [<things>] <with best> <return> [<of members>]", "{n} [<things>] [<things>] <with best> {a=n} - {b=n} [month|months] <return> [<of members>]", "{n} <of members> {n=n} <things>", "(pick|choose|select|hold|rotate into|buy|own|take) {n} [<things>] <of members>",
			"(pick|choose|select|hold|buy|own) {n} (top|best|strongest|highest|leading) [<things>] [<things>] [<of members>]", "top {n} [by]",
		},
		says: func(p *parser, m match) {
			p.expected = true
			n := get[int](m.captures, "n")
			if spans := get[[]span](m.captures, "spans"); len(spans) > 0 {
				p.momentumSpans(m, spans)
			}
			if m.has("a") {
				p.leavingOut(m)
			}
			if p.bounded(m, float64(n), 1, 500, "how many are held", "1 and 500") {
				once(p, &p.draft.count, n, m, "how many are held")
				p.byMomentum(m)
			}
		},
	},
	{
		forms: []string{
			"(best|strongest|top|leading) (performing|performer|one) [<things>] (of|over|in|during|from) [last|past|previous|trailing|prior] ({spans}|{unit=unit}) [<of members>]",
			"(best|strongest|top|leading) (performing|performer|ranked|one|of) [<things>] [<of members>]", "(best|strongest|top|highest) momentum [<things>] [<of members>]", "(best|strongest|winner|leader) (of|from|among|between)", "[whichever|which one] [of them] [has|had] (best|highest|strongest|better|higher|stronger) <return>",
			"[based on|depending on|according to|by] (which|which one|whichever|whichever one) [of them|of two] (has|had) (best|highest|strongest|better|higher|stronger) [{spans}] [total|trailing] <return>", "(better|stronger) [performing|performer] [of|one|<things>] [of|between] [two]", "<one thing> <with best> <return> [<of members>]", "[momentum] (winner|leader) [of|among|between|from]", "whichever (is|was|did|has done|performed|went|has gone) (best|better|stronger|strongest|up most|up more) [over|in|during] [last|past|previous|trailing|prior] [{spans}|{unit=unit}]", "whichever of",
			"(did|does|performed|performs|has done|had done|has performed) (best|better) (over|in|during) [last|past|previous|trailing|prior] ({spans}|{unit=unit})",
		},
		says: func(p *parser, m match) {
			p.expected = true
			if w := p.at(m.from).lower; w != "whichever" && !p.whichever && (w == "did" || w == "does" || w == "performed" || w == "performs" || w == "has" || w == "had") {
				p.refuse(m.from, m.to, "", "which one is held? Say the one that did best, or whichever did best")
				return
			}
			once(p, &p.draft.count, 1, m, "how many are held")
			p.byMomentum(m)
			p.spansSaid(m)
		},
	},
	{
		forms: []string{
			"[ranked|rank|ranking|sorted|sort|selected|chosen|picked|measured] [by|on|using|with|over|based on|according to] [their|its] [total|trailing|past|last|relative|cross sectional] {spans} [total|trailing|price|relative|past|cumulative] <return>",
			"[ranked|rank|ranking|sorted|sort|selected|chosen|picked|measured] [by|on|using|with|based on|according to] [their|its] [total|trailing|price|relative] <return> (over|of|during|in|with|across|for|measured over|lookback) [a|lookback of|lookback] [last|past|trailing|previous] {spans} [lookback]",
			"[by|based on] [their] average (of|over) [their|last|past|trailing] {spans} <return>", "[by|based on] average [of] [their] <return> (over|of|across) [last|past|trailing|previous] {spans}", "[by|on|based on] [their] average {spans} <return>", "[by|on|based on] [their] {spans} average <return>",
			"<return> {spans}", "[by|on] <return> \\( {spans} \\)", "[with|has|have|had|having] (best|highest|strongest|top|better|higher) {spans} [total|trailing] <return>", "[with] {spans} momentum lookback", "(momentum|return) (lookback|window|lookback period) [of|is|:|=] {spans}", "past {spans} (winner|winners)",
		},
		says: func(p *parser, m match) {
			p.expected = true
			p.momentumSpans(m, get[[]span](m.captures, "spans"))
		},
	},
	{ // the winner of SPY vs EFA
		forms: []string{"vs", "versus"},
		says: func(p *parser, m match) {
			p.expected = true
			if !p.draft.momentum.there || p.justNamed(m.from) == nil {
				p.refuse(m.from, m.to, "", "which of the two is held? Say the winner of SPY vs EFA by 12 month return")
			}
		},
	},
	{ // by 12-1 momentum out of SPY, EFA and EEM
		forms: []string{"out of", "from", "from list [of]", "out of list [of]"},
		says: func(p *parser, m match) {
			p.expected = true
			if year := p.at(m.to); p.at(m.from).is("from") && year.kind == number && isYear(year) {
				p.refuse(m.from, m.to+1, "", noDate)
			} else if p.at(m.from).is("from") && (!p.draft.count.there || !p.introduces(m.to-1)) {
				p.refuse(m.from, m.to, "", hints["from"])
			}
		},
	},
	{
		forms: []string{"[by|on|with|using|ranked by|based on] (past|last|prior|previous) [{unit=unit}] (year|year 's) <return>", "[by] (last|past|prior|previous) year 's <return>"},
		says: func(p *parser, m match) {
			p.momentumSpans(m, []span{newSpan(1, 252)})
		},
	},
	{
		forms: []string{
			"[by|on|with|using|ranked by|ranked on|based on] [their] [best|highest|strongest] {a=n} - {b=n} [month|months] <return>", "[by|on|with|using] [their] {a=n} minus {b=n} [month|months] <return>", "<return> {a=n} - {b=n}", "<return> \\( {a=n} - {b=n} \\)",
		},
		says: func(p *parser, m match) {
			p.leavingOut(m)
		},
	},
	{
		forms: []string{
			"[by] (minus|skip|skipping|skips|excluding|exclude|excludes|ignoring|ignore|leaving out|leave out|omitting|omit|without|dropping|except [for]|not counting|lagged [by]) [the] [last|latest|most recent|recent|final|previous] ({span}|{unit})",
			"[with] {span} (skip|lag|gap)",
		},
		says: func(p *parser, m match) {
			s := get[span](m.captures, "span")
			if u := get[int](m.captures, "unit"); u > 0 {
				s = newSpan(1, u)
			}
			if p.bounded(m, float64(s.sessions), 1, 252, "what is skipped", "1 session and a year") {
				once(p, &p.draft.skip, s, m, "what is skipped")
			}
		},
	},
	{
		forms: []string{
			"[by|on|with|using|based on|ranked by|ranked on|ranked] [their] [relative|cross sectional|price] (momentum|relative strength) [rotation|ranking|ranked|score|scores|strategy|filter]", "[sector|asset|country|asset class|sectors] rotation", "[momentum] rotation (among|across|between|of|in) sectors", "sector momentum", "[all] [{n=n}] [select] sector (spdr|spdrs) [etfs|funds]", "(rank|sort|filter) [them] [by]", "(ranked|sorted|filtered) [by]", "relative momentum", "rotate [between|among]", "rotating (between|among)", "(alternate|alternating) (between|among)",
		},
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.between = p.draft.between || p.at(m.to-1).is("between")
			if n := get[int](m.captures, "n"); n > 0 && n != len(sectors) {
				p.refuse(m.from, m.to, "", fmt.Sprintf("the sector funds that are known by this name are the %d of 1998: name the others as well", len(sectors)))
				return
			}
			if slices.ContainsFunc(p.lowers(m.from, m.to), func(w string) bool { return w == "sector" || w == "sectors" }) {
				p.draft.bare, p.draft.usualAt = &bareSectors, m
			}
			p.byMomentum(m)
		},
	},
	{
		forms: []string{
			"[but|and] [only|each] [<when>|hold|holding|holds|keep|keeping|those|ones|that|which] [<each>|<it>|those|ones|assets|them|that|winner|winners|best one|top one] ['s|its|their] [return|momentum|score] [<is>|have|has|with|having|a] (positive|rising|going up|up|above (zero|0)|> 0) [absolute|own|total] [<return>]",
			"(only|but only) positive [<return>]", "(absolute momentum|time series momentum|trend following) [filter|rule|overlay]", "positive [<return>] only", "[only] with positive (absolute momentum|momentum|returns|return)", "<when> positive",
			"[only] [those] with [a] <return> (above|over|> |greater than) (zero|0)",
		},
		says: func(p *parser, m match) {
			if t := p.at(m.from); m.to == m.from+1 && !t.is("positive") {
				p.refuse(m.from, m.to, "", "what is? Say: only if its momentum is positive")
				return
			}
			p.asksPositive(PerMember, m)
		},
	},
	{
		forms: []string{
			"(if|when|whenever|where) (none|nothing|no asset|no one|no member|no etf|no fund|neither) [of them|of these|of assets] (is|are|has|have|shows|show) [a] ((positive|rising|up|above (zero|0)) [<return>]|<return> (that is|which is) (positive|above (zero|0)))", "(if|when|whenever|where) (none|nothing|no asset|no one|no member|no etf|no fund|neither) [of them|of these|of assets] (rises|rise|goes up|qualifies)",
			"(if|when|whenever|where) (all|both|every one|all of them|both of them|all assets) (are|have|is|has|show|fall|shows) [a] (negative|falling|down|below (zero|0)) [<return>]", "(if|when) nothing rises", "(if|when) (all|both) [of them] fall",
		},
		says: func(p *parser, m match) {
			p.asksPositive(AnyMember, m)
			p.addTest(tested{Test: Test{Below: true}, any: true}, m)
		},
	},
	{
		forms: []string{
			"<when> [<each>|<it>|winner|those|best one] ['s|its|their] [score|<return>] [<is>|has|have|with] (negative|falling|down|below (zero|0)|not positive) [<return>]",
			"(if|when|whenever|where) (one|either|any|one of (them|these|those)|any of (them|these|those)|either of (them|these|those)|an asset|a fund|an etf) ['s] [<return>] [<is>|has|have|with] [a] (negative|falling|down|below (zero|0)|not positive) [<return>]",
		},
		says: func(p *parser, m match) {
			p.asksPositive(PerMember, m)
			p.addTest(tested{Test: Test{Below: true}, any: true}, m)
		},
	},
	{
		forms: []string{"[(go|move|switch|rotate) (to|into)|hold|buy] {safe=member} (if|when|whenever|where) (none|nothing|no asset|no one|no member|no etf|no fund|neither) [of (them|these|those)] (is|are|has|have|shows|show) [a] (positive|above (zero|0)) [<return>]"},
		says: func(p *parser, m match) {
			safe := get[reading](m.captures, "safe")
			p.captureMember(m, safe)
			p.asksPositive(AnyMember, m)
			p.addTest(tested{Test: Test{Below: true}, any: true}, m)
			p.addMember(p.namedIn(m, safe), safe)
		},
	},
	{
		forms: []string{"<one thing> <of members> {pool=members} (with|that has|having|that had|which has|which had|that have) (lowest|worst|weakest|smallest) [{spans}] [total|trailing] <return> [over|in|during] [last|past|previous] [{spans}|{unit=unit}]"},
		says: func(p *parser, m match) {
			for _, r := range get[[]reading](m.captures, "pool") {
				p.captureMember(m, r)
				p.addMember(p.namedIn(m, r), r)
			}
			p.draft.lowest = sayOf(true, m)
			once(p, &p.draft.count, 1, m, "how many are held")
			p.byMomentum(m)
			p.spansSaid(m)
		},
	},
	{
		forms: []string{"(over|in|during|for) same (period|time|lookback|window|months|length)"},
		says:  func(p *parser, m match) { p.draft.asBefore = said[bool]{true, m.from, m.to, true} },
	},
	{
		forms: []string{"cash (if|when|whenever|where) [its|their] (average|average return|average momentum|score|momentum|return|returns|it) [<is>] (negative|below (zero|0)|not positive)"},
		says:  func(p *parser, m match) { p.asksPositive(PerMember, m) },
	},
	{
		forms: []string{
			"[but|and] [only] [<when>|that|which|those that|those] [<each>|<it>|winner|winners|those] ['s|its|their] [also] [{spans}] [<return>] [<is>] (beats|beat|exceeds|exceed|outperforms|outperform|higher than|greater than|better than|above|more than|over) [that of|those of|return of|momentum of|<return> of] {member} ['s] [<return>] [return|over same time]",
			"[with] {member} as [the|a] (hurdle|benchmark|absolute momentum benchmark|absolute momentum hurdle|risk free asset|risk free rate|risk free|bill|bills|t-bill|cash benchmark|hurdle rate)", "(hurdle|hurdle rate|risk free asset|risk free rate|bills) [is|:|of|=] {member}",
			"absolute momentum (against|versus|vs|over|relative to|compared to|compared with) {member}",
		},
		says: func(p *parser, m match) {
			if s := get[[]span](m.captures, "spans"); len(s) > 0 {
				p.momentumSpans(m, s)
			}
			r := get[reading](m.captures, "member")
			p.captureMember(m, r)
			once(p, &p.draft.hurdle, r, m, "what has to be beaten")
			p.asksPositive(PerMember, m)
		},
	},
	{
		forms: []string{"[antonacci 's|gary antonacci 's|antonacci] [classic] dual momentum [strategy|rotation|model]"},
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.dual = said[bool]{true, m.from, m.to, true}
			p.draft.usual = said[string]{"dual momentum", m.from, m.to, true}
			p.draft.momentum = p.draft.dual
			p.draft.bare, p.draft.usualAt = &bareDual, m
			p.asksPositive(PerMember, m)
		},
	},
	{
		forms: []string{"accelerating dual momentum [strategy|rotation|model]", "accelerated dual momentum"},
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.dual = said[bool]{true, m.from, m.to, true}
			p.draft.usual = said[string]{"dual momentum", m.from, m.to, true}
			p.draft.momentum = p.draft.dual
			p.draft.bare, p.draft.usualAt = &bareAccelerating, m
			p.momentumSpans(m, []span{newSpan(1, 21), newSpan(3, 21), newSpan(6, 21)})
			p.asksPositive(PerMember, m)
		},
	},
}

var momentumMacros = map[string]string{
	"with best": `(with|that have|having|which have|by|that had) (best|highest|strongest|greatest|top|better|higher|most) [relative] [{spans}] [total|trailing]`,
	"one thing": `(asset|etf|fund|one|member|model|whichever [asset|etf|fund])`,
}

func (p *parser) asksPositive(v Positive, m match) {
	if p.draft.positive.there && p.draft.positive.value == AnyMember {
		return
	}
	p.draft.positive = said[Positive]{v, m.from, m.to, true}
}

func (p *parser) momentumSpans(m match, spans []span) {
	for _, s := range spans {
		if !p.bounded(m, float64(s.sessions), 2, longestLookback, "a lookback of momentum", "2 sessions and 10 years") {
			return
		}
	}
	p.draft.scored = true
	once(p, &p.draft.lookbacks, spans, m, "a lookback of momentum")
}

// leavingOut records months of which the last are left out: 12-1.
func (p *parser) leavingOut(m match) {
	a, b := get[int](m.captures, "a"), get[int](m.captures, "b")
	if b >= a {
		p.refuse(m.from, m.to, "", "which months? 12-1 leaves the last month out, 1/3/6 is a mean of three returns")
		return
	}
	p.momentumSpans(m, []span{newSpan(float64(a), 21)})
	once(p, &p.draft.skip, newSpan(float64(b), 21), m, "what is skipped")
}

// spansSaid records the lengths of a phrase: over 3 months, or of the last month.
func (p *parser) spansSaid(m match) {
	spans := get[[]span](m.captures, "spans")
	if u := get[int](m.captures, "unit"); u > 0 {
		spans = []span{newSpan(1, u)}
	}
	if len(spans) > 0 {
		p.momentumSpans(m, spans)
	}
}

// scoring are the words that say that members are chosen by their returns.
var scoring = set("better did losers laggards loser laggard performer momentum return returns performance performing performer performers performed gain roc strength winner winners leader")

// ranking are the words for the members at one end of a ranking.
var ranking = set("best top strongest highest leading greatest bottom worst weakest lowest")

// byMomentum records that members are chosen, and whether the prompt says by what.
func (p *parser) byMomentum(m match) {
	p.draft.momentum = said[bool]{true, m.from, m.to, true}
	for i := m.from; i < m.to; i++ {
		p.draft.scored = p.draft.scored || scoring[p.tokens[i].lower]
		p.draft.ranked = p.draft.ranked || ranking[p.tokens[i].lower]
	}
}

// captureMember reports an unknown member in a phrase.
func (p *parser) captureMember(m match, r reading) {
	if !r.unknown {
		return
	}
	for at := m.from; at < m.to; at++ {
		if x, ok := p.memberAt(at, true); ok && x.end == r.end && x.key == r.key {
			p.unknownMember(at, r)
			return
		}
	}
}
