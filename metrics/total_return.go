package metrics

// TotalReturn is the compounded return ∏(1+r) − 1, a fraction. It is NaN without
// returns.
func TotalReturn(returns []float64) float64 {
	if len(returns) == 0 {
		return nan
	}
	return Growth(returns) - 1
}

// Growth returns what 1 grows to, ∏(1+r). It is 1 without returns.
func Growth(returns []float64) float64 {
	growth := 1.0
	for _, r := range returns {
		growth *= 1 + r
	}
	return growth
}

// Equity returns the growth of 1 since the base, starting with the base itself: one more
// value than returns. It uses the memory of dst if its capacity suffices.
func Equity(dst, returns []float64) []float64 {
	if cap(dst) < len(returns)+1 {
		dst = make([]float64, len(returns)+1)
	}
	dst = dst[:len(returns)+1]
	value := 1.0
	dst[0] = value
	for i, r := range returns {
		value *= 1 + r
		dst[i+1] = value
	}
	return dst
}
