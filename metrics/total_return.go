package metrics

// TotalReturn is the compounded return ∏(1+r) − 1, a fraction; NaN without returns.
func TotalReturn(returns []float64) float64 {
	if len(returns) == 0 {
		return nan
	}
	return Growth(returns) - 1
}

// Growth is what 1 grows to, ∏(1+r); 1 without returns.
func Growth(returns []float64) float64 {
	growth := 1.0
	for _, r := range returns {
		growth *= 1 + r
	}
	return growth
}

// Equity writes into dst what 1 on the base grows to, base included, and returns
// it: one more value than returns. A dst without room for them is replaced.
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
