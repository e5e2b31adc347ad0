package timeseries

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// Index writes the total-return index of daily returns into dst and returns it:
// element i is ∏(1+r) through r[i]. Over Returns[First:] of a member, whose
// first return is 0, it is 1.0 at the first bar and repeats itself on sessions
// without a bar. A nil dst is made; Index panics where the lengths differ.
func Index(dst, returns []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(returns))
	}
	if len(dst) != len(returns) {
		panic(fmt.Sprintf("timeseries: index of %d returns into %d elements", len(returns), len(dst)))
	}
	copy(dst, returns)
	floats.AddConst(1, dst)
	return floats.CumProd(dst, dst)
}
