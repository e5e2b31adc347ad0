package grammar

import (
	"math"
	"strings"
)

// span is a length of time as it was said.
type span struct {
	sessions int
	count    float64
	unit     int // sessions of the unit
}

// slot reads a value of a kind at a position once, and remembers it.
func (p *parser) slot(kind string, at int) (value any, end int, ok bool) {
	kept := &p.slots[at*len(p.language.slots)+p.language.slots[kind]]
	if !kept.done {
		value, end := p.read(kind, at)
		*kept = slotValue{value, end, true}
	}
	return kept.value, kept.end, kept.end > 0
}

type slotValue struct {
	value any
	end   int // 0 if there is none
	done  bool
}

func (p *parser) read(kind string, at int) (any, int) {
	switch kind {
	case "n":
		return p.integer(at)
	case "division":
		return p.partOfAll(at)
	case "num":
		return p.decimal(at)
	case "pct":
		return p.percent(at)
	case "points":
		return p.points(at)
	case "factor":
		return p.factor(at)
	case "times":
		if _, end := p.percent(at); end > 0 {
			return nil, 0
		}
		return p.factor(at)
	case "span":
		return p.span(at)
	case "spans":
		return p.spanList(at)
	case "unit":
		return p.unit(at)
	case "member":
		return p.memberSlot(at)
	case "members":
		return p.memberList(at)
	case "title":
		return p.title(at)
	case "code":
		return p.code(at)
	case "weekday":
		return p.lookup(at, weekdays)
	case "ordinal":
		return p.ordinal(at)
	case "each":
		return p.each(at)
	case "it":
		return p.pronoun(at)
	case "side":
		return p.side(at)
	case "best":
		return p.direction(at)
	case "bare":
		return p.bareSide(at)
	case "sign":
		return p.sign(at)
	case "golden":
		return p.golden(at)
	case "target":
		return p.targetWeight(at)
	case "part":
		return p.part(at)
	case "months":
		return p.monthList(at)
	case "period":
		return p.period(at)
	case "end":
		return p.monthEnd(at)
	case "money":
		return p.money(at)
	case "capital":
		return p.capital(at)
	case "count":
		return p.howMany(at)
	case "years":
		return p.years(at)
	case "blockmonths":
		return p.blockMonths(at)
	case "per":
		return p.perYear(at)
	case "often":
		return p.oftenAt(at)
	case "column":
		return p.column(at)
	case "calendar":
		return p.calendarYear(at)
	case "point":
		return p.pointAt(at)
	case "bound":
		return p.boundAt(at)
	case "real":
		return p.realness(at)
	case "base":
		return p.baseAt(at)
	case "ratio":
		return p.ratioSlot(at)
	case "limit":
		return p.limitAt(at)
	case "single":
		return p.named(at, singles)
	case "expense":
		return p.named(at, expenses)
	case "receipt":
		return p.named(at, receipts)
	case "pension":
		return p.named(at, pensions)
	case "fund":
		return p.named(at, purposes)
	case "own":
		return p.ownModel(at)
	case "seriescolumn":
		return p.seriesColumn(at)
	case "yearlist":
		return p.yearList(at)
	case "variation":
		return p.variation(at)
	case "metricword":
		return p.metricWord(at)
	case "ruleword":
		return p.regimeRule(at)
	case "none", "true":
		return false, at // stands for what is said without a word
	}
	if w, ok := strings.CutPrefix(kind, "w:"); ok && p.at(at).is(w) {
		return true, at + 1
	}
	return nil, 0
}

// bareSide reads above or below without anything to compare with.
func (p *parser) bareSide(at int) (any, int) {
	if t := p.at(at); t.is("above") || t.is("below") || t.is("under") {
		return !t.is("above"), at + 1
	}
	return nil, 0
}

// targetWeight reads what drifts are measured from: its target weight, their
// allocation.
func (p *parser) targetWeight(at int) (any, int) {
	for p.at(at).is("its") || p.at(at).is("their") || p.at(at).is("each") || p.at(at).is("own") || p.at(at).is("the") {
		at++
	}
	switch p.at(at).lower {
	case "target", "targets":
		at++
		if next := p.at(at); next.is("weight") || next.is("weights") || next.is("allocation") || next.is("allocations") {
			at++
		}
		return true, at
	case "allocation", "allocations", "weight", "weights":
		return true, at + 1
	}
	return nil, 0
}

// part reads half, two thirds.
func (p *parser) part(at int) (any, int) {
	v, end := p.fraction(at)
	if end == 0 {
		return nil, 0
	}
	return v, end
}

func (p *parser) at(i int) token {
	p.work++
	if i >= 0 && i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{kind: line, offset: p.length, end: p.length}
}

// integer reads 3 or three.
func (p *parser) integer(at int) (any, int) {
	v, end := p.decimal(at)
	if end == 0 {
		return nil, 0
	}
	f := v.(float64)
	if f != math.Trunc(f) || f > 1e6 {
		return nil, 0
	}
	return int(f), end
}

// numeral reads a number in digits or in words: 60, sixty, twenty-five, two hundred.
// It returns where it ends, or 0 if there is none.
func (p *parser) numeral(at int) (float64, int) {
	t := p.at(at)
	if t.kind == number {
		return t.value, at + 1
	}
	v, written := numberWords[t.lower]
	if t.kind != word || !written {
		return 0, 0
	}
	next := at + 1
	if v < 10 && p.at(next).is("hundred") {
		return 100 * v, next + 1
	}
	if p.at(next).is("-") && p.at(next).glued && p.at(next+1).glued {
		next++
	}
	if one := numberWords[p.at(next).lower]; v >= 20 && v < 100 && one > 0 && one < 10 && p.at(next).kind == word {
		return v + one, next + 1
	}
	return v, at + 1
}

// decimal reads a number, in digits or in words, that is not a percentage.
func (p *parser) decimal(at int) (any, int) {
	v, end := p.numeral(at)
	if end == 0 || p.percentSign(end) > 0 {
		return nil, 0
	}
	return v, end
}

// percentSign reads what makes a percentage of the number before it, and returns
// where it ends, or 0 if there is none.
func (p *parser) percentSign(at int) int {
	switch t := p.at(at); {
	case at == 0:
		return 0
	case t.is("%"), t.is("percent"), t.is("pct"), t.is("percents"), t.is("prct"):
		return at + 1
	case t.is("per") && p.at(at+1).is("cent"):
		return at + 2
	}
	return 0
}

// percent reads 60 %, as 0.6.
func (p *parser) percent(at int) (any, int) {
	v, end := p.numeral(at)
	if end = p.percentSign(end); end == 0 {
		return nil, 0
	}
	return hundredth(v), end
}

// hundredth is v/100, rounded to twelve decimals, so that 7.5 % is 0.075.
func hundredth(v float64) float64 { return math.Round(v*1e10) / 1e12 }

// points reads 5 points, 5 percentage points, 5pp, 500 basis points, as 0.05.
func (p *parser) points(at int) (any, int) {
	v, next := p.numeral(at)
	if next == 0 {
		return nil, 0
	}
	if end := p.percentSign(next); end > 0 {
		next = end
	}
	if p.at(next).is("-") && p.at(next).glued {
		next++
	}
	switch u := p.at(next); {
	case u.is("bps"), u.is("bp"):
		return hundredth(v / 100), next + 1
	case u.is("basis") && p.at(next+1).is("points"):
		return hundredth(v / 100), next + 2
	case u.is("pp"), u.is("ppt"), u.is("ppts"), u.is("points"), u.is("point"), u.is("pts"):
		return hundredth(v), next + 1
	case u.is("percentage") && (p.at(next+1).is("points") || p.at(next+1).is("point")):
		return hundredth(v), next + 2
	}
	return nil, 0
}

// factor reads a multiple: 1.5x, 2 times, 2:1, 2 to 1, 150 %.
func (p *parser) factor(at int) (any, int) {
	if v, end := p.percent(at); end > 0 {
		return v, end
	}
	v, next := p.numeral(at)
	if next == 0 {
		return nil, 0
	}
	if p.at(next).is("-") && p.at(next).glued {
		next++
	}
	switch u := p.at(next); {
	case (u.is("x") || u.is("times")) && p.often(next+1):
		return nil, 0 // 2 times a year
	case u.is("x"), u.is("times"), u.is("fold"), u.is("×"):
		return v, next + 1
	case u.is(":") && p.at(next+1).value == 1:
		return v, next + 2
	case u.is("to") && (p.at(next+1).value == 1 || p.at(next+1).is("one")):
		return v, next + 2
	}
	return nil, 0
}

// often reports what makes a frequency of a number of times: a year, per week,
// yearly.
func (p *parser) often(at int) bool {
	switch t := p.at(at); {
	case t.is("a"), t.is("an"), t.is("per"), t.is("each"), t.is("every"):
		_, end := p.unit(at + 1)
		return end > 0
	case t.is("yearly"), t.is("annually"), t.is("monthly"), t.is("weekly"), t.is("daily"), t.is("quarterly"):
		return true
	}
	return false
}

// unit reads a unit of time, as its number of sessions.
func (p *parser) unit(at int) (any, int) {
	for (p.at(at).is("trading") || p.at(at).is("business") || p.at(at).is("calendar") || p.at(at).is("-") && p.at(at).glued) && at < len(p.tokens) {
		at++
	}
	t := p.at(at)
	n, ok := units[t.lower]
	if t.kind != word || !ok || len(t.lower) == 1 && (t.text != t.lower && !t.glued || !t.glued && p.at(at-1).kind != number) {
		return nil, 0
	}
	return n, at + 1
}

// span reads 12 months, 12-month, 12m, a year.
func (p *parser) span(at int) (any, int) {
	t := p.at(at)
	v, next := p.numeral(at)
	switch {
	case next > 0:
	case t.kind == word && (t.is("a") || t.is("an")) && t.text != "A":
		v, next = 1, at+1
	case past[p.at(at-1).lower]:
		if u, end := p.unit(at); end > 0 { // the last year
			return newSpan(1, u.(int)), end
		}
		return nil, 0
	default:
		return nil, 0
	}
	u, end := p.unit(next)
	if end == 0 {
		return nil, 0
	}
	return newSpan(v, u.(int)), end
}

var past = set("last past trailing previous preceding prior recent latest")

// newSpan counts the sessions of a span; 13 weeks are a quarter, and 52 a year.
func newSpan(count float64, unit int) span {
	if unit == units["week"] && count >= 13 && math.Mod(count, 13) == 0 {
		return span{sessions: int(min(count/13*float64(units["quarter"]), 1e6)), count: count, unit: unit}
	}
	return span{sessions: int(math.Round(min(count*float64(unit), 1e6))), count: count, unit: unit}
}

// spanList reads one or several spans: 1, 3 and 6 months; 1/3/6-month; 3 months and 6
// months.
func (p *parser) spanList(at int) (any, int) {
	var counts []float64
	var list []span
	for at < len(p.tokens) && len(counts)+len(list) < 12 {
		v, end := p.decimal(at)
		if end == 0 {
			break
		}
		counts = append(counts, v.(float64))
		u, after := p.unit(end)
		if after > 0 {
			for _, c := range counts {
				list = append(list, newSpan(c, u.(int)))
			}
			counts = nil
			end = after
		}
		next := end
		for p.at(next).is(",") || p.at(next).is("/") || p.at(next).is("-") || p.at(next).is("and") || p.at(next).is("&") || p.at(next).is("+") {
			next++
		}
		if next == end {
			at = end
			break
		}
		following, more := p.decimal(next)
		if more == 0 {
			at = end
			break
		}
		if p.at(end).is("-") && following.(float64) < v.(float64) {
			return nil, 0 // 12-1 is no list
		}
		at = next
	}
	if len(list) == 0 || len(counts) > 0 {
		one, end := p.span(at)
		if end == 0 || len(counts) > 0 {
			return nil, 0
		}
		return []span{one.(span)}, end
	}
	return list, at
}

var weekdays = map[string]any{
	"monday": "mon", "mondays": "mon", "tuesday": "tue", "tuesdays": "tue", "wednesday": "wed", "wednesdays": "wed",
	"thursday": "thu", "thursdays": "thu", "friday": "fri", "fridays": "fri",
}

func (p *parser) lookup(at int, values map[string]any) (any, int) {
	t := p.at(at)
	if v, ok := values[t.lower]; ok && t.kind == word {
		return v, at + 1
	}
	return nil, 0
}

// ordinal reads first, last, 3rd, second to last.
func (p *parser) ordinal(at int) (any, int) {
	t := p.at(at)
	words := map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "tenth": 10, "final": -1, "last": -1}
	if n, ok := words[t.lower]; ok && t.kind == word {
		return n, at + 1
	}
	if s := p.at(at + 1).lower; t.kind == number && p.at(at+1).glued && (s == "st" || s == "nd" || s == "rd" || s == "th") {
		return int(t.value), at + 2
	}
	return nil, 0
}

var eachNouns = set("asset assets one ones etf fund member holding position of security ticker is closes trades index")

// each reads what refers to every member by itself.
func (p *parser) each(at int) (any, int) {
	one, two := p.at(at), p.at(at+1)
	switch {
	case one.is("each") || one.is("every"):
		switch {
		case two.is("of") && (p.at(at+2).is("them") || p.at(at+2).is("these")):
			return true, at + 3
		case two.is("is") || two.is("closes") || two.is("trades"):
			return true, at + 1
		case eachNouns[two.lower]:
			return true, at + 2
		}
		return true, at + 1
	case one.is("they") || one.is("those") || one.is("them") || one.is("these") || one.is("their") || one.is("individually"):
		if two.is("assets") || two.is("that") {
			return true, at + 2
		}
		return true, at + 1
	case one.is("the") && two.is("assets"):
		return true, at + 2
	}
	return nil, 0
}
