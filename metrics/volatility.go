package metrics

import "math"

// Volatility is the annualised sample standard deviation (n − 1) of returns, an annual
// fraction. It is NaN for fewer than two returns.
func Volatility(m Moments, barsPerYear int) float64 {
	return m.Deviation * math.Sqrt(float64(barsPerYear))
}
