package metrics

// Turnover is half the notional traded a year, a fraction of equity: traded
// holds Σ|target − before| of each session as a fraction of equity, without the
// establishing trade. NaN where traded is nil or years is not positive.
func Turnover(traded []float64, years float64) float64 {
	if traded == nil || !(years > 0) {
		return nan
	}
	sum := 0.0
	for _, t := range traded {
		sum += t
	}
	return sum / 2 / years
}
