package grammar

import (
	"fmt"
	"math"
	"slices"
)

// shares is what was said about the shares of members still to come.
type shares struct {
	open   bool
	each   bool      // value is of each
	split  bool      // value is of all together, in equal parts
	value  float64   // of each, or of all
	bare   bool      // value is a number without percent sign
	ratio  []float64 // of the next members, one each
	single bool      // value is of the next member alone
	short  bool      // the next members are sold short
	rest   bool      // the next members take the rest
	from   int
	taken  int // members so far
	group  int
	groups int
	lastAt int // token of the share
}

const mostWeight = 10 // times equity

// closeShares ends what was said about members to come.
func (p *parser) closeShares() {
	s := &p.shares
	if s.open && s.taken == 0 && len(s.ratio) == 2 && p.stocksAndBonds() {
		return
	}
	if s.open && s.taken == 0 && (s.single || s.each || s.split || len(s.ratio) > 0) {
		p.refuse(s.from, s.lastAt, "", "it is not clear what this is a share of: no member follows")
	}
	if s.open && len(s.ratio) > 0 && s.taken > 0 && s.taken < len(s.ratio) {
		p.refuse(s.from, s.lastAt, "", "there are more shares than members")
	}
	if s.open && s.short && !s.single && s.taken == 0 {
		p.refuse(s.from, s.lastAt, "", "what is sold short, and how much of it? Say: short 30% IWM")
	}
	*s = shares{groups: s.groups}
}

// stocksAndBonds reads a ratio without members, such as a 60/40 portfolio, as stocks
// and bonds.
func (p *parser) stocksAndBonds() bool {
	s := p.shares
	if len(p.draft.parts) > 0 || s.ratio[1] < 0 {
		return false
	}
	p.shares = shares{groups: s.groups}
	m := match{from: s.from, to: s.lastAt}
	b := p.openBlock(m.from)
	p.draft.notes = append(p.draft.notes, fmt.Sprintf("%q"+stocksAndBonds, p.text(m.from, m.to)))
	p.takeTickers(b, []ticker{{"SPY", s.ratio[0], large}, {"AGG", s.ratio[1], bonds}}, m)
	return true
}

// shareAt reads a share at a position: 60 %, half, a third each, 60/40. It returns
// where it ends, or 0 if there is none, and what to do with it.
func (p *parser) shareAt(at int) (int, func()) {
	if values, end := p.ratioAt(at); end > 0 {
		return end, func() {
			if p.minus(at) {
				p.refuse(at-1, end, "", "a ratio below zero? Give each its share, such as -30% IWM")
			}
			p.ratio(at, end, values)
		}
	}
	value, end, bare := p.share(at)
	if end == 0 {
		return 0, nil
	}
	short := p.shares.open && p.shares.short && p.shares.taken == 0
	if p.minus(at) {
		short = true
	}
	if bare && !p.bareShare(at, end) {
		return 0, nil
	}
	return end, func() { p.takeShare(at, end, value, bare, short) }
}

// partOf refuses a share of something other than everything: 40% of that, half of it.
// It returns where what follows starts.
func (p *parser) partOf(from, end int) int {
	at := end
	if !p.at(at).is("of") {
		return end
	}
	for at++; p.at(at).is("the"); at++ {
	}
	if !parts[p.at(at).lower] {
		return end
	}
	p.refuse(from, at+1, "", "a share of a part: say what it is of all")
	return at + 1
}

// parts are what a share can refer to, other than everything.
var parts = set("that it its this those them these which whose rest remainder remaining balance other others former latter first second last above stocks stock equity equities bonds bond half")

// minus reports a sign before a number that is neither a hyphen nor a bullet.
func (p *parser) minus(at int) bool {
	t, before := p.at(at-1), p.at(at-2)
	if !t.is("-") || !p.at(at).glued || p.bullet(at-1) {
		return false
	}
	return !t.glued || before.kind == mark || before.kind == line
}

// bareShare reports whether a number without a percent sign is a share: a member is
// beside it, and no unit of time.
func (p *parser) bareShare(at, end int) bool {
	if _, unit := p.unit(end); unit > 0 {
		return false
	}
	if p.afterMember(at) {
		return true
	}
	next := end
	for p.at(next).is("in") || p.at(next).is("of") || p.at(next).is("to") || p.at(next).is("into") {
		next++
	}
	if next > end+1 {
		return false
	}
	r, ok := p.memberAt(next, true)
	return ok && (!r.unknown || p.ticker(next))
}

// afterMember reports whether the last member read waits for its share: SPY 60, SPY:
// 60.
func (p *parser) afterMember(at int) bool {
	b := p.lastBlock()
	if b == nil || len(b.entries) == 0 {
		return false
	}
	e := &b.entries[len(b.entries)-1]
	if e.has {
		return false
	}
	for i := e.end; i < at; i++ {
		switch t := p.tokens[i]; {
		case t.is(":"), t.is("="), t.is("-"), t.is("("), t.is("["), t.is("@"), t.is("at"), t.is("with"), t.is("gets"), t.is("is"), t.is("of"), t.is("|"), t.is("a"), t.is("weight"), t.is("weighs"), t.is("to"), t.is("by"), t.is("about"):
		default:
			return false
		}
	}
	return true
}

// share reads one share: 60 %, 0.6, half, two thirds, 1/3.
func (p *parser) share(at int) (value float64, end int, bare bool) {
	if v, e := p.percent(at); e > 0 {
		return v.(float64), e, false
	}
	if v, e := p.fraction(at); e > 0 {
		return v, e, false
	}
	t := p.at(at)
	if t.kind == number {
		if p.at(at+1).is("/") && p.at(at+2).kind == number && p.at(at+2).value > t.value && p.at(at+2).value > 0 {
			return t.value / p.at(at+2).value, at + 3, false
		}
		if next := p.at(at + 1); next.kind == word && next.glued {
			return 0, 0, false
		}
		return t.value, at + 1, true
	}
	if v, e := p.numeral(at); v >= 10 { // one, two … are counted with
		return v, e, true
	}
	return 0, 0, false
}

// fractions are the words for denominators.
var fractions = map[string]float64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
	"fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
}

// vulgar are fractions written as one character.
var vulgar = map[string]float64{"½": 1. / 2, "⅓": 1. / 3, "⅔": 2. / 3, "¼": 1. / 4, "¾": 3. / 4, "⅕": 1. / 5, "⅖": 2. / 5, "⅗": 3. / 5, "⅘": 4. / 5, "⅙": 1. / 6, "⅛": 1. / 8, "⅜": 3. / 8, "⅝": 5. / 8, "⅞": 7. / 8}

// fraction reads half, a third, one quarter, two thirds.
func (p *parser) fraction(at int) (float64, int) {
	t := p.at(at)
	times := 1.0
	switch n, next := p.numeral(at); {
	case t.is("half"):
		return 0.5, at + 1
	case vulgar[t.lower] > 0:
		return vulgar[t.lower], at + 1
	case (t.is("all") && t.text != "ALL" || t.is("everything")) && (p.at(at+1).is("in") || p.at(at+1).is("into")):
		return 1, at + 1
	case (t.is("a") || t.is("an")) && t.text != "A":
		at++
	case t.kind == word && next > 0:
		times, at = n, next
	default:
		return 0, 0
	}
	if p.at(at).is("-") && p.at(at).glued {
		at++
	}
	of := fractions[p.at(at).lower]
	if of == 0 || p.at(at).kind != word {
		return 0, 0
	}
	return times / of, at + 1
}

// ratioAt reads 60/40, 60-40, 60:40, 50/30/20: shares that add up to 100 %, gross or,
// with shorts, net.
func (p *parser) ratioAt(at int) (values []float64, end int) {
	total := 0.0
	for {
		v, next := p.numeral(at)
		if next == 0 || p.at(next).is(".") && p.at(next).glued && p.at(next+1).glued {
			return nil, 0
		}
		values, total, at = append(values, v), total+v, next
		if p.at(at).is("%") {
			at++
		}
		sep := p.at(at)
		between := sep.is("/") || sep.is("-") || sep.is(":")
		if _, more := p.numeral(at + 1); !between || more == 0 || len(values) > 100 {
			break
		}
		at++
	}
	if len(values) < 2 || math.Abs(total-100) > 1.01 && !(len(values) == 2 && values[0]-values[1] == 100) {
		return nil, 0
	}
	if u, unit := p.unit(at); unit > 0 && u != nil {
		return nil, 0
	}
	if p.at(at).is("momentum") || p.at(at).is("-") && p.at(at+1).is("month") {
		return nil, 0
	}
	for i := range values {
		values[i] = hundredth(values[i])
	}
	return values, at
}

// ratio gives shares to the members said just before, or to those that follow.
func (p *parser) ratio(from, end int, values []float64) {
	if len(values) == 2 && math.Round((values[0]-values[1])*1e6) == 1e6 {
		if !p.anyShort {
			p.refuse(from, end, "", fmt.Sprintf("is the second sold short? Say %s of the first, short %s of the second; or leverage, where both are held", percent(values[0]), percent(values[1])))
		}
		values[1] = -values[1]
	}
	if p.shares.open && p.shares.rest && p.shares.taken == 0 && values[len(values)-1] > 0 {
		p.openBlock(from).restShares = values
		p.expected = true
		return
	}
	if b := p.lastBlock(); b != nil && !p.shares.open {
		var waiting []int
		for i := range b.entries {
			if !b.entries[i].has {
				waiting = append(waiting, i)
			}
		}
		if len(waiting) == len(values) {
			for k, i := range waiting {
				b.entries[i].weight, b.entries[i].has = values[k], true
			}
			return
		}
		if len(waiting) > 0 {
			p.refuse(from, end, "", "there are not as many shares as members before them")
			return
		}
	}
	p.closeShares()
	p.shares = shares{open: true, ratio: values, from: from, lastAt: end, groups: p.shares.groups}
	p.expected = true
}

// saysShort reports whether anything is said to be sold short.
func saysShort(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.is("short") || t.is("shorts") || t.is("shorted") || t.is("shorting") })
}

// splitLast divides a share equally between the members that follow it without a
// comma: 60% SPY and EFA equally. It reports whether there are such members.
func (p *parser) splitLast() bool {
	b := p.lastBlock()
	if b == nil {
		return false
	}
	first := len(b.entries) - 1
	for first >= 0 && !b.entries[first].has {
		if before := p.at(b.entries[first].from - 1); before.is(",") || before.kind == line || before.is(";") {
			return false
		}
		first--
	}
	if first < 0 || first == len(b.entries)-1 || !b.entries[first].own || b.entries[first].group > 0 {
		return false
	}
	p.shares.groups++
	for i := first; i < len(b.entries); i++ {
		e := &b.entries[i]
		e.weight, e.bare, e.has, e.group = b.entries[first].weight, b.entries[first].bare, true, p.shares.groups
	}
	return true
}

// takeShare gives a share to the member before it, or keeps it for what follows.
func (p *parser) takeShare(from, end int, value float64, bare, short bool) {
	p.expected = true
	rest := p.shares.open && p.shares.rest && p.shares.taken == 0
	if value == 0 || value > mostWeight && !bare || value > 100*mostWeight {
		p.refuse(from, end, "", "a share is above 0 and up to 1,000 %")
		return
	}
	if short {
		value = -value
	}
	if short && p.shares.open && p.shares.short && !p.shares.single {
		p.shares.taken++ // the share that follows is what is sold short
	}
	ofEach := p.shares.open && p.shares.each
	if p.afterMember(from) && !rest && !ofEach {
		b := p.lastBlock()
		e := &b.entries[len(b.entries)-1]
		if p.shares.open && p.shares.single && p.shares.taken == 0 {
			p.closeShares()
		}
		if !p.eachFollows(end) {
			if e.short && value > 0 {
				value = -value
			}
			e.weight, e.bare, e.has, e.own, e.upto = value, bare, true, true, end
			p.shares = shares{groups: p.shares.groups}
			return
		}
	}
	p.closeShares()
	s := shares{open: true, value: value, bare: bare, single: true, short: short, from: from, lastAt: end, groups: p.shares.groups}
	p.shares = s
	p.trailingEach(from, end)
}

// eachFollows reports whether a share is said to be for each member.
func (p *parser) eachFollows(end int) bool { return p.at(end).is("each") || p.at(end).is("apiece") }

// trailingEach gives a share to all preceding members that wait for one: SPY, EFA and
// AGG at 25 % each.
func (p *parser) trailingEach(from, end int) {
	before := false
	for i := from - 1; i >= 0 && i > from-3; i-- {
		before = before || p.at(i).is("each")
	}
	b := p.lastBlock()
	if b == nil || !p.eachFollows(end) && !before {
		return
	}
	gave := false
	for i := range b.entries {
		if e := &b.entries[i]; !e.has {
			e.weight, e.bare, e.has, gave = p.shares.value, p.shares.bare, true, true
			if e.short && e.weight > 0 {
				e.weight = -e.weight
			}
		}
	}
	if gave {
		p.shares = shares{groups: p.shares.groups}
	}
}

// lastBlock returns the block that members go to, or nil if a new one starts.
func (p *parser) lastBlock() *block {
	if n := len(p.draft.parts); n > 0 {
		return p.draft.parts[n-1].holdings
	}
	return nil
}

// openBlock returns the block that members go to, and starts one if needed.
func (p *parser) openBlock(at int) *block {
	if b := p.lastBlock(); b != nil {
		return b
	}
	b := &block{}
	p.draft.parts = append(p.draft.parts, part{holdings: b, from: at, to: at + 1})
	return b
}

// addMember takes a member that was named, with the share that was said for it.
func (p *parser) addMember(at int, r reading) {
	if p.asked != nil {
		p.askMember(at, r)
		return
	}
	p.expected = true
	if r.unknown {
		p.unknownMember(at, r)
	}
	s := &p.shares
	from := at
	if s.open && s.taken == 0 {
		from = s.from
	}
	b := p.openBlock(from)
	p.draft.parts[len(p.draft.parts)-1].to = r.end
	if s.open && s.rest {
		b.rest = append(b.rest, r)
		s.taken++
		return
	}
	for i := range b.entries {
		if e := &b.entries[i]; e.key == r.key && !e.has && s.open && (s.single || s.each) {
			e.weight, e.has, e.bare, e.upto = s.value, true, s.bare, r.end
			s.taken++
			s.single, s.open = false, s.each
			return
		}
		if b.entries[i].key == r.key {
			message := "this member was named before: give its share only once"
			if !s.open && p.mentioned(at) {
				message = r.key + " was named before: does what precedes it apply only to " + r.key + ", or to all members? If to all, leave " + r.key + " out; it cannot apply to one member"
			}
			p.refuse(at, r.end, "", message)
			s.taken++
			return
		}
	}
	e := entry{reading: r, from: at, upto: r.end, short: s.open && s.short}
	p.sideOf(at, r, s.open && s.short)
	p.listedAfter(b)
	switch {
	case !s.open:
	case len(s.ratio) > 0:
		if s.taken < len(s.ratio) {
			e.weight, e.has = s.ratio[s.taken], true
		} else {
			p.refuse(at, r.end, "", "there are fewer shares than members")
		}
		s.taken++
	case s.each:
		e.weight, e.bare, e.has = s.value, s.bare, true
		s.taken++
	case s.split:
		e.weight, e.bare, e.has, e.group = s.value, s.bare, true, s.group
		s.taken++
	case s.single && s.taken == 0:
		e.weight, e.bare, e.has, e.own = s.value, s.bare, true, true
		s.taken++
		s.open, s.single = false, false
	case s.short:
		s.taken++
	}
	b.entries = append(b.entries, e)
}

// relating are words that relate a member to the one before it in another way than a
// list: 60% SPY to 40% AGG.
var relating = set("over as for by at on to into in of being is per within across based following follows containing contains between among")

// listedAfter refuses a member that follows another by such a word.
func (p *parser) listedAfter(b *block) {
	if n := len(b.entries); n > 0 && b.known == "" {
		at := b.entries[n-1].upto
		if t := p.at(at); t.kind == word && relating[t.lower] {
			p.refuse(at, at+1, "", "it is not clear how the next part is connected: list members with commas or and")
		}
	}
}

// mentioned reports whether a member that was named before is only mentioned: no
// separator of a list comes before it.
func (p *parser) mentioned(at int) bool {
	t := p.at(at - 1)
	return !t.is(",") && !t.is("and") && !t.is("&") && !t.is("/") && !t.is("+")
}
