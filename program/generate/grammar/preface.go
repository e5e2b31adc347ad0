package grammar

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// labels are words before a colon that name what follows, and say nothing else.
var labels = set(`
	conservative moderate balanced growth aggressive income pairs pair target style test version protective leveraged levered unlevered barbell ladder seasonal trend equity equities alternatives alternative international domestic commodities metals fixed real assets dip core satellite retirement defensive
	mean reversion contrarian reversal value tilt tilted quality crypto tech technology bond bonds stock stocks dividend dividends hedge hedged lazy boring starter young
	ira roth 401k pension college kids account taxable nest egg inflation crisis protection idea experiment`)

// choosing are words that name what follows as well, where that says by itself how members are
// chosen, or when.
var choosing = set("momentum rotation timing switching relative strength")

// mostLabels is how many words and hyphens a name before a colon has.
const mostLabels = 6

// preface returns the tokens of a name before a colon at the beginning, which becomes the
// name of the model; 0 if there is none. Words that mean something are no name.
func (p *parser) preface() int {
	colon := 0
	for !p.at(colon).is(":") {
		if colon == len(p.tokens) || colon == mostLabels {
			return 0
		}
		colon++
	}
	if colon == 0 || colon+1 >= len(p.tokens) || p.heading(0) || headings[p.at(0).lower] && colon == 1 || utf8.RuneCountInString(p.text(0, colon)) > longestName {
		return 0
	}
	if p.ownShares(colon) {
		return colon + 1
	}
	named := false
	for i := range colon {
		t := p.tokens[i]
		switch m, ok := p.memberAt(i, true); {
		case t.is("-") && t.glued, t.is("a"), t.is("the"), t.is("my"), t.is("our"), i > 0 && (t.is("to") || t.is("for") || t.is("and") || t.is("of")), t.is("buy") && p.at(i+1).is("the") && p.at(i+2).is("dip"):
		case ok && m.said != "" && m.end < colon && (labels[p.at(colon-1).lower] || wholes[p.at(colon-1).lower]):
		case t.kind != word || ok && !m.unknown:
			return 0
		case labels[t.lower]:
			named = true
		case choosing[t.lower] && slices.ContainsFunc(p.tokens[colon:], func(t token) bool { return t.kind == word && acting[t.lower] }):
			named = true
		case wholes[t.lower] && i == colon-1 && i > 0:
		default:
			return 0
		}
	}
	if !named {
		return 0
	}
	return colon + 1
}

// ownShares reports a well-known portfolio's name before a colon, and shares after it:
// three-fund portfolio: 50% VTI, 30% VXUS, 20% BND. What is said is held.
func (p *parser) ownShares(colon int) bool {
	end, found, _ := p.phraseAt(0)
	if end != colon || !slices.ContainsFunc(portfolioPhrases, func(x phrase) bool { return slices.Equal(x.forms, found.forms) }) {
		return false
	}
	percents := 0
	for _, t := range p.tokens[colon:] {
		if t.is("%") || t.is("percent") {
			percents++
		}
	}
	return percents > 1 && (p.at(colon+1).kind == number || p.leads(colon+1))
}

// category returns the token after the name of a group of holdings and its colon, where a
// share and a member follow: Stocks: 60% SPY, 10% EFA; Bonds: 30% AGG. The names of groups
// are said again, and change nothing.
func (p *parser) category(at int) int {
	if before := p.at(at - 1); p.asked != nil || p.future != nil || p.best != nil || at > 0 && before.kind != line && !before.is(".") && !before.is(";") && !before.is(",") || p.at(at).kind != word {
		return 0
	}
	colon := at
	for !p.at(colon).is(":") {
		if p.at(colon).kind != word || colon-at == 3 {
			return 0
		}
		colon++
	}
	_, end, _ := p.share(colon + 1)
	if end == 0 {
		return 0
	}
	for p.at(end).is("in") || p.at(end).is("of") || p.at(end).is("into") {
		end++
	}
	m, ok := p.memberAt(end, true)
	if !ok || m.unknown || p.at(m.end).is(":") || p.at(end).kind != word || p.at(end).text == p.at(end).lower {
		return 0
	}
	everyday, ok := p.memberAt(at, true)
	for i := at; i < colon; i++ {
		if t := p.at(i); !labels[t.lower] && !filler[t.lower] && (!ok || everyday.said == "" || everyday.end != colon) {
			return 0
		}
	}
	p.closeShares()
	p.draft.notes = append(p.draft.notes, fmt.Sprintf("%q is the name of a group.", p.text(at, colon)))
	p.expected = true
	return colon + 1
}

// role returns the token after what a member is held for, by an everyday name: SPY for
// stocks, TLT for bonds.
func (p *parser) role(at int) int {
	if p.asked != nil || p.future != nil || p.best != nil || !p.at(at).is("for") || p.justNamed(at) == nil {
		return 0
	}
	m, ok := p.memberAt(at+1, true)
	if !ok || m.said == "" || p.at(m.end).kind != line && p.at(m.end).kind != mark && !p.at(m.end).is("and") && m.end < len(p.tokens) {
		return 0
	}
	p.draft.notes = append(p.draft.notes, fmt.Sprintf("%s is held for %s.", p.justNamed(at).key, p.text(at+1, m.end)))
	p.justNamed(at).upto = m.end
	p.expected = true
	return m.end
}

// acting are words that show that what follows a name chooses by itself.
var acting = set("if when while unless")

// titled cuts a name before a colon off: what follows is read, and the name is the
// model's.
func (p *parser) titled() *parser {
	end := p.preface()
	if end == 0 {
		return p
	}
	name := []rune(p.text(0, end-1))
	name[0] = unicode.ToUpper(name[0])
	rest := newParser(p.language, string(p.prompt), p.tokens[end:], p.members)
	rest.draft.name = said[string]{string(name), 0, 1, true}
	return rest
}

// wholes may end a label, as in "Growth portfolio:".
var wholes = set("strategy strategies model models portfolio system rule rules approach sleeve allocation part fund index")
