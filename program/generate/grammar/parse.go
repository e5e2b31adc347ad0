package grammar

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ballast/internal/nearest"
	"ballast/program/generate"
)

// parser reads one prompt.
type parser struct {
	language *language
	prompt   []rune
	length   int
	tokens   []token
	members  *members

	matcher  *matcher
	work     int         // steps of forms and looks at tokens so far
	slots    []slotValue // by token and kind
	skip     []bool      // what may stand between the parts of a form, by token
	readings map[memberKey]reading

	draft    draft
	future   *future  // of a simulation; nil for others
	asked    *inquiry // of an analysis; nil for others
	best     *optimum // of an optimizer; nil for others
	expected bool     // a member may come next
	shares   shares

	whichever bool // one of several is held: or stands between them
	anyShort  bool // something is said to be sold short
	shortened bool // the member named last was sold short by a word before it
	problems  []problem
	reported  map[int]bool
}

// problem is a word that was not understood.
type problem struct {
	generate.Word
	end int
}

const (
	mostProblems  = 50
	mostSuggested = 10 // suggestions are looked for: it takes time
)

func newParser(l *language, prompt string, tokens []token, m *members) *parser {
	text := runesOf(prompt)
	p := &parser{
		language: l, prompt: text, length: len(text), tokens: tokens, members: m,
		slots: make([]slotValue, len(tokens)*len(l.slots)), skip: make([]bool, len(tokens)), readings: map[memberKey]reading{}, reported: map[int]bool{}, expected: true, anyShort: saysShort(tokens), whichever: slices.ContainsFunc(tokens, func(t token) bool { return t.is("whichever") }),
	}
	for i := range tokens {
		p.skip[i] = p.skippable(i)
	}
	p.matcher = newMatcher(p)
	return p
}

// workPerToken limits the steps of forms and the visits of tokens that reading a
// description may take. Usual descriptions take a tenth of it.
const workPerToken = 20_000

// parse reads the whole prompt into the draft. It stops when ctx ends.
func (p *parser) parse(ctx context.Context) error {
	most := workPerToken * len(p.tokens)
	for at := 0; at < len(p.tokens) && p.work <= most; {
		if err := ctx.Err(); err != nil {
			return err
		}
		at = p.step(at)
	}
	p.closeShares()
	if p.work > most {
		p.problems, p.reported = nil, map[int]bool{}
		p.refuse(0, len(p.tokens), "", "this description takes too long to read: describe the model in fewer words")
		p.problems[0].Text = ""
	}
	return nil
}

// step reads one phrase, share, member or filler and returns where the next one
// starts.
func (p *parser) step(at int) int {
	if p.bullet(at) {
		return at + 1
	}
	if p.at(at).is("or") && p.whichever && p.justNamed(at) != nil {
		p.expected = true
		return at + 1
	}
	if p.at(at).is("and") && p.at(at+1).is("up") && p.at(at+2).is("to") { // and up to 2x leverage
		return at + 1
	}
	if end := p.role(at); end > 0 {
		return end
	}
	if end := p.category(at); end > 0 {
		return end
	}
	end, found, values := p.phraseAt(at)
	if p.asked == nil { // questions have no shares
		if next, apply := p.shareAt(at); next > end || next == end && next > 0 && p.at(at).kind != word {
			apply()
			return p.partOf(at, next)
		}
	}
	if end > 0 && !p.shortTerm(at) {
		if p.at(at).kind == number && p.minus(at) {
			p.refuse(at-1, end, "", "what is below zero here?")
		}
		if !found.keeps {
			p.closeShares()
		}
		p.expected = false
		found.says(p, match{values, at, end})
		return end
	}
	t := p.tokens[at]
	if r, ok := p.memberAt(at, p.expected || p.leads(at) || p.qualifiedAt(at) > 0); ok && (!r.unknown || !p.misspelt(at)) {
		p.strategyOrSymbol(at, r)
		p.addMember(at, r)
		return r.end
	}
	if p.dangles(at) {
		p.refuse(at, at+1, "", t.lower+" what? Nothing follows that this could belong to")
		return at + 1
	}
	switch {
	case t.kind == mark && strings.ContainsRune(",;:./&+-|()[]{}*!?=%_#…>@", firstRune(t.lower)) || t.kind == line:
		if t.is("%") {
			break
		}
		if t.is(";") || t.is(".") || t.kind == line && p.at(at+1).kind == line {
			p.expected = false
		}
		if t.kind == line || t.is(":") {
			p.expected = true
		}
		return at + 1
	case t.kind == word && (p.language.filler[t.lower] || p.language.introducing[t.lower]) && p.symbolOrWord(at):
		return at + 1
	case t.kind == word && p.language.introducing[t.lower] && (!t.is("over") && !t.is("within") || p.introduces(at)):
		p.expected = true
		p.shortened = p.shortened && !t.is("long")
		if e := p.justNamed(at); t.is("long") && e != nil && e.weight < 0 {
			p.refuse(at, at+1, "", "long or short? "+e.key+" is sold short")
		}
		return at + 1
	case t.kind == word && (p.language.filler[t.lower] || p.idle(at)):
		if t.lower != "and" && t.lower != "with" {
			p.expected = false
		}
		return at + 1
	}
	if t.kind == word && headings[t.lower] && p.heading(at) {
		return at + 1
	}
	if end := p.loneLength(at); t.kind == number && end > 0 {
		return end
	}
	return p.unknown(at)
}

// idle reports a word that means nothing where it stands, although it could: the us
// who ask, and a global strategy, but not US stocks or global bonds.
func (p *parser) idle(at int) bool {
	switch t := p.tokens[at]; {
	case t.is("us"):
		return addressed[p.at(at-1).lower]
	case t.is("global"):
		return models[p.at(at+1).lower]
	}
	return false
}

// introduces reports whether members follow a word that could mean something else:
// spread over SPY and EFA, but not over 40% AGG.
func (p *parser) introduces(at int) bool {
	for at++; p.at(at).is("the") || p.at(at).is("following") || p.at(at).is("these") || p.at(at).is("of") || p.at(at).is("my") || p.at(at).is("list") || p.at(at).is(":"); at++ {
	}
	r, ok := p.memberAt(at, true)
	return ok && !r.unknown || p.ticker(at) || at < len(p.tokens) && p.tokens[at].kind == line
}

// symbolOrWord refuses a word in capitals where members are expected that is also a
// symbol and would be lost: 50% SPY, 50% AGG, then IT.
func (p *parser) symbolOrWord(at int) bool {
	t, next := p.tokens[at], p.at(at+1)
	ends := next.kind == mark && !next.is("(") && !next.is("$") && !next.is(":") || next.kind == line
	if !ends || t.is("and") || t.is("i") || !p.isKnown(t.text) || !p.ticker(at) && !t.is("a") {
		return false
	}
	if t.text != strings.ToUpper(t.text) {
		return false
	}
	p.refuse(at, at+1, "$"+t.text, t.text+" is a symbol, too: write $"+t.text+" where it is meant, and the word in lower case elsewhere")
	return true
}

// headings are words before a colon that name the subject of a line.
var headings = set("trend timing holdings signal rules name")

// misspelt reports a word in lower case that is close to one with a meaning.
func (p *parser) misspelt(at int) bool {
	t := p.tokens[at]
	if t.kind != word || t.text != t.lower && !p.starts(at) || len(t.lower) < 5 || len(p.problems) >= mostSuggested {
		return false
	}
	return nearest.Match(t.lower, p.language.sorted) != ""
}

// starts reports whether a sentence starts at a token.
func (p *parser) starts(at int) bool {
	before := p.at(at - 1)
	return at == 0 || before.kind == line || before.is(".") || before.is("*") || before.is("-")
}

// leads reports whether what follows a token shows that it is a member: a share.
func (p *parser) leads(at int) bool {
	next := p.at(at + 1)
	if next.is(":") || next.is("=") || next.is("(") || next.is("-") {
		next = p.at(at + 2)
	}
	if next.kind != number {
		return false
	}
	for i := at + 1; i < at+5; i++ {
		if p.at(i).is("%") || p.at(i).is("percent") || p.at(i).is("pct") {
			return true
		}
	}
	return false
}

// bullet reports a mark that begins an item of a list: -, *, 1. or 1).
func (p *parser) bullet(at int) bool {
	t := p.tokens[at]
	if at > 0 && p.tokens[at-1].kind != line {
		before := p.tokens[at-1]
		return (t.is(".") || t.is(")")) && before.kind == number && t.glued && (at == 1 || p.tokens[at-2].kind == line)
	}
	next := p.at(at + 1)
	switch {
	case t.is("-") || t.is("*") || t.is("+"):
		return !next.glued || next.kind == word
	case t.kind == number && t.value < 100:
		after := p.at(at + 2)
		return (next.is(".") || next.is(")")) && next.glued && !after.glued && after.kind != line
	}
	return false
}

// phraseAt finds the longest phrase at a position.
func (p *parser) phraseAt(at int) (end int, found *phrase, values captures) {
	try := func(list []compiled) {
		for _, c := range list {
			if e, v := p.matcher.longest(c.form, at); e > end {
				end, found, values = e, c.phrase, v
			}
		}
	}
	t := p.tokens[at]
	if t.kind != quoted {
		try(p.language.first[t.lower])
	}
	if t.kind != mark || t.is("$") || t.is("(") {
		for _, kind := range p.language.kinds {
			if _, _, ok := p.slot(kind, at); ok {
				try(p.language.first["{"+kind])
			}
		}
	}
	return end, found, values
}

// unknown reports a word, with its neighbours if they belong to it.
func (p *parser) unknown(at int) int {
	t := p.tokens[at]
	end := at + 1
	if t.is("$") && p.at(end).kind == number {
		end++
		p.refuse(at, end, "", p.language.money)
		return p.perUnit(end)
	}
	for next := gluedEnd(p.tokens, at, at); t.kind == word && next > 0; next = gluedEnd(p.tokens, at, next-1) {
		end = next
	}
	for h := min(3, len(p.tokens)-at); h > 0; h-- {
		if message, ok := p.language.hints[strings.Join(p.lowers(at, at+h), " ")]; ok {
			p.refuse(at, at+h, "", message)
			return at + h
		}
	}
	for _, m := range p.members.models[t.lower] {
		if len(m.words) == 1 && t.kind == word {
			p.refuse(at, end, "", p.strange(reading{member: m.Member, ordinary: true}))
			return end
		}
	}
	if t.kind == number {
		if isYear(t) {
			end = p.dateEnd(at)
			p.refuse(at, end, "", p.language.date)
			return end
		}
		if p.decimalComma(at) {
			end = p.percentSign(at + 3)
			p.refuse(at, end, "", fmt.Sprintf("is this %s.%s? Decimals have a point", t.text, p.at(at+2).text))
			return end
		}
		if after := p.percentSign(end); after > 0 {
			end = after
		}
		p.refuse(at, end, "", "it is not clear what this number is for")
		return p.perUnit(end)
	}
	if months[t.lower] > 0 && t.text != t.lower {
		end = p.dateEnd(at)
		p.refuse(at, end, "", p.language.date+"; decisions in some months alone are said as: rebalanced in February")
		return end
	}
	near := ""
	if len(p.problems) < mostSuggested && t.kind == word {
		near = p.spelling(t.lower)
	}
	p.refuse(at, end, near, "this is not understood")
	p.expected = false
	return end
}

// perUnit returns the token after a year or per month, which belongs to the amount before.
func (p *parser) perUnit(at int) int {
	if t := p.at(at); (t.is("a") || t.is("per") || t.is("each") || t.is("every") || t.is("/")) && units[p.at(at+1).lower] > 0 {
		return at + 2
	}
	return at
}

// noMoney and noDate are the messages about amounts and dates in models.
const noMoney = "an amount of money is no part of a model: what it starts with is the input initial_cash of a run"

const noDate = "a date is no part of a model: where a run begins is its input start_date"

func isYear(t token) bool {
	return t.kind == number && t.value >= 1900 && t.value <= 2100 && len(t.text) == 4
}

// dateEnd returns where a date that starts at a token ends: 2005-01-31, March 5,
// 2010.
func (p *parser) dateEnd(at int) int {
	end := at + 1
	for p.at(end).kind == number || (p.at(end).is("-") || p.at(end).is("/")) && p.at(end).glued && p.at(end+1).kind == number || p.at(end).is(",") && isYear(p.at(end+1)) {
		end++
	}
	return end
}

// decimalComma reports a number such as 60,5 %.
func (p *parser) decimalComma(at int) bool {
	comma, after := p.at(at+1), p.at(at+2)
	return comma.is(",") && comma.glued && after.kind == number && after.glued && p.percentSign(at+3) > 0
}

// spelling returns the known word that a misspelt one may stand for: one edit away,
// with the same beginning. Anything further would be a guess.
func (p *parser) spelling(word string) string {
	if p.language.vocabulary[word] || common[word] {
		return "" // it is spelt correctly
	}
	near := nearest.Match(word, p.language.sorted)
	if near == "" || len(word) < 4 || near[0] != word[0] || nearest.Distance(word, near) > 1+len(word)/8 {
		return ""
	}
	return near
}

func (p *parser) lowers(from, to int) []string {
	var list []string
	for i := from; i < to; i++ {
		list = append(list, p.tokens[i].lower)
	}
	return list
}

// refuse records what is wrong with the tokens from from to to.
func (p *parser) refuse(from, to int, near, message string) {
	p.note(from, to, generate.Word{Message: message, Suggestion: near})
}

func (p *parser) note(from, to int, w generate.Word) {
	from = max(0, min(from, len(p.tokens)-1))
	if len(p.tokens) == 0 {
		p.problems = append(p.problems, problem{Word: w})
		return
	}
	to = max(to, from+1)
	if p.reported[from] || len(p.problems) >= mostProblems {
		return
	}
	p.reported[from] = true
	to = min(to, len(p.tokens))
	w.Text, w.Offset = shortened(p.text(from, to)), p.tokens[from].offset
	w.Length = p.tokens[to-1].end - w.Offset
	p.problems = append(p.problems, problem{Word: w, end: to})
}

// shortened returns the beginning of a text that is too long to repeat.
func shortened(text string) string {
	if r := []rune(text); len(r) > longestQuote {
		return string(r[:longestQuote])
	}
	return text
}

var isin = regexp.MustCompile(`^[A-Z]{2}[A-Z0-9]{9}[0-9]$`)

// unknownMember records an unknown member.
func (p *parser) unknownMember(at int, r reading) {
	message := p.strange(r)
	from := at
	for from < r.end-1 && (p.possessive(from) || p.tokens[from].is("$") || p.tokens[from].is("(")) {
		from++
	}
	end := r.end
	for end > from+1 && (p.tokens[end-1].is(")") || filler[p.tokens[end-1].lower] && p.tokens[end-1].kind == word && !p.tokens[end-1].glued) {
		end--
	}
	p.note(from, end, generate.Word{Message: message, Member: true})
}

// strange explains why a name is not a member.
func (p *parser) strange(r reading) string {
	m, asset := p.members.known[r.key]
	switch same := r.member.Namesakes; {
	case r.key == "CASH":
		return "CASH is what the members leave, and no member: say cash without the $, or leave it out"
	case r.ordinary:
		return fmt.Sprintf("is this your model %q, or a word of the description? Write %q in quotation marks for the model, and leave the word out if it only describes what follows", r.member.Name, r.member.Name)
	case len(same) > 0 && !r.member.Model:
		return fmt.Sprintf("%q names an asset and one of your models (%s): write model:%s or the model's name in quotation marks for the model, asset:%s for the asset", r.member.Name, strings.Join(same, ", "), r.member.Name, r.member.Name)
	case len(same) > 0:
		return fmt.Sprintf("%q is the name of several of your models (%s): name one by its symbol or id", r.member.Name, strings.Join(same, ", "))
	case r.quoted && asset:
		return fmt.Sprintf("a name in quotation marks means one of your models, and none is called %q: write %s without them for the asset", r.key, m.Symbol)
	case r.quoted:
		return fmt.Sprintf("none of your models is called %q: a name in quotation marks means a model", r.key)
	case isin.MatchString(r.key):
		return r.key + " is an ISIN: name the asset by its symbol"
	case r.said != "":
		return fmt.Sprintf("the catalog has none of the usual assets for %q: name one by its symbol", r.said)
	}
	if what := outside[strings.ToLower(r.key)]; what != "" {
		return importing(r.key, what)
	}
	if hint := p.language.hints[strings.ToLower(r.key)]; hint != "" {
		return hint
	}
	return r.key + " is neither an asset of the catalog nor one of your models"
}

// failure returns the error for everything that was not understood; nil if there is
// nothing.
func (p *parser) failure() *generate.NotUnderstood {
	if len(p.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(p.problems, func(a, b problem) int { return cmp.Compare(a.Offset, b.Offset) })
	e := &generate.NotUnderstood{Accepted: nearby(p.language.accepted, p.tokens)}
	for _, x := range p.problems[:min(mostRefused, len(p.problems))] {
		e.Words = append(e.Words, x.Word)
	}
	return e
}

// skippable reports what may be between the parts of a form: articles, and hyphens
// inside words.
func (p *parser) skippable(at int) bool {
	switch t := p.tokens[at]; {
	case t.is("-"):
		return t.glued && p.at(at+1).glued
	case t.is("the"), t.is("an"):
		return true
	case t.is("a"):
		return t.text == "a" || at == 0
	}
	return false
}
