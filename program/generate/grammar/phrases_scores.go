package grammar

import "fmt"

// scorePhrases choose members by something else than the highest return: the lowest
// return, or an index, a volatility, a drawdown or a Sharpe ratio.
var scorePhrases = []phrase{
	{
		forms: []string{
			"(bottom|worst|weakest|lowest) {n} [<things>] [<things>] [<of members>]", "{n} (worst|weakest|lowest|bottom) [<things>] [<things>] [<of members>]", "{n} (losers|laggards) [<of members>]",
			"(pick|choose|select|hold|buy|own|take) {n} (worst|weakest|lowest|bottom) [<things>] [<things>] [<of members>]", "(pick|choose|select|hold|buy|own|take) {n} (losers|laggards) [<of members>]", "bottom {n} [by]",
			"(worst|weakest) (performing|performer|one) [<things>] (of|over|in|during|from) [last|past|previous|trailing|prior] ({spans}|{unit=unit}) [<of members>]",
			"(worst|weakest) (performing|performer|performers|one|of) [<things>] [<of members>]", "(loser|laggard) [<of members>]",
		},
		says: func(p *parser, m match) {
			n := max(1, get[int](m.captures, "n"))
			p.expected = true
			p.draft.lowest = said[bool]{true, m.from, m.to, true}
			if p.bounded(m, float64(n), 1, 500, "how many are held", "1 and 500") {
				once(p, &p.draft.count, n, m, "how many are held")
				p.byMomentum(m)
				p.spansSaid(m)
			}
		},
	},
	{
		forms: []string{
			"[ranked|rank|ranking|sorted|sort|selected|chosen|picked|filtered|filter] (by|on|using|based on|according to) [their|its] [{span}] [trailing|realized|realised|historical|current] <score> [over|of|in|for|during] [last|past|trailing|previous] [{span}]",
			"[ranked|rank|ranking|sorted|sort|selected|chosen|picked|filtered|filter] (by|on|using|based on|according to) [their|its] [{bare=n} -] <score> [\\( {bare=n} \\)|{bare=n}]",
			"[ranked|rank|ranking|sorted|sort|selected|chosen|picked|filtered|filter] [by|on|using|based on|with|that have|having|which have|whichever has|which has|has|have] {best} [{span}] [trailing|realized|realised|historical|current] <score> [over|of|in|for|during] [last|past|trailing|previous] [{span}]",
			"[ranked|sorted] [by|with|that have|having|has|have] {best} <score> [\\( {bare=n} \\)|{bare=n}]",
			"[pick|choose|select|hold|buy|own|take] {n} [<things>] (with|that have|having|which have) {best} [{span}] <score> [over|of|in|for|during] [last|past|trailing|previous] [{span}|{unit=unit}] [<of members>]",
			"<one thing> (with|that has|having|which has) {best} [{span}] <score> [over|of|in|for|during] [last|past|trailing|previous] [{span}] [<of members>]", "whichever [<things>] (with|has) {best} [{span}] <score> [over|of|in|for|during] [last|past|trailing|previous] [{span}]",
		},
		says: func(p *parser, m match) { p.scoresBy(m) },
	},
}

const scoreMacro = `(rsi|relative strength index|volatility|vol|standard deviation [of] [daily] [return|returns]|maximum drawdown|max drawdown|worst drawdown|drawdown|sharpe [ratio]|risk adjusted (return|returns|momentum))`

// scoreWords are the words that say what members are chosen by.
var scoreWords = map[string]Score{
	"rsi": ByRSI, "index": ByRSI, "volatility": ByVolatility, "vol": ByVolatility, "deviation": ByVolatility, "drawdown": ByDrawdown, "sharpe": BySharpe, "adjusted": BySharpe,
}

// directions are the words for the highest and the lowest; the value is whether it is the
// lowest.
var directions = map[string]bool{
	"best": false, "highest": false, "strongest": false, "greatest": false, "largest": false, "most": false, "higher": false, "better": false,
	"lowest": true, "least": true, "smallest": true, "worst": true, "weakest": true, "lower": true,
}

// direction reads the highest or the lowest.
func (p *parser) direction(at int) (any, int) {
	if lowest, ok := directions[p.at(at).lower]; ok && p.at(at).kind == word {
		return lowest, at + 1
	}
	return nil, 0
}

// scoresBy records what members are chosen by.
func (p *parser) scoresBy(m match) {
	p.expected = true
	d := &p.draft
	var by Score
	for i := m.from; i < m.to; i++ {
		if s, ok := scoreWords[p.tokens[i].lower]; ok {
			by = s
		}
	}
	unclear := by == ByVolatility || by == ByDrawdown
	switch said := p.directed(m); {
	case said == "best" || said == "worst" || said == "better" || said == "strongest" || said == "weakest":
		if unclear {
			p.refuse(m.from, m.to, "", "is the highest meant, or the lowest?")
			return
		}
		fallthrough
	case said != "":
		d.lowest = sayOf(directions[said], m)
	}
	once(p, &d.score, by, m, "what members are chosen by")
	d.scored = true
	s := get[span](m.captures, "span")
	if n := get[int](m.captures, "bare"); n > 0 {
		s = newSpan(float64(n), 1)
	}
	if u := get[int](m.captures, "unit"); u > 0 {
		s = newSpan(1, u)
	}
	if n := get[int](m.captures, "n"); n > 0 && p.bounded(m, float64(n), 1, 500, "how many are held", "1 and 500") {
		once(p, &d.count, n, m, "how many are held")
	}
	if s.sessions > 0 && p.bounded(m, float64(s.sessions), 2, 1260, "the length of a score", "2 sessions and 5 years") {
		d.scoreSpan = said[span]{s, m.from, m.to, true}
	}
	if !d.count.there && p.singled(m) {
		once(p, &d.count, 1, m, "how many are held")
	}
	d.momentum, d.scored = said[bool]{true, m.from, m.to, true}, true
}

// directed returns the word for the highest or the lowest in a match; "" if there is none.
func (p *parser) directed(m match) string {
	for i := m.from; i < m.to; i++ {
		if _, ok := directions[p.tokens[i].lower]; ok {
			return p.tokens[i].lower
		}
	}
	return ""
}

// singled reports a phrase that speaks of one member: the asset with the lowest RSI.
func (p *parser) singled(m match) bool {
	switch p.tokens[m.from].lower {
	case "asset", "etf", "fund", "one", "member", "model", "whichever":
		return true
	}
	return false
}

func sayOf(value bool, m match) said[bool] { return said[bool]{value, m.from, m.to, true} }

// calmest chooses by volatility: the 2 least volatile.
func (p *parser) calmest(m match) {
	lowest, n := false, get[int](m.captures, "n")
	for i := m.from; i < m.to; i++ {
		switch p.tokens[i].lower {
		case "lowest", "least", "smallest", "minimum", "min", "minimal", "calmest", "safest":
			lowest = true
		}
	}
	p.draft.lowest = sayOf(lowest, m)
	once(p, &p.draft.score, ByVolatility, m, "what members are chosen by")
	if p.bounded(m, float64(max(1, n)), 1, 500, "how many are held", "1 and 500") {
		once(p, &p.draft.count, max(1, n), m, "how many are held")
	}
	p.draft.momentum, p.draft.scored = said[bool]{true, m.from, m.to, true}, true
}

// scored sets a selection by a score other than the return.
func (p *parser) scoredBy(plan *Plan, x *Selection) bool {
	d := &p.draft
	x.By, x.Lowest = d.score.value, d.lowest.value
	if !d.score.there {
		return false
	}
	usual := map[Score]int{ByRSI: 14, ByVolatility: 60}[x.By]
	n := d.scoreSpan.value.sessions
	if n == 0 && d.anyLookback.there {
		n = d.anyLookback.value.sessions
	}
	if n == 0 && d.riskLookback.there && x.By != ByRSI {
		n, d.riskLookback = d.riskLookback.value.sessions, said[span]{}
	}
	if n == 0 && len(d.lookbacks.value) == 1 {
		n = d.lookbacks.value[0].sessions
	}
	switch {
	case (x.By == ByVolatility || x.By == ByDrawdown) && !d.lowest.there && !d.ranked:
		p.refuse(d.score.from, d.score.to, "", "is the highest meant, or the lowest? Say with the lowest volatility")
	case (x.By == ByVolatility || x.By == ByDrawdown) && !d.lowest.there:
		p.refuse(d.score.from, d.score.to, "", "is the best the highest, or the lowest? Say with the lowest volatility")
	case d.skip.there || d.positive.there || d.hurdle.there || d.dual.there || n > 0 && len(d.lookbacks.value) > 1:
		p.refuse(d.score.from, d.score.to, "", "members are chosen by "+scoreNames[x.By]+", which goes with neither returns nor a hurdle: use only one of them")
	case n == 0 && usual == 0:
		p.refuse(d.score.from, d.score.to, "", "over how long? Say over 6 months")
	case n == 0:
		n = usual
		plan.Notes = append(plan.Notes, fmt.Sprintf("No length was given, so the %s is measured over %d sessions.", scoreNames[x.By], n))
	}
	x.Lookbacks = []int{n}
	return true
}
