package grammar

import (
	"slices"
	"strings"
)

// trendPhrases are the conditions under which something is held.
var trendPhrases = []phrase{
	{
		forms: []string{
			"[<lead>] [<subject>] [<is>] {side} <own> <avg> [of {of=member}] [<each tail>]", "[<lead>] <price> of {member} [<is>] {side} <own> <avg>",
			"<each> [is|are] [only] [held|kept|owned|bought|hold] [only] <lead> [<it>] [<is>] {side} <own> <avg>", "[<lead>] [that|which|those that|those] [<is>] {side} <own> <avg>", "[but|and] only (those|ones) [that|which] [<is>] {side} <own> <avg>",
		},
		says: func(p *parser, m match) {
			t := p.newTest(m, AboveAverage)
			p.average(&t, m)
			p.addTest(t, m)
		},
	},
	{
		forms: []string{
			"[with|using|subject to|apply|add] [<own>] [a|an] <avg> [trend|timing] (filter|rule|filters|timing|signal|overlay|trend filter) [on|for|applied to|of] [<subject>] [individually]",
			"<each> (with|using) <own> <avg> [trend|timing] (filter|rule|filters|timing|signal|overlay|trend filter)", "(with|using|subject to) [<own>] <avg> (on|for) <each>",
			"[with|using|apply|add] [a] [trend|timing] (filter|rule|overlay) [on|for] [<subject>] [of|with|using|:|based on] [its|their] [a] <avg> [on|for|of] [<subject>]",
		},
		says: func(p *parser, m match) {
			t := p.newTest(m, AboveAverage)
			p.average(&t, m)
			if first := get[reading](m.captures, "member"); t.who == named && p.at(m.to-1).kind != mark && p.goesOn(m.to) {
				t.subject, t.who = reading{}, everyone // timing on SPY, QQQ and TLT: each of them
				p.addTest(t, m)
				p.addMember(p.namedIn(m, first), first)
				return
			}
			p.addTest(t, m)
		},
	},
	{
		forms: []string{"(trend following|trend timing|market timing|timing) [strategy|model|system|rule] (on|of|for|in)"},
		says: func(p *parser, m match) {
			p.expected = true
			p.draft.trending = said[bool]{true, m.from, m.to, true}
		},
	},
	{
		forms: []string{"(with|using|by|via|based on) [<own>] <avg> [each]"},
		says: func(p *parser, m match) {
			b := p.lastBlock()
			if !p.draft.trending.there || b == nil {
				p.refuse(m.from, m.to, "", "what of this average? Say only while above its "+p.text(m.from+1, m.to))
				return
			}
			t := tested{Test: Test{Kind: AboveAverage}, who: itself}
			if len(b.entries) > 1 {
				t.who = everyone
			}
			p.average(&t, m)
			p.addTest(t, m)
		},
	},
	{
		forms: []string{
			"[<lead>] [<subject>] <own> <fast> [of {member}] [<is>] {side} <own> <slow> [of {of=member}]", "[<lead>] [<subject>] [<is>] [in] [a] {golden} [of|on|in|for] [{member}] [its|their] [\\( {fast=num} / {slow=num} \\)|{fast=num} / {slow=num}] [day|days|moving averages]",
			"[<lead>] {golden} [of] [{member}] [of|with|on] [its|their] {fast=num} [-] [day] [and|/] {slow=num} [-] [day] [<average>]",
			"[<lead>] [<subject>] <own> {fast=num} [-] [day|d] [<average>] [<is>] {side} <own> {slow=num} [-] [day|d] [<average>] [of {of=member}]",
		},
		says: func(p *parser, m match) {
			t := p.newTest(m, Cross)
			t.Fast, t.Slow = 50, 200
			if v := get[float64](m.captures, "fast"); v > 0 {
				t.Fast, t.Slow = int(min(v, 1e6)), int(min(get[float64](m.captures, "slow"), 1e6))
			}
			if s := get[span](m.captures, "fastspan"); s.sessions > 0 {
				t.Fast, t.Slow = s.sessions, get[span](m.captures, "slowspan").sessions
			}
			if t.Fast >= t.Slow || t.Fast < 2 || t.Slow > longestLookback {
				p.refuse(m.from, m.to, "", "the first average must be over fewer sessions than the second, such as 50 and 200")
				return
			}
			if m.has("golden") {
				t.Below = get[bool](m.captures, "golden") == p.negated(m)
			}
			p.addTest(t, m)
		},
	},
	{
		forms: []string{
			"[<lead>] <subject> ['s] [own] {spans} [total|trailing|price] <return> [<is>|has been|was] {sign}", "[<lead>] <subject> (has|have|had|shows|show) [a] {sign} [trailing|total] {spans} <return>",
			"[<lead>] {spans} [total|trailing|price] <return> of <subject> [<is>|has been|was] {sign}", "[<lead>] <subject> ['s] <return> (over|of|in) [last|past|trailing|previous] {spans} [<is>|has been|was] {sign}",
			"[<lead>] [with] [a] {sign} {spans} <return>", "[<lead>] <subject> [<is>|has|have] (up|risen|gained) (over|in|for) [last|past|trailing|previous] {spans} {sign=none}", "[<lead>] [<each>|<it>] [their|its] {spans} <return> [<is>|has been|was] {sign}",
		},
		says: func(p *parser, m match) {
			list := get[[]span](m.captures, "spans")
			t := p.newTest(m, Rising)
			t.Below = t.Below != get[bool](m.captures, "sign")
			if len(list) != 1 || !p.bounded(m, float64(list[0].sessions), 2, longestLookback, "a lookback of momentum", "2 sessions and 10 years") {
				p.refuse(m.from, m.to, "", "a condition can use only one return")
				return
			}
			t.Slow = list[0].sessions
			p.addTest(t, m)
		},
	},
	{
		forms: []string{
			"<lead> {signal=member} ['s|has] [a|own] [{spans}] [total|trailing] [higher] <return> [<is>] (beats|beat|exceeds|above|higher than|greater than|better than|outperforms|more than|than) [that of|return of] {other=member} ['s] [<return>] [over [last|past|trailing] {spans}]",
			"<lead> {signal=member} (beats|beat|outperforms|outperformed|has outperformed|has beaten|did better than) {other=member} [over|in] [last|past|trailing] [{spans}]",
		},
		says: func(p *parser, m match) {
			signal, other := get[reading](m.captures, "signal"), get[reading](m.captures, "other")
			p.captureMember(m, signal)
			p.captureMember(m, other)
			t := tested{Test: Test{Kind: Rising, Other: other.key, Slow: 252, Below: p.negated(m)}, subject: signal, who: named, not: p.negated(m)}
			if list := get[[]span](m.captures, "spans"); len(list) == 1 {
				t.Slow = list[0].sessions
			} else {
				p.refuse(m.from, m.to, "", "over how long? Say: over the last 12 months")
				return
			}
			if signal.cash || other.cash {
				p.refuse(m.from, m.to, "", "cash earns nothing: compare with a bill fund, or with zero")
				return
			}
			p.addTest(t, m)
		},
	},
	{
		forms: []string{
			"[<lead>] [<subject>] <own> [{span}|{bare=n} -] [{bare=n}] [period] rsi [\\( {bare=n} \\)|{bare=n}] [of <subject>|on <subject>] [<is>] {side} {level=num}",
			"[<lead>] [<subject>] <own> rsi [over {span}] [<is>] {side} {level=num}",
		},
		says: func(p *parser, m match) {
			t := p.newTest(m, Strength)
			t.Slow, t.Level = 14, get[float64](m.captures, "level")
			if s := get[span](m.captures, "span"); s.sessions > 0 {
				t.Slow = s.sessions
			}
			if n := get[int](m.captures, "bare"); n > 0 {
				t.Slow = n
			}
			if p.bounded(m, t.Level, 1, 99, "a relative strength index", "1 and 99") && p.bounded(m, float64(t.Slow), 2, 252, "its lookback", "2 and 252 sessions") {
				p.addTest(t, m)
			}
		},
	},
	{
		forms: []string{
			"<lead> (at least|more than|over) ({level=pct}|{level=part}) of [these|those|them] [assets|members|etfs|funds|universe|pool|list] (is|are|trade|trades|close|closes) {side} <own> <avg>",
		},
		says: func(p *parser, m match) {
			t := p.newTest(m, Breadth)
			p.average(&t, m)
			t.who, t.Level = nobody, get[float64](m.captures, "level")
			if t.Below {
				p.refuse(m.from, m.to, "", "say how many are above their average")
				return
			}
			if p.bounded(m, t.Level, 0.01, 1, "a share of members", "1 % and 100 %") {
				p.addTest(t, m)
			}
		},
	},
	{
		forms: []string{
			"[<lead>] [<it>|<each>] [<is>] {side=bare} [it|that|this|that average|average|that level]", "(if|when|while) [it|they] (is not|isn't|are not|aren't|not|does not|doesn't|is n't)", "(below|above|under) (it|that|this|average|that average|that line)",
		},
		says: func(p *parser, m match) {
			if len(p.tests()) == 0 || !p.follows(m) {
				p.refuse(m.from, m.to, "", "above or below what? Say: its 200-day moving average")
				return
			}
			below := get[bool](m.captures, "side") || !m.has("side")
			p.addTest(tested{Test: Test{Below: below != p.negated(m)}, open: true, not: p.negated(m)}, m)
		},
	},
	{
		forms: []string{
			"(otherwise|else|or else|if not|failing that|if it is not|if they are not|in all other cases|the rest of time|when not|when it is not|or) [to|into|in|hold|holds|go to|go into|goes to|move to|be in|sit in|stay in|it is|use|switch to|rotate to|invest in|buy|fall back to|fallback to|then]",
			"[and|then] (fall back|falling back|fallback|falls back|retreat|retreats|retreating|flee) (to|into|on)", "[with] (fallback|fall back|safe asset|safe haven|haven|out of market asset|out of market|defensive asset|risk off asset|risk off|safety asset|crash protection asset|cash asset|cash proxy|defensive) [is|:|=|of|to|in|being]",
			"replaced by", "replace (it|them|those|that share|any other|the others) (with|by)", "(those|ones) (below|that are not|that fail|failing) [go to|are replaced by|hold|to]", "[its|their|that|whose] (share|shares|weight|weights|part|portion|half|third|quarter|money|slot|slots|allocation) (goes|go|is|are|moves|move) (to|in|into|held in|moved to|put in)", "(put|move|place|park|shift|send) (its|their|that) (share|shares|weight|weights|part|portion|half|third|quarter|money|slot|slots|allocation) (to|in|into)",
		},
		says: func(p *parser, m match) {
			p.expected = true
			if p.listsChoice(m) {
				return
			}
			if n := len(p.draft.parts); n > 0 && p.draft.parts[n-1].test != nil && p.draft.parts[n-1].test.any && !p.at(m.from).is("otherwise") && !p.at(m.from).is("else") {
				return // if one is negative, put its share in SHY
			}
			if p.at(m.from).is("or") && m.to == m.from+1 && !p.alternative(m.to) {
				p.refuse(m.from, m.to, "", hints["or"])
				return
			}
			p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
		},
	},
	{
		forms: []string{"(any|each|those|ones|anything) [of (them|these|those)] [that|which] [<is>] (below|under) <own> <avg> (goes|go|moves|move|is moved|are moved|is put|are put) (to|into|in)", "replace (any|each|those|ones|anything) [of (them|these|those)] [that|which] [<is>] (below|under) <own> <avg> (with|by)"},
		says: func(p *parser, m match) {
			t := tested{Test: Test{Kind: AboveAverage}, who: everyone}
			p.average(&t, m)
			p.addTest(t, m)
			p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
			p.expected = true
		},
	},
	{
		forms: []string{"cash (when|if|where|while|whenever) (below|under) [it|that|average|their average|their averages]"},
		says: func(p *parser, m match) {
			if tests := p.tests(); len(tests) == 0 || tests[len(tests)-1].Below {
				p.refuse(m.from, m.to, "", "below what? Say each only while above its 200 day average, otherwise cash")
			}
		},
	},
	{
		forms: []string{"instead [of (it|them|that|those)]"},
		keeps: true,
		says: func(p *parser, m match) {
			n := len(p.draft.parts)
			if n < 2 || p.draft.parts[n-1].holdings == nil || p.draft.parts[n-2].holdings != nil || len(p.tests()) == 0 {
				p.refuse(m.from, m.to, "", "instead of what, and when? Say: otherwise BIL")
			}
		},
	},
	{
		forms: []string{"only (hold|holds|holding|own|owns|buy|buys|invest|invests|invested)", "(hold|holds|holding|own|owns|buy|buys|invest|invests|invested) only"},
		keeps: true,
		says:  func(p *parser, _ match) { p.expected = true },
	},
	{
		forms: []string{
			"{member} as [the|a|its] (safe asset|fallback|fall back|fallback asset|safe haven|haven|out of market asset|defensive asset|risk off asset|safety asset|crash asset|cash proxy|cash asset|cash substitute|defensive holding|safe holding|cash|cash position|cash holding|cash equivalent|safety)",
		},
		says: func(p *parser, m match) {
			r := get[reading](m.captures, "member")
			p.draft.parts = append(p.draft.parts, part{otherwise: true, from: m.from, to: m.to})
			p.addMember(m.from, r)
		},
	},
}

var trendMacros = map[string]string{
	"lead":      `(when|whenever|if|while|whilst|as long as|so long as|only if|only when|only while|only as long as|once|provided [that]|but only (if|when|while|as long as)|{not=w:unless}|{not=w:until}|held [only] (when|while|if|as long as)|hold (when|while|if)|only held (when|while|if))`,
	"own":       `['s] [its|their|the] [own]`,
	"avg":       `(<sma>|{exponential=true} <ema>)`,
	"fast":      `({fastspan=span} [simple] [<average>]|(sma|ma|dma) {fast=num}|{fast=num} (sma|ma|dma)|(sma|ma) \( {fast=num} \))`,
	"slow":      `({slowspan=span} [simple] [<average>]|(sma|ma|dma) {slow=num}|{slow=num} (sma|ma|dma)|(sma|ma) \( {slow=num} \))`,
	"subject":   `({member} ['s] [own] [<price>]|<price> of {member}|{each=each} [<price>]|{it=it})`,
	"each":      `{each=each}`,
	"it":        `{it=it}`,
	"each tail": `(individually|each by itself|each|on its own)`,
}

// follows reports whether a condition that only says above or below comes after what
// is held under it, or before it.
func (p *parser) follows(m match) bool {
	if m.to > m.from+1 {
		return true
	}
	parts := p.draft.parts
	if last := parts[len(parts)-1]; last.holdings != nil && last.to == m.from {
		return true
	}
	_, held := p.memberAt(m.to, true)
	return held
}

// alternative reports whether what follows an or can be held instead.
func (p *parser) alternative(at int) bool {
	t := p.at(at)
	if end, _ := p.shareAt(at); end > 0 || t.is("otherwise") || t.is("else") || introducing[t.lower] {
		return true
	}
	_, ok := p.memberAt(at, true)
	return ok
}

// listsChoice reports an or between members of which one is chosen by momentum:
// whichever of SPY or EFA.
func (p *parser) listsChoice(m match) bool {
	d := &p.draft
	if m.to-m.from != 1 || !p.at(m.from).is("or") || !d.momentum.there || d.dual.there || d.count.value != 1 || p.justNamed(m.from) == nil {
		return false
	}
	_, follows := p.memberAt(m.to, true)
	return follows
}

// leading words begin a condition.
var leading = set("when whenever if while whilst as so only once provided but unless until held hold where")

// newTest returns a test about what the phrase says it is about.
func (p *parser) newTest(m match, kind TestKind) tested {
	t := tested{Test: Test{Kind: kind, Below: get[bool](m.captures, "side") != p.negated(m)}, not: p.negated(m)}
	switch {
	case m.has("member"):
		t.subject, t.who = get[reading](m.captures, "member"), named
		p.captureMember(m, t.subject)
		t.free = !leading[p.at(m.from).lower]
		if t.subject.cash {
			p.refuse(m.from, m.to, "", "cash has no price to compare")
		}
	case m.has("each"), p.plural(m):
		t.who = everyone
	case m.has("it"), p.singular(m):
		t.who = itself
	case m.has("of") && kind == Cross:
		t.subject, t.who = get[reading](m.captures, "of"), named // both averages are its own
	}
	if m.has("of") {
		t.of = get[reading](m.captures, "of")
		p.captureMember(m, t.of)
	}
	for _, c := range m.captures {
		if r, ok := c.value.(reading); ok && c.name == "member" && r.key != t.subject.key {
			p.refuse(m.from, m.to, "", "the condition names two members: say which of them it applies to")
		}
	}
	return t
}

func (p *parser) plural(m match) bool {
	for i := m.from; i < m.to; i++ {
		if t := p.tokens[i]; t.is("their") || t.is("those") || t.is("individually") || t.is("each") {
			return true
		}
	}
	return false
}

func (p *parser) singular(m match) bool {
	for i := m.from; i < m.to; i++ {
		if t := p.tokens[i]; t.is("its") {
			return true
		}
	}
	return false
}

func (p *parser) negated(m match) bool { return m.has("not") }

// average sets the lookback of a test against a moving average.
func (p *parser) average(t *tested, m match) {
	t.Slow = get[span](m.captures, "span").sessions
	if n := get[int](m.captures, "bare"); n > 0 {
		t.Slow = n
	}
	t.Exponential = m.has("exponential")
	p.bounded(m, float64(t.Slow), 2, longestLookback, "a moving average", "2 sessions and 10 years")
}

// goesOn reports another member after one: a list of them.
func (p *parser) goesOn(at int) bool {
	start := at
	for p.at(at).is(",") || p.at(at).is("and") || p.at(at).is("/") || p.at(at).is("&") {
		at++
	}
	r, ok := p.memberAt(at, true)
	return at > start && ok && !r.unknown && !r.cash
}

// namedIn returns the token of a phrase at which a member is named.
func (p *parser) namedIn(m match, r reading) int {
	for at := m.from; at < m.to; at++ {
		if x, ok := p.memberAt(at, true); ok && x.key == r.key {
			return at
		}
	}
	return m.from
}

// addTest appends a test to the parts.
func (p *parser) addTest(t tested, m match) {
	p.expected = true
	p.draft.parts = append(p.draft.parts, part{test: &t, from: m.from, to: m.to})
}

func (p *parser) tests() (list []*tested) {
	for _, x := range p.draft.parts {
		if x.test != nil {
			list = append(list, x.test)
		}
	}
	return list
}

// comparison is a way to say above or below.
type comparison struct {
	words string
	below bool
}

// sides are the ways to say above and below by their first word, longest first.
var sides = func() map[string][]comparison {
	all := map[string][]comparison{}
	add := func(below bool, ways ...string) {
		for _, words := range ways {
			first, _, _ := strings.Cut(words, " ")
			all[first] = append(all[first], comparison{words, below})
		}
	}
	add(false, "above", "over", "higher than", "greater than", "at or above", "exceeds", "more than", ">", "not below", "on or above", "back above")
	add(true, "below", "under", "beneath", "lower than", "less than", "at or below", "not above", "<", "underneath", "back below")
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b comparison) int { return len(b.words) - len(a.words) })
	}
	return all
}()

// spells reads words that are separated by one space each, and returns where they
// end, or 0 if they are not at the token.
func (p *parser) spells(at int, words string) int {
	for w := range strings.FieldsSeq(words) {
		if at >= len(p.tokens) || p.at(at).lower != w {
			return 0
		}
		at++
	}
	return at
}

// side reads above or below; the value is whether it is below.
func (p *parser) side(at int) (any, int) {
	for _, x := range sides[p.at(at).lower] {
		if end := p.spells(at, x.words); end > 0 {
			return x.below, end
		}
	}
	return nil, 0
}

// sign reads positive or negative; the value is whether it is negative.
func (p *parser) sign(at int) (any, int) {
	for _, w := range []struct {
		text string
		less bool
	}{
		{"above zero", false}, {"above 0", false}, {"greater than zero", false}, {"greater than 0", false}, {"> 0", false}, {"higher than zero", false}, {"more than 0", false},
		{"below zero", true}, {"below 0", true}, {"less than zero", true}, {"less than 0", true}, {"< 0", true}, {"not positive", true},
		{"positive", false}, {"up", false}, {"rising", false}, {"negative", true}, {"down", true}, {"falling", true},
	} {
		if end := p.spells(at, w.text); end > 0 {
			return w.less, end
		}
	}
	return nil, 0
}

// golden reads golden cross (true) or death cross (false).
func (p *parser) golden(at int) (any, int) {
	t := p.at(at)
	next := p.at(at + 1)
	if next.is("cross") || next.is("crossover") {
		switch {
		case t.is("golden"):
			return true, at + 2
		case t.is("death"):
			return false, at + 2
		}
	}
	return nil, 0
}

// pronoun reads it, the price, its price.
func (p *parser) pronoun(at int) (any, int) {
	start := at
	for p.at(at).is("it") || p.at(at).is("its") || p.at(at).is("'s") || p.at(at).is("the") || p.at(at).is("that") {
		if at-start > 2 {
			return nil, 0
		}
		at++
	}
	if t := p.at(at); t.is("price") || t.is("asset") || t.is("fund") || t.is("etf") {
		return true, at + 1
	}
	for i := start; i < at; i++ {
		if p.at(i).is("it") {
			return true, at
		}
	}
	return nil, 0
}
