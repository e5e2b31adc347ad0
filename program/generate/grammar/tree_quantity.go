package grammar

import (
	"fmt"
	"strings"
)

// measures are the words for what is measured. Of two that begin alike the longer one
// stands first.
var measures = phrasesOf(map[QuantityKind]string{
	SimpleMean:      "simple moving average|moving average|rolling average|sma|dma|ma|average price|moving averages|averages|average|mean|smas|dmas|mas",
	ExponentialMean: "exponential moving average|exponential average|exponential moving averages|exponential averages|emas|ema",
	RSI:             "relative strength index|rsi",
	Return:          "cumulative return|total return|rate of change|return|returns|momentum|performance|gain|roc",
	MeanReturn:      "moving average return|moving average of returns|moving average of return|average daily return|mean daily return|average return|mean return|mean of returns",
	Deviation:       "standard deviation of returns|standard deviation of return|standard deviation of daily returns|stdev of returns|stdev of return|stdev return|standard deviation|stdev",
	Volatility:      "annualized volatility|annualised volatility|realized vol|realised vol|historical vol|implied realized volatility|realized volatility|realised volatility|historical volatility|volatility|vol",
	Decline:         "current drawdown|drawdown|decline",
	MaxDecline:      "maximum drawdown|max drawdown|worst drawdown|largest drawdown",
	High:            "highest high|highest price|highest close|high|peak",
	Low:             "lowest low|lowest price|lowest close|low|trough",
})

type wording[T any] struct {
	words []string
	value T
}

// phrasesOf returns wordings by their first word, the longest first.
func phrasesOf[T comparable](table map[T]string) map[string][]wording[T] {
	first := map[string][]wording[T]{}
	for value, all := range table {
		for text := range strings.SplitSeq(all, "|") {
			words := strings.Fields(text)
			list := first[words[0]]
			at := 0
			for at < len(list) && len(list[at].words) >= len(words) {
				at++
			}
			first[words[0]] = append(list[:at:at], append([]wording[T]{{words, value}}, list[at:]...)...)
		}
	}
	return first
}

// wordingAt finds the longest wording at a token, and the token after it.
func wordingAt[T any](r *treeReader, table map[string][]wording[T], at int) (value T, end int) {
	for _, w := range table[r.word(at)] {
		if r.says(at, w.words) {
			return w.value, at + len(w.words)
		}
	}
	return value, 0
}

// says reports whether words stand at a token.
func (r *treeReader) says(at int, words []string) bool {
	for i, w := range words {
		if r.word(at+i) != w {
			return false
		}
	}
	return true
}

// measured is a quantity as it was said: parts of it may come from the other side.
type measured struct {
	Quantity
	from, end int
	unknown   bool // no quantity is here
	bare      bool // only a member was named
	percent   bool // a number with a percent sign
}

// articles may stand before a quantity.
var articles = set("the a an its their new old previous prior current latest today's last own trailing rolling past price closing")

// quantity reads one side of a comparison. A side without a member has none yet.
func (r *treeReader) quantity(at int) measured {
	m := measured{Quantity: Quantity{Factor: 1}, from: at}
	if r.is(at, "it") || r.is(at, "it's") || r.is(at, "they") {
		m.Kind, m.bare, m.end = Price, true, at+1
		return m
	}
	for r.word(at) != "" && articles[r.word(at)] && r.in(at+1) {
		if kind, end := wordingAt(r, measures, at); end > 0 && kind != Price {
			break
		}
		at++
	}
	if r.is(at, "price") || r.is(at, "close") {
		at++
	}
	if r.is(at, "of") && at > m.from {
		at++
	}
	if r.is(at, "price") || r.is(at, "close") || r.is(at-1, "price") && !r.isMemberAt(at) && !r.is(at-1, "of") && at > m.from && r.is(at-2, "its") {
		m.Kind, m.end = Price, at
		return m
	}
	if r.subject != "" && r.is(at-1, "price") && !r.isMemberAt(at) && !r.is(at-1, "of") && at > m.from {
		m.Kind, m.Member, m.end = Price, r.subject, at // and price is below
		return m
	}
	minus := r.is(at, "-") && r.in(at+1) && r.p.tokens[at+1].glued || r.is(at, "minus") || r.is(at, "negative")
	if n, after := r.number(at + 1); minus && after > 0 {
		m.Kind, m.Value, m.end = Level, -n, after
		if sign := r.p.percentSign(after); sign > 0 && sign <= r.limit {
			m.percent, m.end, m.Value = true, sign, -n/100
		}
		return m
	}
	if n, after := r.number(at); after > 0 {
		if m.Sessions = r.spanAt(at, &after); m.Sessions == 0 {
			m.Kind, m.Value, m.end = Level, n, after
			if sign := r.p.percentSign(after); sign > 0 && sign <= r.limit {
				m.percent, m.end, m.Value = true, sign, n/100
			}
			if kind, end := wordingAt(r, measures, m.end); end > 0 && !m.percent && (kind == SimpleMean || kind == ExponentialMean || kind == RSI) {
				m.Sessions, m.Value = int(n), 0 // 200 SMA, 14 RSI: the number is a length in sessions
				return r.measureAt(m, m.end)
			}
			return m
		}
		return r.measureAt(m, after)
	}
	if end := r.article(at); end > 0 {
		if m.Sessions = r.spanAt(at, &end); m.Sessions > 0 {
			return r.measureAt(m, end)
		}
	}
	if r.is(at, "all") && (r.is(at+1, "time") || r.is(at+1, "-") && r.is(at+2, "time")) {
		for !r.is(at, "time") {
			at++
		}
		return r.measureAt(m, at+1)
	}
	if _, end := wordingAt(r, measures, at); end > 0 {
		return r.measureAt(m, at)
	}
	end := r.member(at, &m.Member)
	if end == 0 {
		m.unknown = true
		return m
	}
	for r.is(end, "'s") || r.is(end, "'") {
		end++
	}
	next := end
	for r.is(next, "trailing") || r.is(next, "rolling") {
		next++
	}
	if r.is(next, "price") || r.is(next, "close") || r.is(next, "closing") {
		for r.is(next, "closing") || r.is(next, "price") || r.is(next, "close") {
			next++
		}
		m.Kind, m.end = Price, next
		return m
	}
	length := next
	n, after := r.number(next)
	if after > 0 {
		if m.Sessions = r.spanAt(next, &after); m.Sessions == 0 {
			m.Sessions = int(n)
		}
		length = after
	}
	if r.is(length, "all") && r.is(length+1, "time") {
		length += 2
	} else if r.is(length, "all") && r.is(length+1, "-") && r.is(length+2, "time") {
		length += 3
	}
	if _, found := wordingAt(r, measures, length); found > 0 || m.Sessions > 1 && r.signed(length) && length > next {
		return r.measureAt(m, length)
	}
	m.Kind, m.Sessions, m.bare, m.end = Price, 0, true, end
	return m
}

// article returns the token after an article that counts one: a year.
func (r *treeReader) article(at int) int {
	if r.is(at, "a") || r.is(at, "one") {
		return at + 1
	}
	return 0
}

// measureAt reads what is measured, and the length and the member that follow it.
func (r *treeReader) measureAt(m measured, at int) measured {
	for r.is(at, "-") || r.is(at, "trailing") || r.is(at, "daily") || r.is(at, "rolling") {
		at++
	}
	kind, end := wordingAt(r, measures, at)
	if end == 0 && m.Sessions > 1 && besides[r.word(m.from-1)] && (r.closes(at) || r.is(at, "and") || r.is(at, "or")) {
		m.Kind, m.end = SimpleMean, at
		r.note(fmt.Sprintf("A length alone, such as %q, means the moving average over it.", strings.TrimRight(r.p.text(m.from, at), " ,")))
		return r.lengthened(m)
	}
	if end == 0 && m.Sessions > 1 && m.Member != "" && r.signed(at) {
		m.Kind, m.end = Return, at
		r.note(fmt.Sprintf("A length alone, such as %q, means the return over it.", strings.TrimRight(r.p.text(m.from, at), " ,")))
		return m
	}
	if end == 0 {
		m.unknown = true
		r.fail(m.from, max(at+1, m.from+1), "a length of what? Say a 200 day moving average, a 12 month return or a 14 day RSI")
		return m
	}
	m.Kind = kind
	if _, _, nested := r.opens(end + 1); r.is(end, "(") && !nested {
		inside := end + 1
		for r.in(inside) && !r.is(inside, ")") {
			if r.is(inside, ",") && inside > end+1 && !r.is(inside+1, ")") {
				inside++
				continue
			}
			n, after := r.number(inside)
			if after > 0 {
				sessions := r.spanAt(inside, &after)
				if sessions == 0 {
					sessions = int(n)
				}
				if m.Sessions > 0 && m.Sessions != sessions {
					r.fail(inside, after, "the length was given before with another value")
					m.unknown = true
					return m
				}
				m.Sessions, inside = sessions, after
				continue
			}
			if after = r.member(inside, &m.Member); after == 0 {
				r.fail(inside, inside+1, "name a member and a length here, such as SMA(SPY, 200)")
				m.unknown = true
				return m
			}
			inside = after
		}
		end = inside + 1
	} else if n, after := r.number(end); after > 0 && m.Sessions == 0 && r.p.percentSign(after) == 0 && (kind == SimpleMean || kind == ExponentialMean || kind == RSI) {
		if m.Sessions = r.spanAt(end, &after); m.Sessions == 0 {
			m.Sessions = int(n) // RSI 14
		}
		end = after
	}
	if kind == RSI && m.Member == "" && r.isMemberAt(end) { // RSI(14) SPY
		end = r.member(end, &m.Member)
	}
	m.end = end
	for {
		n, after := r.number(end)
		switch {
		case after > 0 && kind == RSI && m.Sessions == 0 && m.Member != "" && r.p.percentSign(after) == 0: // RSI QQQ 10
			if m.Sessions = r.spanAt(end, &after); m.Sessions == 0 {
				m.Sessions = int(n)
			}
			end = after
		case r.is(end, "(") && m.Sessions == 0 && m.Member != "" && r.spanIn(end) > 0: // RSI of SPY (14 days)
			after := 0
			m.Sessions, end = r.spanAt(end+1, &after), r.spanIn(end)
		case (r.is(end, "of") || r.is(end, "for") || r.is(end, "in")) && m.Member == "" && r.isMemberAt(end+1):
			end = r.member(end+1, &m.Member)
			for r.is(end, "'s") {
				end++
			}
			if r.is(end, "price") {
				end++
			}
		case (r.is(end, "over") || r.is(end, "of") || r.is(end, "in") || r.is(end, "for") || r.is(end, "from")) && m.Sessions == 0:
			start := end + 1
			for r.is(start, "the") || r.is(start, "last") || r.is(start, "past") || r.is(start, "previous") || r.is(start, "trailing") {
				start++
			}
			after := start
			n := r.spanAt(start, &after)
			if n == 0 {
				m.end = end
				return r.lengthened(m)
			}
			m.Sessions, end = n, after
		case r.is(end, "from") && kind == Decline && (r.is(end+1, "its") || r.is(end+1, "the") || r.is(end+1, "peak") || r.is(end+1, "high")):
			end++
			for r.is(end, "its") || r.is(end, "the") || r.is(end, "all") || r.is(end, "-") || r.is(end, "time") {
				end++
			}
			after := end
			if n := r.spanAt(end, &after); n > 0 {
				m.Sessions, end = n, after
			}
			if !r.is(end, "high") && !r.is(end, "peak") && !r.is(end, "highs") {
				m.end = end
				return r.lengthened(m)
			}
			end++
		default:
			m.end = end
			return r.lengthened(m)
		}
	}
}

// besides are words after which a length alone means an average: above the 200 day.
var besides = set("above below over under")

// lengthened checks the length of a measure, and sets the usual one of an RSI.
func (r *treeReader) lengthened(m measured) measured {
	least := map[QuantityKind]int{SimpleMean: 2, ExponentialMean: 2, RSI: 2, Return: 1, MeanReturn: 1, Deviation: 2, Volatility: 5}[m.Kind]
	switch {
	case m.Sessions == 0 && m.Kind == RSI && r.last.Kind == RSI && (m.Member == "" || m.Member == r.last.Member):
		m.Sessions = r.last.Sessions // the one that was spoken of before
	case m.Sessions == 0 && m.Kind == RSI:
		m.Sessions = 14
		r.note(rsiOverFourteen)
	case m.Sessions == 0 && m.Kind == Volatility:
		m.Sessions = 60
		r.note(volatilityOverSixty)
	case m.Sessions < least || m.Sessions > 1260:
		r.fail(m.from, m.end, fmt.Sprintf("over how long? Say over 2 to 1260 sessions, such as the 200 day moving average or the 12 month return, here from %d sessions", max(least, 2)))
		m.unknown = true
	}
	return m
}

// number reads a number, in digits or words.
func (r *treeReader) number(at int) (float64, int) {
	if !r.in(at) {
		return 0, 0
	}
	if t := r.p.tokens[at]; t.kind == number {
		return t.value, at + 1
	}
	if r.is(at, "zero") {
		return 0, at + 1
	}
	if v, ok := numberWords[r.word(at)]; ok {
		return v, at + 1
	}
	return 0, 0
}

// spanAt reads a span of time, in sessions, and moves end behind it; 0 if there is
// none.
func (r *treeReader) spanAt(at int, end *int) int {
	v, after := r.p.span(at)
	if after == 0 || after > r.limit {
		return 0
	}
	*end = after
	return v.(span).sessions
}

// signed reports a comparison with nothing, or with a percentage: > 0, is above 5%.
func (r *treeReader) signed(at int) bool {
	_, end := wordingAt(r, comparing, r.linked(at))
	n, after := r.number(end)
	return end > 0 && after > 0 && (n == 0 || r.p.percentSign(after) > 0)
}

// spanIn returns the token after parentheses around a span of time; 0 if there are none.
func (r *treeReader) spanIn(at int) int {
	after := 0
	if r.spanAt(at+1, &after) == 0 || !r.is(after, ")") {
		return 0
	}
	return after + 1
}

// isMemberAt reports whether a member stands at a token.
func (r *treeReader) isMemberAt(at int) bool {
	var key string
	return r.member(at, &key) > 0
}

// member reads a member, and returns the token after it; 0 if there is none. Unknown
// symbols are refused.
func (r *treeReader) member(at int, key *string) int {
	if !r.in(at) || r.is(at, "(") {
		return 0
	}
	if reserved[r.word(at)] && r.p.tokens[at].text != strings.ToUpper(r.p.tokens[at].text) {
		return 0
	}
	for _, expected := range []bool{false, true} {
		m, ok := r.p.memberAt(at, expected)
		if !ok || m.end > r.limit || m.cash {
			continue
		}
		if m.unknown {
			if t := r.p.tokens[at]; expected && (t.kind == quoted || t.text == strings.ToUpper(t.text) && !connecting[t.lower]) {
				r.failMember(at, m)
			}
			continue
		}
		r.everyday(m)
		*key = m.key
		return m.end
	}
	return 0
}

// reserved are words of conditions, which name no member in lower case.
var reserved = set("if when while unless else otherwise and or not is are was above below over under than more less least most between the a an its it return drawdown average high low hold then by of in on for")
