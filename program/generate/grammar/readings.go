package grammar

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
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
	said    string // the everyday name that was used, "" without
	cash    bool
	unknown bool
}

// members is what the words of one prompt can name, looked up in one step.
type members struct {
	known  map[string]generate.Member
	models []model
	shout  bool // the prompt has no lower case, so capitals say nothing
}

// model is a model of the account, by the words of its name.
type model struct {
	generate.Member
	words []string
}

const (
	mostNames  = 20_000 // looked up for one prompt
	longName   = 6      // words of a name that stands without quotation marks
	longGlued  = 8      // tokens of a symbol such as BRK-B
	longestRun = 64     // tokens of a name in the account's list
)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)

// lookUp asks the library for everything in the prompt that may be a name.
func lookUp(ctx context.Context, library generate.Library, l *language, prompt string, tokens []token) (*members, error) {
	names := map[string]bool{}
	add := func(s string) {
		if len(names) < mostNames && utf8.RuneCountInString(s) <= longestQuote {
			names[s] = true
		}
	}
	for _, entry := range plainWords {
		for _, t := range strings.Fields(entry.tickers) {
			add(t)
		}
	}
	for _, list := range knownHoldings {
		for _, h := range list {
			add(h.ticker)
			for _, other := range h.other {
				add(other)
			}
		}
	}
	text := []rune(prompt)
	for i, t := range tokens {
		switch t.kind {
		case quoted:
			add(t.text)
		case word, number:
			if id := string(text[t.offset:min(t.offset+36, len(text))]); uuid.MatchString(id) {
				add(id)
			}
			capital := unicode.IsUpper(firstRune(t.text))
			if t.kind == word && (capital || !l.vocabulary[t.lower] && !common[t.lower]) {
				add(t.text)
			}
			for end := gluedEnd(tokens, i, i); end > 0; end = gluedEnd(tokens, i, end-1) {
				add(string(text[t.offset:tokens[end-1].end]))
				if end-i >= longGlued {
					break
				}
			}
			for n := 1; capital && n < longName && i+n < len(tokens); n++ {
				if k := tokens[i+n].kind; k != word && k != number && !tokens[i+n].is("-") && !tokens[i+n].is("&") {
					break
				}
				add(string(text[t.offset:tokens[i+n].end]))
			}
		}
	}
	known, err := library.Members(ctx, slices.Sorted(maps.Keys(names)))
	if err != nil {
		return nil, fmt.Errorf("look up the members of a description: %w", err)
	}
	models, err := library.Models(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the account's models: %w", err)
	}
	m := &members{known: known, shout: strings.ToUpper(prompt) == prompt && strings.Count(strings.TrimSpace(prompt), " ") > 2}
	for _, x := range models {
		found := model{Member: x}
		for _, t := range tokenize(x.Name) {
			found.words = append(found.words, t.lower)
		}
		if n := len(found.words); n > 0 && n <= longestRun {
			m.models = append(m.models, found)
		}
	}
	slices.SortStableFunc(m.models, func(a, b model) int { return len(b.words) - len(a.words) })
	return m, nil
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// gluedEnd returns where a symbol that begins at i goes on after token last: over
// a hyphen or dot and what is glued to it; 0 where it does not.
func gluedEnd(tokens []token, i, last int) int {
	next := last + 1
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

func (p *parser) text(from, to int) string {
	if from >= to || to > len(p.tokens) {
		return ""
	}
	return string(p.prompt[p.tokens[from].offset:p.tokens[to-1].end])
}

// memberAt reads a member. expected says that one should stand here: then lower
// case counts as a symbol, and a word that means nothing is an unknown member.
func (p *parser) memberAt(at int, expected bool) (reading, bool) {
	key := memberKey{at, expected}
	if r, done := p.readings[key]; done {
		return r, r.end > 0
	}
	r := p.readMember(at, expected)
	p.readings[key] = r
	return r, r.end > 0
}

type memberKey struct {
	at       int
	expected bool
}

func (p *parser) readMember(at int, expected bool) reading {
	start := at
	for p.possessive(at) {
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
		if r = p.symbolAt(at+1, true); r.end == 0 {
			r = reading{end: at + 2, unknown: true, key: p.at(at + 1).text}
		}
	case t.is("("):
		if r = p.memberInside(at); r.end == 0 {
			return reading{}
		}
	case t.kind == word || t.kind == number:
		r = p.namedMember(at, expected)
	}
	if r.end == 0 {
		return r
	}
	return p.tail(r)
}

// possessive words stand before a model's name: my model "Trend", the fund SPY.
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

func (p *parser) quotedMember(at int, expected bool) reading {
	t := p.tokens[at]
	if m, ok := p.members.known[t.text]; ok {
		return reading{end: at + 1, key: m.Key, member: m}
	}
	for _, m := range p.members.models {
		if strings.EqualFold(m.Name, t.text) || strings.EqualFold(m.Symbol, t.text) {
			return reading{end: at + 1, key: m.Key, member: m.Member}
		}
	}
	if !expected && !strings.ContainsFunc(t.text, unicode.IsLetter) {
		return reading{}
	}
	return reading{end: at + 1, key: t.text, unknown: true}
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

// namedMember takes the longest of: a model's name, an everyday name, a symbol.
func (p *parser) namedMember(at int, expected bool) reading {
	best := p.modelAt(at, expected)
	if r := p.plainAt(at); r.end > best.end {
		best = r
	}
	if r := p.symbolAt(at, expected); r.end > best.end || r.end == best.end && r.end > 0 && p.ticker(at) {
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
		if !p.language.vocabulary[t.lower] {
			for next := gluedEnd(p.tokens, at, at); next > 0 && p.tokens[next-1].kind == word && p.ticker(next-1); next = gluedEnd(p.tokens, at, next-1) {
				end = next
			}
		} else if !expected {
			return reading{}
		}
		return reading{end: end, key: p.text(at, end), unknown: true}
	case t.kind == word && expected && !p.meaningful(t.lower):
		return reading{end: at + 1, key: t.text, unknown: true}
	}
	return reading{}
}

// meaningful words are no unknown members, whatever stands before them.
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
		if !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') {
			return false
		}
	}
	switch {
	case p.members.shout && (p.meaningful(t.lower)):
		return false
	case t.text == "A" || t.text == "I":
		return p.listed(at)
	}
	return true
}

// listed reports whether a token stands as members do: between separators, or
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

// modelAt reads a model's name or symbol of the account's list.
func (p *parser) modelAt(at int, expected bool) reading {
	for i := range p.members.models {
		m := &p.members.models[i]
		if at+len(m.words) > len(p.tokens) || len(m.words) == 1 && !(expected && p.tokens[at].text == m.Name) {
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
			return reading{end: at + len(m.words), key: m.Key, member: m.Member}
		}
	}
	return reading{}
}

// plainAt reads an everyday name.
func (p *parser) plainAt(at int) (best reading) {
	t := p.tokens[at]
	if t.lower == "cash" && (t.text != "CASH" || !p.isKnown("CASH")) {
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

// spelt matches words, with hyphens between them or not.
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
	if id := string(p.prompt[t.offset:min(t.offset+36, len(p.prompt))]); uuid.MatchString(id) {
		end := at
		for end < len(p.tokens) && p.tokens[end].offset < t.offset+36 {
			end++
		}
		if m, ok := p.members.known[id]; ok {
			return reading{end: end, key: m.Key, member: m}
		}
		return reading{end: end, key: id, unknown: true}
	}
	var best reading
	for end := gluedEnd(p.tokens, at, at); end > 0; end = gluedEnd(p.tokens, at, end-1) {
		text := p.text(at, end)
		if m, ok := p.members.known[text]; ok && strings.ContainsFunc(text, unicode.IsLetter) {
			best = reading{end: end, key: m.Key, member: m}
		}
	}
	if best.end > 0 || t.kind != word {
		return best
	}
	m, ok := p.members.known[t.text]
	switch {
	case !ok:
		return reading{}
	case m.Model && m.Name == t.text && expected:
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

// describedAt reads an asset's name before its symbol in parentheses, such as
// Vanguard Total Stock Market (VTI): each word has to be one of its name.
func (p *parser) describedAt(at int) reading {
	t := p.tokens[at]
	if t.kind == word && t.text == t.lower && len(plainNames[t.lower]) == 0 {
		return reading{}
	}
	for end := at + 1; end < len(p.tokens) && end-at <= 12; end++ {
		if p.tokens[end].is("(") {
			r := p.memberInside(end)
			if r.end == 0 || r.unknown || !p.nameHas(r.member, at, end) {
				return reading{}
			}
			return r
		}
		if k := p.tokens[end].kind; k != word && k != number && !(k == mark && p.tokens[end].glued) && !p.tokens[end].is("&") || p.tokens[end].is("%") {
			return reading{}
		}
	}
	return reading{}
}

// nameHas reports whether the tokens are words of the member's name, or an
// everyday name of it.
func (p *parser) nameHas(m generate.Member, from, to int) bool {
	name := map[string]bool{"etf": true, "fund": true, "index": true, "trust": true, "the": true, "shares": true, "-": true, ".": true, "&": true, "us": true, "u": true, "s": true}
	for _, t := range tokenize(m.Name) {
		name[t.lower] = true
		name[strings.TrimSuffix(t.lower, "s")] = true
	}
	all := true
	for i := from; i < to; i++ {
		w := p.tokens[i].lower
		all = all && (name[w] || name[strings.TrimSuffix(w, "s")])
	}
	if all {
		return true
	}
	r := p.plainAt(from)
	return r.end == to && slices.Contains(p.tickersOf(from, to), m.Symbol)
}

func (p *parser) tickersOf(from, to int) []string {
	for _, x := range plainNames[p.tokens[from].lower] {
		if end, ok := p.spelt(from, x.words); ok && end == to {
			return x.tickers
		}
	}
	return nil
}

// tail reads what may follow a member: its symbol or its name in parentheses,
// and words such as fund.
func (p *parser) tail(r reading) reading {
	for {
		t := p.at(r.end)
		switch {
		case t.is("(") && r.said != "":
			inner := p.memberInside(r.end)
			if inner.end == 0 || inner.unknown {
				return r
			}
			inner.said = ""
			r = inner
		case t.is("(") && !r.unknown && !r.cash:
			end := r.end + 1
			for end < len(p.tokens) && !p.tokens[end].is(")") && p.tokens[end].kind != line && end-r.end < 16 {
				end++
			}
			if end == r.end+1 || !p.at(end).is(")") || !p.nameHas(r.member, r.end+1, end) {
				return r
			}
			r.end = end + 1
		case t.kind == word && (t.is("etf") || t.is("etfs") || t.is("fund") || t.is("funds") || t.is("shares")):
			r.end++
		case t.kind == word && (r.member.Model || r.unknown) && (t.is("model") || t.is("strategy") || t.is("portfolio")):
			r.end++
		default:
			return r
		}
	}
}

// memberSlot reads a member inside of a phrase.
func (p *parser) memberSlot(at int) (any, int) {
	r, ok := p.memberAt(at, true)
	if !ok {
		return nil, 0
	}
	return r, r.end
}

// title reads a model's name: quoted, or the capitalised words up to punctuation.
func (p *parser) title(at int) (any, int) {
	if t := p.at(at); t.kind == quoted {
		return t.text, at + 1
	}
	end := at
	for end < len(p.tokens) && end-at < 12 {
		t := p.tokens[end]
		capital := unicode.IsUpper(firstRune(t.text)) || t.kind == number && !p.at(end+1).is("%")
		if t.kind != word && t.kind != number && !(t.is("-") && t.glued) && !t.is("&") || t.kind != mark && !capital {
			break
		}
		end++
	}
	if end == at || p.tokens[end-1].kind == mark {
		return nil, 0
	}
	return p.text(at, end), end
}

var symbolForm = regexp.MustCompile(`^[A-Z][A-Z0-9.-]{0,11}$`)

// code reads the symbol that a model is to have.
func (p *parser) code(at int) (any, int) {
	t := p.at(at)
	if t.kind == quoted {
		return t.text, at + 1
	}
	if t.is("$") {
		at++
		t = p.at(at)
	}
	if t.kind != word || t.text != strings.ToUpper(t.text) {
		return nil, 0
	}
	end := at + 1
	for next := gluedEnd(p.tokens, at, at); next > 0; next = gluedEnd(p.tokens, at, next-1) {
		end = next
	}
	return p.text(at, end), end
}
