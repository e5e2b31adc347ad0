package drift

import "math"

// Equity below LeastEquity, the smallest normal float64, counts as zero: smaller
// numbers lose precision and their reciprocals overflow. So does equity that is less
// than the holdings divided by MostExposure, because it is lost in their rounding.
const (
	LeastEquity  = 0x1p-1022
	MostExposure = 1e12
)

// Close computes the daily closes of a segment. On entry gross holds the value of the
// longs and equity that of the shorts, in currency, one per session. On return they
// hold the gross exposure, as a fraction of equity, and the equity; returns holds the
// daily returns. previous is the equity before the segment, and highest the highest
// exposure so far.
//
// closed is the number of sessions computed. It is less than the length of the segment
// if a session has no valid equity or return; that session and those after it are left
// as they were. top is the highest exposure so far. It does not count the last session
// of the segment, since trades on it may change the exposure. Close panics if returns
// or gross is shorter than equity.
func Close(returns, equity, gross []float64, cash, previous, highest float64) (closed int, top float64) {
	returns, gross = returns[:len(equity)], gross[:len(equity)]
	closed, top = closeQuick(returns, equity, gross, cash, previous, highest)
	if closed > 0 {
		previous = equity[closed-1]
	}
	return closePlain(returns, equity, gross, cash, previous, top, closed)
}

// closePlain is Close, starting at a session.
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
