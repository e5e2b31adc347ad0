package drift

import "math"

// closeQuick is Close for the sessions before position to.
func closeQuick(returns, equity, gross []float64, cash, previous, highest float64) (to int, top float64) {
	quads := (len(equity) - 1) / 4 // the last session does not count for the highest exposure
	if quads <= 0 || !hasKernel {
		return 0, highest
	}
	return closeQuads(&returns[0], &equity[0], &gross[0], quads, cash, previous, highest, LeastEquity, MostExposure, math.MaxFloat64)
}

//go:noescape
func closeQuads(returns, equity, gross *float64, quads int, cash, previous, highest, least, most, largest float64) (closed int, top float64)
