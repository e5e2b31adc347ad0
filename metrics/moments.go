package metrics

import "math"

// Moments are the moments of a sample. A moment for which the sample is too short is
// NaN.
type Moments struct {
	N              int
	Mean           float64 // needs one value
	Deviation      float64 // sample standard deviation (n − 1), needs two values; 0 if they differ only by rounding
	Skewness       float64 // corrected for bias, needs three values; NaN if they are constant
	ExcessKurtosis float64 // corrected for bias, needs four values; NaN if they are constant
}

// MomentsOf returns the moments of x, computed in two passes. Skewness and kurtosis are
// the estimators G1 and G2 of Joanes and Gill (1998), as in pandas.
func MomentsOf(x []float64) Moments {
	m := Moments{N: len(x), Mean: mean(x), Deviation: nan, Skewness: nan, ExcessKurtosis: nan}
	if len(x) < 2 {
		return m
	}
	var second, third, fourth float64
	for _, v := range x {
		d := v - m.Mean
		d2 := float64(d * d)
		second += d2
		third += float64(d2 * d)
		fourth += float64(d2 * d2)
	}
	n := float64(len(x))
	m.Deviation = unlessFlat(math.Sqrt(second/(n-1)), m.Mean)
	if m.Deviation == 0 {
		return m
	}
	variance := second / n
	if len(x) > 2 {
		m.Skewness = ratio(math.Sqrt(n*(n-1))/(n-2)*(third/n), variance*math.Sqrt(variance))
	}
	if len(x) > 3 {
		excess := ratio(fourth/n, variance*variance) - 3
		m.ExcessKurtosis = (n - 1) / ((n - 2) * (n - 3)) * (float64((n+1)*excess) + 6)
	}
	return m
}

func mean(x []float64) float64 {
	if len(x) == 0 {
		return nan
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
