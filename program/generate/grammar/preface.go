package grammar

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// labels are words before a colon that name what follows, and say nothing else.
var labels = set(`
	conservative moderate balanced growth aggressive income barbell ladder seasonal trend dip core satellite retirement defensive
	mean reversion contrarian reversal value tilt tilted quality crypto tech technology bond bonds stock stocks dividend dividends hedge hedged lazy boring starter young
	ira roth 401k pension college kids account taxable nest egg inflation crisis protection idea experiment`)

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
		case t.kind != word || ok && !m.unknown:
			return 0
		case labels[t.lower]:
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
