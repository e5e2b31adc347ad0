package timeseries

import "fmt"

// Index writes the total-return index of daily returns into dst and returns it: element i
// is the product of 1+r over the returns up to and including r[i]. Over Returns[First:]
// of a member, whose first return is 0, the index is 1.0 at the first bar and constant
// over sessions without a bar. A nil dst is allocated. Index panics if the lengths
// differ.
//
// An element depends only on the returns up to it, to the last bit. gonum's
// floats.CumProd does not guarantee this: it multiplies in pairs, and the last elements
// of a slice one by one, so that the same element differs between a whole frame and a
// frame that ends earlier.
func Index(dst, returns []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(returns))
	}
	if len(dst) != len(returns) {
		panic(fmt.Sprintf("timeseries: index of %d returns into %d elements", len(returns), len(dst)))
	}
	level := 1.0
	for i, r := range returns {
		level = float64(level * (1 + r))
		dst[i] = level
	}
	return dst
}
