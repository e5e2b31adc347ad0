package metrics

import "slices"

// selectNth reorders x so that x[k] is the value that sorting would put there, with
// nothing larger before it and nothing smaller after it, and returns x[k]. It is Hoare's
// quickselect with the median of three as pivot.
func selectNth(x []float64, k int) float64 {
	lo, hi := 0, len(x)-1
	for budget := 64; hi-lo > 16; budget-- {
		if budget == 0 { // an order that defeats the choice of pivots; sort instead
			break
		}
		pivot := median3(x[lo], x[lo+(hi-lo)/2], x[hi])
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	slices.Sort(x[lo : hi+1])
	return x[k]
}

func median3(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
