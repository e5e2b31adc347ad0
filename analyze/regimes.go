package analyze

import (
	"math"
	"slices"

	"ballast/internal/moments"
)

// Rule sorts days into two regimes by a market's returns.
type Rule string

// The rules. The regime of a day follows from the returns before it, so what happens on
// the day does not choose its regime.
const (
	ByDrawdown   Rule = "drawdown"   // "drawdown": at least 10 % below the highest close; otherwise "normal"
	ByVolatility Rule = "volatility" // "high": the deviation of the last 63 returns is above the median of all those so far; otherwise "low"
	ByTrend      Rule = "trend"      // "up": the close is above the mean of the last 200; otherwise "down"
)

// Rules are all rules.
var Rules = []Rule{ByDrawdown, ByVolatility, ByTrend}

// Lengths and limits of the rules.
const (
	deepDrawdown    = 0.1
	volatilitySpan  = 63
	trendSpan       = 200
	minRegimeReturn = 2 // returns that a volatility needs
)

// Regimes returns the regime of each day of a market's returns, or "" for the first days,
// for which the rule has too few returns. It returns a *DataError for an unknown rule, or
// if a return is missing or is not finite: what comes before it could not be compared
// with what comes after it.
func Regimes(market Column, rule Rule) ([]string, error) {
	for row, v := range market.Values {
		if !finite(v) {
			return nil, failed(market.Name, "%s has no return in row %d, so the regimes after it cannot be told", market.Name, row)
		}
	}
	switch rule {
	case ByDrawdown:
		return byDrawdown(market.Values), nil
	case ByVolatility:
		return byVolatility(market.Values), nil
	case ByTrend:
		return byTrend(market.Values), nil
	}
	return nil, failed("", "the rule is %q; it must be drawdown, volatility or trend", string(rule))
}

func byDrawdown(returns []float64) []string {
	out := make([]string, len(returns))
	value, high := 1.0, 1.0
	for t, r := range returns {
		out[t] = "normal"
		if value <= high*(1-deepDrawdown) {
			out[t] = "drawdown"
		}
		value *= 1 + r
		high = max(high, value)
	}
	return out
}

func byVolatility(returns []float64) []string {
	out := make([]string, len(returns))
	var sorted []float64 // deviations so far
	for t := volatilitySpan; t < len(returns); t++ {
		deviation := moments.Deviation(returns[t-volatilitySpan : t])
		at, _ := slices.BinarySearch(sorted, deviation)
		sorted = slices.Insert(sorted, at, deviation)
		out[t] = "low"
		if deviation > percentile(sorted, 0.5) {
			out[t] = "high"
		}
	}
	return out
}

func byTrend(returns []float64) []string {
	out := make([]string, len(returns))
	closes := make([]float64, len(returns)+1) // closes[t] is the close before day t
	closes[0] = 1
	for t, r := range returns {
		closes[t+1] = closes[t] * (1 + r)
		if t+1 < trendSpan {
			continue
		}
		out[t] = "down"
		if closes[t] > moments.Mean(closes[t+1-trendSpan:t+1]) {
			out[t] = "up"
		}
	}
	return out
}

// InRegime is what a series did on the days of one regime.
type InRegime struct {
	Regime     string
	Days       int     // on which the series has a return
	Return     float64 // compound, a yearly fraction; NaN without days
	Volatility float64 // a yearly fraction; NaN for fewer than two days
}

// ByRegime returns what a series did in each regime, in the order of the regimes' names.
// Days without a regime or a return are left out.
func ByRegime(c Column, regimes []string, perYear float64) []InRegime {
	if len(c.Values) != len(regimes) {
		panic("analyze: returns and regimes differ in length")
	}
	days := map[string][]float64{}
	for t, name := range regimes {
		if v := c.Values[t]; name != "" {
			if days[name] == nil {
				days[name] = []float64{}
			}
			if !math.IsNaN(v) {
				days[name] = append(days[name], v)
			}
		}
	}
	var out []InRegime
	for name, returns := range days {
		r := InRegime{Regime: name, Days: len(returns), Return: missing, Volatility: missing}
		if len(returns) > 0 {
			growth := 1.0
			for _, v := range returns {
				growth *= 1 + v
			}
			r.Return = math.Pow(max(0, growth), perYear/float64(len(returns))) - 1
		}
		if len(returns) >= minRegimeReturn {
			r.Volatility = moments.Deviation(returns) * math.Sqrt(perYear)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b InRegime) int {
		if a.Regime < b.Regime {
			return -1
		}
		return 1
	})
	return out
}
