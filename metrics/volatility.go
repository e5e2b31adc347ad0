package metrics

import "math"

// Volatility is the annual standard deviation (n − 1) of returns, a fraction;
// NaN under two returns.
func Volatility(m Moments, barsPerYear int) float64 {
	return m.Deviation * math.Sqrt(float64(barsPerYear))
}
