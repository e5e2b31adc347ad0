package metrics

// Turnover is half the notional traded per year, a fraction of equity. traded is
// Σ|target − before| of each session as a fraction of equity, without the establishing
// trade. The result is NaN if traded is nil or years is not positive.
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
