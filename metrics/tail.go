package metrics

import (
	"math"
	"slices"
)

// tailShare is the share of bars that the tail figures look at on each side.
const tailShare = 0.05

// Tails are the historical tail figures of one bar.
type Tails struct {
	Ratio                  float64 // |95th / 5th percentile|; NaN where the 5th is 0
	ValueAtRisk            float64 // 5th percentile, a fraction, mostly negative
	ConditionalValueAtRisk float64 // mean of the worst ⌊0.05(n−1)⌋+1 bars
}

// TailsOf returns the tail figures of returns, all NaN under two and where a return
// is. Percentiles
// interpolate linearly between order statistics, as NumPy's do by default. It
// reorders scratch, which has the length of returns, and leaves returns alone;
// it panics where the lengths differ.
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
	slices.Sort(worst) // one order of summing, whatever order the selection left
	t := Tails{ValueAtRisk: low, ConditionalValueAtRisk: mean(worst)}
	t.Ratio = math.Abs(ratio(percentile(scratch, 1-tailShare), low))
	return t
}

// percentile returns the p-quantile of x by linear interpolation between order
// statistics (type 7 of Hyndman and Fan 1996). It reorders x: the values up to
// position ⌊p(n−1)⌋ are the smallest ones afterwards. x is not empty.
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
