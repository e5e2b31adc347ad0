// Package moments computes means and deviations that are the same wherever the numbers
// are in memory. gonum's floats.Sum and what is built on it, such as stat.Mean, begin at
// an aligned address, so the rounding of their result depends on it: the same model could
// get other last digits on a frame that begins a day later.
package moments

import "math"

// Sum returns the sum of x: four sums of every fourth value, added.
func Sum(x []float64) float64 {
	var a, b, c, d float64
	for len(x) >= 4 {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
		x = x[4:]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}

// Mean returns the mean of x; NaN without values.
func Mean(x []float64) float64 { return Sum(x) / float64(len(x)) }

// Deviation returns the standard deviation of x with T−1; NaN for fewer than two values.
// Squares are of what is left after the mean, whose rounding is corrected for (Chan, Golub
// and LeVeque 1983).
func Deviation(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	mean := Mean(x)
	var rest, squares float64
	for _, v := range x {
		v -= mean
		rest += v
		squares += float64(v * v)
	}
	n := float64(len(x))
	return math.Sqrt(max(0, squares-rest*rest/n) / (n - 1))
}
