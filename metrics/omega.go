package metrics

// Omega is the sum of gains divided by the sum of losses, with a threshold of 0 (Keating
// and Shadwick 2002). It is NaN for fewer than two returns and without a loss.
func Omega(returns []float64) float64 {
	if len(returns) < 2 {
		return nan
	}
	var gains, losses float64
	for _, r := range returns {
		if r > 0 {
			gains += r
		} else {
			losses -= r
		}
	}
	return ratio(gains, losses)
}
