package grammar

import (
	"math"
	"strings"

	"ballast/catalog/series"
)

// point is a moment of a plan as it was said: year 10 of the plan, 2034, the age of 67.
type point struct {
	value    int
	calendar bool
	age      bool
}

// scales are the words after a number of money.
var scales = map[string]float64{
	"k": 1e3, "thousand": 1e3, "grand": 1e3,
	"m": 1e6, "mm": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6,
	"bn": 1e9, "billion": 1e9,
}

// currencies are the words after an amount.
var currencies = set("dollars dollar usd bucks")

// money reads 1,000,000, $1M, 1.5 million dollars, 40k.
func (p *parser) money(at int) (any, int) {
	v, end, _ := p.amount(at)
	if end == 0 {
		return nil, 0
	}
	return v, end
}

// capital reads money that cannot be a year, an age or a count.
func (p *parser) capital(at int) (any, int) {
	v, end, marked := p.amount(at)
	if end == 0 || !marked && (isYear(p.at(at)) || v < 1000) {
		return nil, 0
	}
	return v, end
}

// amount reads money. marked reports a currency or a word such as million.
func (p *parser) amount(at int) (v float64, end int, marked bool) {
	if p.at(at).is("$") {
		at, marked = at+1, true
	}
	v, end = p.numeral(at)
	if end == 0 {
		return 0, 0, false
	}
	t := p.at(end)
	if by := scales[t.lower]; by > 0 && t.kind == word && (t.glued || len(t.lower) > 2 || t.is("k")) {
		v, end, marked = math.Round(v*by*1e6)/1e6, end+1, true
	} else if t.kind == word && t.glued {
		return 0, 0, false
	}
	if t := p.at(end); t.kind == word && currencies[t.lower] {
		end, marked = end+1, true
	}
	if p.percentSign(end) > 0 || !marked && p.at(at).kind != number {
		return 0, 0, false
	}
	if next := p.at(end); (next.is("/") || next.is("-") || next.is(":") || next.is(".")) && p.at(end+1).kind == number && p.at(end+1).glued {
		return 0, 0, false // a ratio, a range, a date
	}
	if _, unit := p.unit(end); unit > 0 && !marked {
		return 0, 0, false // 30 years
	}
	return v, end, marked
}

// howMany reads 10,000 or 10k.
func (p *parser) howMany(at int) (any, int) {
	v, end, _ := p.amount(at)
	if end == 0 || p.at(at).is("$") || v != math.Trunc(v) || v > 1e9 {
		return nil, 0
	}
	return int(v), end
}

// years reads 30 years, 30-year, 360 months, three decades.
func (p *parser) years(at int) (any, int) {
	v, next := p.numeral(at)
	if next == 0 {
		return nil, 0
	}
	if p.at(next).is("-") && p.at(next).glued {
		next++
	}
	switch t := p.at(next); {
	case t.kind != word:
		return nil, 0
	case t.is("years"), t.is("year"), t.is("yrs"), t.is("yr"), t.is("y") && t.glued:
	case t.is("decades"), t.is("decade"):
		v *= 10
	case t.is("months"), t.is("month"):
		v /= 12
	default:
		return nil, 0
	}
	end := next + 1
	if p.at(end).is("old") || p.at(end).is("-") && p.at(end+1).is("old") {
		return nil, 0
	}
	if p.at(end).is("'") {
		end++ // 30 years' retirement
	}
	return v, end
}

// blockMonths reads the length of blocks: 24 months, 24-month, 2 years.
func (p *parser) blockMonths(at int) (any, int) {
	v, end := p.years(at)
	if end == 0 {
		return nil, 0
	}
	return math.Round(v.(float64)*12*1e6) / 1e6, end
}

// often are the times a year of adverbs.
var often = map[string]float64{"yearly": 1, "annually": 1, "annual": 1, "monthly": 12, "quarterly": 4, "pa": 1}

// perUnit are the times a year of a unit.
var perUnit = map[string]float64{"year": 1, "yr": 1, "month": 12, "mo": 12, "quarter": 4, "annum": 1}

// perYear reads how often a year: a year, per month, quarterly, /yr, p.a.
func (p *parser) perYear(at int) (any, int) {
	t := p.at(at)
	if t.kind == word && often[t.lower] > 0 {
		return often[t.lower], at + 1
	}
	if t.is("p") && p.at(at+1).is(".") && p.at(at+2).is("a") {
		end := at + 3
		if p.at(end).is(".") && p.at(end).glued {
			end++
		}
		return 1.0, end
	}
	if t.is("once") {
		at++
		t = p.at(at)
	}
	if t.text == "A" && t.kind == word || !t.is("a") && !t.is("an") && !t.is("per") && !t.is("each") && !t.is("every") && !t.is("/") {
		return nil, 0
	}
	if n := perUnit[p.at(at+1).lower]; n > 0 && p.at(at+1).kind == word {
		return n, at + 2
	}
	return nil, 0
}

// calendarYear reads 2034.
func (p *parser) calendarYear(at int) (any, int) {
	if t := p.at(at); !isYear(t) || p.at(at+1).is("-") && p.at(at+2).kind == number && !isYear(p.at(at+2)) {
		return nil, 0
	}
	return int(p.at(at).value), at + 1
}

// pointAt reads year 10, the 10th year, 2034, age 67.
func (p *parser) pointAt(at int) (any, int) {
	for p.at(at).is("the") {
		at++
	}
	if p.at(at).is("my") && p.at(at+1).is("age") {
		at++
	}
	t := p.at(at)
	if v, end := p.calendarYear(at); end > 0 {
		return point{value: v.(int), calendar: true}, end
	}
	if t.is("year") || t.is("age") {
		at++
		if p.at(at).is("of") && t.is("age") {
			at++
		}
		n, end := p.numeral(at)
		if end == 0 || n != math.Trunc(n) || n > 300 {
			return nil, 0
		}
		return point{value: int(n), age: t.is("age")}, end
	}
	if n, end := p.ordinal(at); end > 0 && n.(int) > 0 && p.at(end).is("year") {
		return point{value: n.(int)}, end + 1
	}
	return nil, 0
}

// boundAt reads the end of a range whose beginning says what it counts: year 10 to 20,
// from age 65 to 95.
func (p *parser) boundAt(at int) (any, int) {
	if v, end := p.pointAt(at); end > 0 {
		return v, end
	}
	n, end := p.numeral(at)
	if end == 0 || p.at(at).kind != number || n != math.Trunc(n) || n < 1 || n > 300 || p.percentSign(end) > 0 {
		return nil, 0
	}
	if next := p.at(end); next.kind == word && (next.glued || scales[next.lower] > 0 || currencies[next.lower]) || next.is("/") {
		return nil, 0
	}
	if _, unit := p.unit(end); unit > 0 {
		return nil, 0
	}
	return point{value: int(n), age: false}, end
}

// risesWith are the ways to say that an amount rises with prices, and falls behind
// the ways to say that it does not.
var risesWith = spellings(`adjusted for inflation, adjusted with inflation, adjusted by inflation, adjusted to inflation, inflation adjusted, real, in real terms,
	in today's money, in today's dollars, in today's prices, in todays money, in todays dollars, in current dollars, in constant dollars, in real dollars, in real money,
	rising with inflation, rising with prices, rises with inflation, rises with prices, that rises with inflation, that rises with prices, which rises with inflation, growing with inflation, growing with prices,
	grows with inflation, increasing with inflation, increased with inflation, increased by inflation, increased for inflation, increasing by inflation, increased annually for inflation, increased each year for inflation,
	adjusted annually for inflation, adjusted yearly for inflation, adjusted each year for inflation, adjusted every year for inflation, adjusted for inflation each year, adjusted for inflation every year,
	adjusted for inflation annually, adjusted for inflation yearly, adjusted for prices, adjusting for inflation, then adjusted for inflation, and adjusted for inflation, corrected for inflation,
	indexed to inflation, indexed for inflation, indexed with inflation, inflation indexed, inflation linked, linked to inflation, index linked, indexed to prices, indexed, plus inflation, with inflation adjustment, with inflation adjustments,
	with a cola, with cola, cola adjusted, cost of living adjusted, cpi adjusted, adjusted for cpi, keeping up with inflation, keeping pace with inflation, keeping up with prices, up with inflation`)

var staysNominal = spellings(`nominal, in nominal terms, in nominal dollars, not adjusted for inflation, not inflation adjusted, non inflation adjusted, without inflation adjustment, without inflation adjustments, without adjusting for inflation,
	without adjustment for inflation, no inflation adjustment, with no inflation adjustment, unadjusted, unadjusted for inflation, not indexed, not rising with inflation, not increased with inflation, not indexed to inflation, never adjusted for inflation, no cola`)

// spellings splits a list of phrases into their words.
func spellings(list string) (all [][]string) {
	for text := range strings.SplitSeq(list, ",") {
		var words []string
		for _, t := range tokenize(text) {
			if t.kind == word {
				words = append(words, t.lower)
			}
		}
		all = append(all, words)
	}
	return all
}

// realness reads whether an amount rises with prices.
func (p *parser) realness(at int) (any, int) {
	end, real := 0, false
	for _, words := range risesWith {
		if e, ok := p.spelt(at, words); ok && e > end {
			end, real = e, true
		}
	}
	for _, words := range staysNominal {
		if e, ok := p.spelt(at, words); ok && e > end {
			end, real = e, false
		}
	}
	if p.at(at).is("real") && end == at+1 && (p.at(end).is("return") || p.at(end).is("rate") || p.at(end).is("estate") || p.at(end).is("returns")) {
		return nil, 0
	}
	if end == 0 {
		return nil, 0
	}
	return real, end
}

// column reads a column of a series from outside: CPI.ALL.
func (p *parser) column(at int) (any, int) {
	if p.at(at).kind != word {
		return nil, 0
	}
	text, name, end := "", "", 0
	for i := at; i == at || p.at(i).glued; i++ {
		t := p.at(i)
		if t.kind != word && t.kind != number && !t.is(".") && !t.is("-") && !t.is("_") {
			break
		}
		text += t.text
		if _, _, ok := series.Reference(text); ok && t.kind != mark { // a point at the end belongs to the sentence
			name, end = text, i+1
		}
	}
	if end == 0 {
		return nil, 0
	}
	return name, end
}

// stock are the words for what a percentage can be of.
var stock = set("portfolio balance value assets savings money nest account capital fund pot")

// baseAt reads what a withdrawn percentage is of: the portfolio as it is, or the
// starting value.
func (p *parser) baseAt(at int) (any, int) {
	if !p.at(at).is("of") {
		return nil, 0
	}
	at++
	for p.at(at).is("the") || p.at(at).is("my") || p.at(at).is("our") || p.at(at).is("its") {
		at++
	}
	first := false
	switch p.at(at).lower {
	case "initial", "starting", "start", "original", "beginning", "opening":
		first = true
		at++
	case "current", "remaining", "actual", "then", "present":
		at++
	case "what":
		if p.at(at+1).is("is") && (p.at(at+2).is("left") || p.at(at+2).is("there")) {
			return portfolioBase, at + 3
		}
		return nil, 0
	}
	begin := at
	for p.at(at).kind == word && (stock[p.at(at).lower] || p.at(at).is("egg")) {
		at++
	}
	if at == begin || p.at(at).is("in") || p.at(at).is("of") && !p.at(at+1).is("which") {
		if at == begin {
			return nil, 0
		}
	}
	if p.at(at).is("'s") && p.at(at+1).is("value") {
		at += 2
	}
	if first {
		return startBase, at
	}
	return portfolioBase, at
}

// base is what a withdrawn percentage is of.
type base int

const (
	unsaidBase base = iota
	startBase
	portfolioBase
)

// ratioSlot reads 60/40.
func (p *parser) ratioSlot(at int) (any, int) {
	values, end := p.ratioAt(at)
	if end == 0 || len(values) != 2 || values[1] < 0 {
		return nil, 0
	}
	return values, end
}
