package grammar

import (
	"fmt"
	"strings"
)

// riskPhrases specify how much is invested, and over what period risk is measured.
var riskPhrases = []phrase{
	{
		forms: []string{
			"(target|targets|targeting|targeted|aim for|aiming for|aim at|aiming at) [annual|annualized|annualised|yearly|portfolio|constant] <vol> [of|at|=|:|is|for] {pct} [a year|per year|annually|per annum|p.a.] [target]",
			"(target|targets|targeting|targeted|aim for|aiming for|aim at|aiming at) [of|at|=|:|is|for] {pct} [annual|annualized|annualised|yearly|portfolio|constant] <vol> [a year|per year|annually|per annum|p.a.] [target]",
			"[annual|annualized|annualised|portfolio|constant] <vol> (target|targeted|targeting|targets|scaled|held|kept) [of|at|to|=|:|is] {pct} [annual|annualized|annualised] [a year|per year]",
			"[with] {pct} [annual|annualized|annualised|portfolio|constant] <vol> [target|targeting|targeted]", "(scale|scaled|scales|scaling) {only=member} (to|for) [constant|annual|annualized|annualised|target] [<vol> of] {pct} [annual|annualized|annualised] [<vol>] [a year|per year]", "(scale|scaled|scales|scaling|lever|levered|leverage|leveraged|leveraging|sized) [it|everything|exposure|weights|positions|holdings] (to|for) [constant|annual|annualized|annualised|target] [<vol> of] {pct} [annual|annualized|annualised] [<vol>] [a year|per year]",
			"[with|at] {pct} target <vol>", "to (hit|reach|target|achieve|keep|get) {pct} [annual|annualized|annualised|portfolio] [target] <vol>",
			"(volatility|vol) (controlled|managed|control|targeted|targeting|target) [at|to|of] {pct}", "(keep|keeping|hold) [annual|annualized|annualised|portfolio] <vol> [at|around|near] {pct}",
		},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "pct")
			if r := get[reading](m.captures, "only"); r.key != "" { // scale SPY to 10% volatility
				p.addMember(m.from+1, r)
			}
			if p.bounded(m, v, 0.005, 1, "a volatility target", "0.5 % and 100 % a year") {
				once(p, &p.draft.target, v, m, "a volatility target")
				if t := p.at(m.from); strings.HasPrefix(t.lower, "lever") {
					once(p, &p.draft.borrows, true, m, "borrowing")
				}
			}
		},
	},
	{
		forms: []string{
			"[with|using] [a] <at most> [leverage|gross exposure|exposure|gross leverage] [of|at|to|is|:] {factor=times} [leverage|leveraged|gross|exposure|gross exposure|invested]",
			"[with|using] [a] <at most> (leverage|gross exposure|exposure|gross leverage) [of|at|to|is|:] {factor}", "[with|using] [a] <at most> {factor} (leverage|leveraged|gross|exposure|gross exposure|invested)",
			"[with] (leverage|exposure|gross exposure) (of at most|of up to|up to|capped at|limited to|at most|no more than|not above|not more than) {factor}", "(lever|levered|leverage|leveraged|levering) up to {factor}", "(cap|limit|capping|limiting) [leverage|exposure] (at|to|of) {factor=times}", "(cap|limit|capping|limiting) (leverage|exposure) (at|to|of) {factor}", "{factor} (max|maximum) [leverage|exposure|gross exposure]", "[with|using] [a] (max|maximum) (leverage|exposure|gross exposure) [of|is|:|=] {n=num}",
		},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "factor") + get[float64](m.captures, "n")
			if p.bounded(m, v, 0.1, mostWeight, "a limit of exposure", "10 % and 1,000 %") {
				once(p, &p.draft.gross, v, m, "a limit of exposure")
			}
		},
	},
	{
		forms: []string{
			"[with] (without|no|zero|unlevered|never any|not using) (leverage|borrowing|margin)", "(unlevered|unleveraged)",
		},
		says: func(p *parser, m match) {
			once(p, &p.draft.gross, 1, m, "a limit of exposure")
		},
	},
	{
		forms: []string{
			"{factor=times} [long]", "{factor} (leveraged|levered|geared) version of", "{factor} (leverage|leveraged|levered|geared|gearing|exposure|invested|gross exposure|net exposure)", "[with|at|using] {factor} (leverage|gearing|exposure) [overall|in total|in all|on everything|on (whole|entire|total) portfolio|on all of it|of (whole|entire) portfolio]",
			"(leverage|leveraged|lever|levered|leveraging|gearing|geared) [it|this|everything|portfolio|up] [of|by|to|at|:|is|=] {factor}", "(exposure|invested) [of|at|to|:] {factor}",
			"(leverage|leveraged|levered) {n=num} to (1|one)", "[with] (leverage|gearing) [of|:|=] {n=num}",
		},
		says: func(p *parser, m match) {
			v := get[float64](m.captures, "factor") + get[float64](m.captures, "n")
			if p.unclearLeverage(m, v) {
				p.refuse(m.from, m.to, "", fmt.Sprintf("invested %s in all, or %s on top of all? Say %sx leverage", percent(v), percent(v), plainNumber(1+v)))
				return
			}
			if p.bounded(m, v, 0.1, mostWeight, "leverage", "0.1 and 10 times") {
				p.lever(m, v)
			}
		},
	},
	{
		forms: []string{"(double|doubled) [leverage|exposure|leveraged]"},
		says:  func(p *parser, m match) { p.lever(m, 2) },
	},
	{
		forms: []string{"[with|using|on] (leverage|leveraged|levered|margin|borrowed money|borrowing)", "(borrow|borrowing|borrows) [{factor}]"},
		says:  func(p *parser, m match) { once(p, &p.draft.borrows, true, m, "borrowing") },
	},
	{
		forms: []string{
			"[estimated|measured|calculated|computed|based on|using|with|over|from] [over|on|from|with] [last|past|trailing|previous|rolling] {span} [of] [daily|rolling|realized|realised|historical|trailing] (volatility|vol|volatilities|covariance|covariances|covariance matrix|variance|returns for risk|standard deviation|risk)",
			"(volatility|vol|covariance|covariances|risk|variance|risks|volatilities|covariance matrix) (estimated|measured|calculated|computed|lookback|window|look back|estimation window|over|of|from) [over|of|from|on|with|is|:] [last|past|trailing|previous|rolling] {span} [lookback|window|of (returns|data|history)]",
			"(volatility|vol|risk|covariance) (lookback|window|look back) [of|is|:|=] {span}",
		},
		says: func(p *parser, m match) { p.riskSpan(m) },
	},
	{
		forms: []string{
			"(using|over|on|from|based on|estimated over|measured over|calculated over|computed over|in|during) [last|past|trailing|previous|rolling|most recent] {span} [lookback|window|look back|lookback period|lookback window|period|lookbacks] [of (returns|daily returns|history|data|prices)]",
			"[with|using|over] [a] [rolling|trailing] {span} (lookback|window|look back|lookback period|lookback window|period|lookbacks) [of (returns|daily returns|history|data|prices)]",
			"(over|in|during) [last|past|trailing|previous|preceding] {span}", "(lookback|look back|lookback period|window) [period|window] [of|is|:|=] {span}", "{span} of (returns|daily returns|history|data)", "{span} daily returns", "\\( {span} [lookback|window] \\)",
		},
		says: func(p *parser, m match) {
			s := get[span](m.captures, "span")
			if p.bounded(m, float64(s.sessions), 2, longestLookback, "a lookback", "2 sessions and 10 years") {
				once(p, &p.draft.anyLookback, s, m, "a lookback")
			}
		},
	},
}

// loneLength reads a length after members that are weighed by risk: inverse volatility of
// QQQ and TLT, 20 days. It returns the token after it, or 0.
func (p *parser) loneLength(at int) int {
	v, end := p.span(at)
	d := &p.draft
	if end == 0 || p.asked != nil || p.future != nil || p.best != nil || !d.weighting.there || d.weighting.value == Equal || d.weighting.value == Fixed || d.weighting.value == ByOptimizer || d.riskLookback.there || d.anyLookback.there {
		return 0
	}
	m := match{from: at, to: end}
	if s := v.(span); p.bounded(m, float64(s.sessions), 2, longestLookback, "a lookback", "2 sessions and 10 years") {
		once(p, &d.anyLookback, s, m, "a lookback")
	}
	return end
}

const longestLookback = 2520

func (p *parser) riskSpan(m match) {
	s := get[span](m.captures, "span")
	if p.bounded(m, float64(s.sessions), 5, longestLookback, "a lookback of risk", "5 sessions and 10 years") {
		once(p, &p.draft.riskLookback, s, m, "a lookback of risk")
	}
}
