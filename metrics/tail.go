package metrics

import (
	"math"
	"slices"
)

// tailShare is the fraction of bars in each tail.
const tailShare = 0.05

// Tails are historical tail statistics of the returns per bar.
type Tails struct {
	Ratio                  float64 // |95th / 5th percentile|; NaN if the 5th is 0
	ValueAtRisk            float64 // 5th percentile, a fraction; a loss is negative
	ConditionalValueAtRisk float64 // mean of the worst ⌊0.05(n−1)⌋+1 bars, a fraction
}

// TailsOf returns the tail statistics of returns. All are NaN for fewer than two returns
// and if a return is NaN. Percentiles interpolate linearly between order statistics, as
// NumPy does by default. TailsOf overwrites scratch and does not change returns. It
// panics if scratch and returns differ in length.
func TailsOf(returns, scratch []float64) Tails {
	if len(scratch) != len(returns) {
		panic("metrics: scratch and returns differ in length")
	}
	if best, _ := bestWorst(returns); len(returns) < 2 || math.IsNaN(best) {
		return Tails{Ratio: nan, ValueAtRisk: nan, ConditionalValueAtRisk: nan}
	}
	copy(scratch, returns)
	low := percentile(scratch, tailShare)
	worst := scratch[:int(tailShare*float64(len(returns)-1))+1]
	slices.Sort(worst) // so that the order of summation does not depend on the selection
	t := Tails{ValueAtRisk: low, ConditionalValueAtRisk: mean(worst)}
	t.Ratio = math.Abs(ratio(percentile(scratch, 1-tailShare), low))
	return t
}

// percentile returns the p-quantile of x by linear interpolation between order
// statistics (type 7 of Hyndman and Fan 1996). It reorders x, so that the values up to
// position ⌊p(n−1)⌋ are the smallest. x must not be empty.
func percentile(x []float64, p float64) float64 {
	at := float64(p * float64(len(x)-1))
	k := int(at)
	low := selectNth(x, k)
	part := at - float64(k)
	if part == 0 || k+1 == len(x) {
		return low
	}
	_, high := bestWorst(x[k+1:])
	return low + float64(part*(high-low))
}
