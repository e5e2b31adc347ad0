package drift

import "math"

// Equity that its number does not hold is none: below LeastEquity numbers lose
// their digits and reciprocals overflow, and beside holdings of more than
// MostExposure times as much it is lost in their rounding.
const (
	LeastEquity  = 0x1p-1022
	MostExposure = 1e12
)

// Close reckons the closes of a segment. gross holds what longs are worth and
// equity what shorts are; they become gross exposure and equity, and returns is
// set. previous is the equity before the segment, highest the highest exposure.
//
// It returns how many sessions it has closed, fewer than there are where a
// session has no equity or no number for what it has, and leaves that one and
// those after it as they were; and the highest exposure, that of the segment's
// last session left out, since trades may follow on it. It panics where returns
// or gross is shorter than equity.
func Close(returns, equity, gross []float64, cash, previous, highest float64) (closed int, top float64) {
	returns, gross = returns[:len(equity)], gross[:len(equity)]
	closed, top = closeQuick(returns, equity, gross, cash, previous, highest)
	if closed > 0 {
		previous = equity[closed-1]
	}
	return closePlain(returns, equity, gross, cash, previous, top, closed)
}

// closePlain is Close from a session on.
func closePlain(returns, equity, gross []float64, cash, previous, highest float64, from int) (closed int, top float64) {
	perPrevious := 1 / previous
	for k := from; k < len(equity); k++ {
		long, short := gross[k], equity[k]
		value := cash + long + short
		growth := float64(value * perPrevious)
		perPrevious = 1 / value
		exposure := (long - short) * perPrevious
		if !(value >= LeastEquity && exposure <= MostExposure && growth <= math.MaxFloat64) {
			return k, highest
		}
		returns[k], equity[k], gross[k] = growth-1, value, exposure
		if exposure > highest && k < len(equity)-1 {
			highest = exposure
		}
	}
	return len(equity), highest
}
