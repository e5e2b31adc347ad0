package metrics

// WinRate is the fraction of returns above 0. It is NaN without returns and if a return
// is NaN.
func WinRate(returns []float64) float64 {
	return share(returns, 0)
}

// bestWorst returns the largest and the smallest value. Both are NaN without values and
// if a value is NaN.
func bestWorst(x []float64) (best, worst float64) {
	if len(x) == 0 {
		return nan, nan
	}
	best, worst = x[0], x[0]
	for _, v := range x {
		if v != v {
			return nan, nan
		}
		if v > best {
			best = v
		}
		if v < worst {
			worst = v
		}
	}
	return best, worst
}

// share returns the fraction of x that is above a bound. It is NaN without values and
// if a value is NaN.
func share(x []float64, bound float64) float64 {
	above := 0
	for _, v := range x {
		if v != v {
			return nan
		}
		if v > bound {
			above++
		}
	}
	return ratio(float64(above), float64(len(x)))
}
