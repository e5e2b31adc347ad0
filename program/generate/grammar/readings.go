package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/program/generate"
)

// reading is a member that tokens may stand for.
type reading struct {
	end     int // the token after it
	key     string
	member  generate.Member
	said    string // the everyday name that was used, or ""
	cash    bool
	unknown bool
	quoted  bool // between quotation marks, which stand around names of models alone

	ordinary bool // a model's name among other words, which may not mean it
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// gluedEnd returns the end of a symbol that starts at i and continues after token
// last, over a hyphen or dot and what is attached to it; 0 if it does not continue. A
// symbol has at most longGlued tokens, so that reading one at every token stays
// linear.
func gluedEnd(tokens []token, i, last int) int {
	next := last + 1
	if next-i >= longGlued {
		return 0
	}
	if next < len(tokens) && tokens[next].glued && (tokens[next].kind == word || tokens[next].kind == number) && tokens[last].kind == number {
		return next + 1
	}
	if next+1 >= len(tokens) || next+1-i > longGlued || !tokens[next].glued || !tokens[next+1].glued {
		return 0
	}
	if k := tokens[next+1].kind; tokens[next].text != "-" && tokens[next].text != "." || k != word && k != number {
		return 0
	}
	return next + 2
}

// qualifiedAt returns where asset:GOLD ends, or 0 if no such name starts at a token.
func (p *parser) qualifiedAt(at int) int {
	if at >= len(p.tokens) {
		return 0
	}
	return qualified(p.tokens, at)
}

func (p *parser) text(from, to int) string {
	if from >= to || to > len(p.tokens) {
		return ""
	}
	return string(p.prompt[p.tokens[from].offset:p.tokens[to-1].end])
}

// memberAt reads a member. If expected is set, a member should be here: lower case
// then counts as a symbol, and a word without a meaning is an unknown member.
func (p *parser) memberAt(at int, expected bool) (reading, bool) {
	key := memberKey{at, expected}
	if r, done := p.readings[key]; done {
		return r, r.end > 0
	}
	r := p.readMember(at, expected)
	r.unknown = r.unknown || len(r.member.Namesakes) > 0
	p.readings[key] = r
	return r, r.end > 0
}

type memberKey struct {
	at       int
	expected bool
}

func (p *parser) readMember(at int, expected bool) reading {
	start := at
	if r := p.modelAt(at, expected); r.end > 0 && p.possessive(at) { // a name that begins with my
		return p.tail(r)
	}
	if end := p.qualifiedAt(at); end > 0 {
		name := p.text(at, end)
		if m, ok := p.members.known[name]; ok {
			return reading{end: end, key: m.Key, member: m}
		}
		return reading{end: end, key: name, unknown: true}
	}
	for at-start < mostPossessive && p.possessive(at) {
		at++
	}
	if p.tokens == nil || at >= len(p.tokens) {
		return reading{}
	}
	t := p.tokens[at]
	var r reading
	switch {
	case t.kind == quoted:
		r = p.quotedMember(at, expected || at > start)
	case t.is("$") && p.at(at+1).kind == word && p.at(at+1).glued:
		name := p.at(at + 1).text
		if m, ok := p.members.known[name]; ok {
			r = reading{end: at + 2, key: m.Key, member: m}
		}
		if longer := p.symbolAt(at+1, true); longer.end > r.end {
			r = longer
		}
		if r.end == 0 {
			r = reading{end: at + 2, unknown: true, key: name}
		}
	case t.is("("):
		if r = p.memberInside(at); r.end == 0 {
			return reading{}
		}
	case t.kind == word || t.kind == number:
		r = p.namedMember(at, expected, p.at(at-1).is("my") || p.at(at-1).is("our"))
	}
	if r.end == 0 {
		return r
	}
	return p.tail(r)
}

// mostPossessive limits the number of such words before a member: the existing model.
const mostPossessive = 4

// possessive reports words before a model's name: my model "Trend", the fund SPY.
func (p *parser) possessive(at int) bool {
	t := p.at(at)
	if t.kind != word || at+1 >= len(p.tokens) {
		return false
	}
	switch t.lower {
	case "my", "the", "our":
		return t.text != strings.ToUpper(t.text) || p.members.shout
	case "model", "strategy", "portfolio", "etf", "fund", "asset", "ticker", "symbol", "existing":
		next := p.at(at + 1)
		return at > 0 && t.text == t.lower && (next.kind == quoted || next.is("$") || next.kind == word && p.ticker(at+1))
	}
	return false
}

// quotedMember reads a name between quotation marks, which always names a model.
func (p *parser) quotedMember(at int, expected bool) reading {
	t := p.tokens[at]
	if m, ok := p.members.known[t.text]; ok && m.Model {
		return reading{end: at + 1, key: m.Key, member: m}
	}
	if m, ok := p.members.called[t.lower]; ok {
		return reading{end: at + 1, key: m.Key, member: m}
	}
	if !expected && !strings.ContainsFunc(t.text, unicode.IsLetter) {
		return reading{}
	}
	return reading{end: at + 1, key: t.text, unknown: true, quoted: true}
}

// memberInside reads (SPY).
func (p *parser) memberInside(at int) reading {
	next := at + 1
	if p.at(next).is("$") {
		next++
	}
	if p.at(next).kind != word {
		return reading{}
	}
	r := p.symbolAt(next, true)
	if r.end == 0 && p.ticker(next) {
		r = reading{end: next + 1, key: p.at(next).text, unknown: true}
	}
	if r.end == 0 || !p.at(r.end).is(")") {
		return reading{}
	}
	r.end++
	return r
}

// namedMember takes the longest of a model's name, an everyday name and a symbol. own
// says that it belongs to the account.
func (p *parser) namedMember(at int, expected, own bool) reading {
	best := p.modelAt(at, expected || own)
	if r := p.plainAt(at); r.end > best.end || best.ordinary && r.end == best.end {
		best = r
	}
	if r := p.symbolAt(at, expected); r.end > best.end || best.ordinary && r.end == best.end || r.end == best.end && r.end > 0 && !best.cash && p.ticker(at) {
		best = r
	}
	if r := p.describedAt(at); r.end > best.end {
		best = r
	}
	if best.end > 0 {
		return best
	}
	t := p.tokens[at]
	switch {
	case t.kind == word && p.ticker(at):
		end := at + 1
		if p.language.vocabulary[t.lower] {
			return reading{} // ETF and the like
		}
		for next := gluedEnd(p.tokens, at, at); next > 0 && p.tokens[next-1].kind == word && p.ticker(next-1); next = gluedEnd(p.tokens, at, next-1) {
			end = next
		}
		return reading{end: end, key: p.text(at, end), unknown: true}
	case t.kind == word && expected && !p.meaningful(t.lower):
		return reading{end: at + 1, key: t.text, unknown: true}
	}
	return reading{}
}

// meaningful reports words that are never unknown members, whatever comes before
// them.
func (p *parser) meaningful(lower string) bool {
	return p.language.vocabulary[lower] || common[lower] || plainVocabulary[lower] || hinted[lower]
}

// ticker reports whether a token is written as a symbol: in capitals.
func (p *parser) ticker(at int) bool {
	t := p.at(at)
	if t.kind != word || utf8.RuneCountInString(t.text) > 6 {
		return false
	}
	for _, r := range t.text {
		if !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", r) {
			return false
		}
	}
	switch {
	case p.members.shout && (p.meaningful(t.lower)):
		return p.weighted(at)
	case t.text == "A" || t.text == "I":
		return p.listed(at)
	}
	return true
}

// weighted reports a symbol that follows its share. Even a prompt in capitals has no
// word there: 50% ALL, 50% IT.
func (p *parser) weighted(at int) bool {
	if !p.isKnown(p.tokens[at].text) || p.percentSign(at-1) != at || plainVocabulary[p.tokens[at].lower] {
		return false
	}
	next := p.at(at + 1)
	return next.kind == number || next.kind == mark || next.kind == line || next.is("and")
}

// listed reports whether a token is where a member would be: between separators, or
// after a share.
func (p *parser) listed(at int) bool {
	before, after := p.at(at-1), p.at(at+1)
	separates := func(t token) bool { return t.is(",") || t.is("/") || t.is("&") || t.is("and") || t.is("+") }
	if before.is("%") || before.is("percent") || before.is("$") || before.is("in") && p.at(at-2).is("%") {
		return true
	}
	if separates(after) {
		return after.kind == mark || p.ticker(at+2)
	}
	return separates(before) && (after.kind == line || after.is(".") || after.kind == number)
}

// heading reports a word that only says what follows: Trend: SPY when above …
func (p *parser) heading(at int) bool {
	if t := p.at(at); !p.language.vocabulary[t.lower] || !p.at(at+1).is(":") {
		return false
	}
	_, end, _ := p.share(at + 2)
	return end == 0 && (at == 0 || p.at(at-1).kind == line)
}

// modelAt reads the name or symbol of a model in the account's list.
func (p *parser) modelAt(at int, expected bool) reading {
	models := p.members.models[p.at(at).lower]
	for i := range models {
		m := &models[i]
		if at+len(m.words) > len(p.tokens) || len(m.words) == 1 && !p.oneWordName(at, m, expected) {
			continue
		}
		fits := true
		for j, w := range m.words {
			if p.tokens[at+j].lower != w || j > 0 && p.tokens[at+j].kind == line {
				fits = false
				break
			}
		}
		if fits {
			end := at + len(m.words)
			if !p.wholeName(at, end) {
				return reading{end: end, key: p.text(at, end), member: m.Member, unknown: true, ordinary: true}
			}
			return reading{end: end, key: m.Key, member: m.Member}
		}
	}
	return reading{}
}

// wholeName reports a model's name that stands where a member stands, and is no part of
// other words: 30% in Trend, but not 30% in a trend strategy that holds SPY.
func (p *parser) wholeName(from, to int) bool {
	if before := p.at(from - 1); from > 0 && (before.is("a") || before.is("an")) {
		return false
	}
	for p.at(to).is("model") || p.at(to).is("strategy") || p.at(to).is("portfolio") {
		to++
	}
	next := p.at(to)
	return to >= len(p.tokens) || next.kind != word || afterNames[next.lower] || p.ticker(to)
}

// afterNames are words that may follow a model's name without quotation marks.
var afterNames = set("and or plus when whenever while if unless otherwise else over by is as then rebalance rebalanced daily weekly monthly quarterly yearly annually equally each every at please thanks 's")

// oneWordName reports whether a word is a model's name: written like the name, or
// after a share if it is neither an everyday name nor a symbol.
func (p *parser) oneWordName(at int, m *model, expected bool) bool {
	switch {
	case !expected || p.heading(at):
		return false
	case p.tokens[at].text == m.Name:
		return true
	}
	before := at - 1
	for p.at(before).is("in") || p.at(before).is("of") || p.at(before).is("my") || p.at(before).is("the") {
		before--
	}
	return before >= 0 && p.percentSign(before) == before+1 && p.plainAt(at).end == 0 && !p.isKnown(p.tokens[at].text)
}

// plainAt reads an everyday name.
func (p *parser) plainAt(at int) (best reading) {
	t := p.tokens[at]
	if t.is("cash") { // whatever symbol is written alike: CASH is no member
		return reading{end: at + 1, cash: true, key: "CASH"}
	}
	for _, x := range plainNames[t.lower] {
		end, ok := p.spelt(at, x.words)
		if !ok || end <= best.end {
			continue
		}
		if len(x.words) == 1 && t.text == strings.ToUpper(t.text) && !p.members.shout && p.isKnown(t.text) {
			continue // GOLD in capitals is the symbol
		}
		best = reading{end: end, said: x.name, unknown: true, key: p.text(at, end)}
		for _, symbol := range x.tickers {
			if m, known := p.members.known[symbol]; known && !m.Model {
				best.key, best.member, best.unknown = m.Key, m, false
				break
			}
		}
	}
	return best
}

func (p *parser) isKnown(name string) bool { _, ok := p.members.known[name]; return ok }

// spelt matches words, with or without hyphens between them.
func (p *parser) spelt(at int, words []string) (end int, ok bool) {
	for i, w := range words {
		if i > 0 && p.at(at).is("-") && p.at(at).glued {
			at++
		}
		if !p.at(at).is(w) {
			return 0, false
		}
		at++
	}
	return at, true
}

// symbolAt reads a symbol or an id, the longest that is known.
func (p *parser) symbolAt(at int, expected bool) reading {
	t := p.tokens[at]
	if identifier.MatchString(t.text) {
		m, ok := p.members.known[t.text]
		if !ok {
			return reading{end: at + 1, key: t.text, unknown: true}
		}
		return reading{end: at + 1, key: m.Key, member: m}
	}
	var best reading
	for end := gluedEnd(p.tokens, at, at); end > 0; end = gluedEnd(p.tokens, at, end-1) {
		text := p.text(at, end)
		m, ok := p.members.known[text]
		if !ok && best.end == 0 {
			m, ok = p.members.known[classed(text)]
		}
		if ok && strings.ContainsFunc(text, unicode.IsLetter) {
			best = reading{end: end, key: m.Key, member: m}
		}
	}
	if best.end > 0 || t.kind != word {
		return best
	}
	m, ok := p.members.known[t.text]
	if end := p.hyphenated(at); ok && end > p.plainAt(at).end {
		return reading{end: end, key: p.text(at, end), unknown: true}
	}
	switch {
	case !ok:
		return reading{}
	case m.Model && m.Name == t.text && m.Symbol != t.text && !p.wholeName(at, at+1):
		return reading{}
	case m.Model && m.Name == t.text && expected && !p.heading(at):
	case m.Model && m.Symbol == t.text:
	case p.ticker(at):
		if p.language.vocabulary[t.lower] && !expected && !p.listed(at) {
			return reading{}
		}
	case !expected || p.meaningful(t.lower) || t.text != t.lower && t.text != strings.ToUpper(t.text) && len(t.text) > 5:
		return reading{}
	}
	return reading{end: at + 1, key: m.Key, member: m}
}

// classed returns a symbol with a hyphen before the class of its shares, as catalogs write
// it: BRK.B is BRK-B.
func classed(symbol string) string {
	company, class, ok := strings.Cut(symbol, ".")
	if !ok || len(class) != 1 || class[0] < 'A' || class[0] > 'Z' || company != strings.ToUpper(company) {
		return symbol
	}
	return company + "-" + class
}

// hyphenated returns the end of a symbol that continues after a hyphen or a dot with
// another symbol: if the catalog does not have HEI-A or BTC-USD, they are neither HEI
// and A, nor BTC and USD. It is 0 elsewhere.
func (p *parser) hyphenated(at int) (end int) {
	for next := gluedEnd(p.tokens, at, at); next > 0; next = gluedEnd(p.tokens, at, next-1) {
		t := p.tokens[next-1]
		capital := t.text == strings.ToUpper(t.text) && !p.members.shout
		if t.kind != word || !capital && (!p.isKnown(t.text) || p.meaningful(t.lower)) {
			break
		}
		end = next
	}
	return end
}

// memberSlot reads a member inside a phrase.
func (p *parser) memberSlot(at int) (any, int) {
	r, ok := p.memberAt(at, true)
	if !ok {
		return nil, 0
	}
	return r, r.end
}

// memberList reads members inside a phrase: SPY, EFA and EEM.
func (p *parser) memberList(at int) (any, int) {
	var list []reading
	end := 0
	for at < len(p.tokens) {
		r, ok := p.memberAt(at, true)
		if !ok || r.cash || r.unknown && p.tokens[at].text == p.tokens[at].lower {
			break
		}
		list = append(list, r)
		at, end = r.end, r.end
		if p.at(at).is("and") && p.otherRole(at+1) {
			break
		}
		for p.at(at).is(",") || p.at(at).is("and") || p.at(at).is("/") || p.at(at).is("&") || p.at(at).is("+") {
			at++
		}
	}
	if end == 0 {
		return nil, 0
	}
	return list, end
}

// otherRole reports members that have another role than those before them: SPY, EFA and
// LQD, IEF as the defensive assets.
func (p *parser) otherRole(at int) bool {
	_, end := p.memberList(at)
	return end > 0 && p.at(end).is("as")
}
