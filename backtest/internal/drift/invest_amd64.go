package drift

// investQuick is Invest for the members before position to.
func investQuick(target, weights, hold []float64, longs, shorts []int, equity float64) (v Invested, to int) {
	quads := len(target) / 4
	if quads == 0 || !hasKernel {
		return v, 0
	}
	v.Turnover, v.Long, v.Short, v.Trades, v.Longs, v.Shorts =
		investQuads(&target[0], &weights[0], &hold[0], &longs[0], &shorts[0], quads, equity, Dust)
	return v, 4 * quads
}

// weighQuick is Weigh for the members before the position that it returns.
func weighQuick(weights, hold []float64, perUnit float64) int {
	quads := len(weights) / 4
	if quads == 0 || !hasKernel {
		return 0
	}
	weighQuads(&weights[0], &hold[0], quads, perUnit)
	return 4 * quads
}

// finiteQuick is Finite for the elements before position to.
func finiteQuick(v []float64) (ok bool, to int) {
	quads := len(v) / 4
	if quads == 0 || !hasKernel {
		return true, 0
	}
	return finiteQuads(&v[0], quads), 4 * quads
}

//go:noescape
func investQuads(target, weights, hold *float64, longs, shorts *int, quads int, equity, dust float64) (turnover, long, short float64, trades, held, owed int)

//go:noescape
func weighQuads(weights, hold *float64, quads int, perUnit float64)

//go:noescape
func finiteQuads(v *float64, quads int) bool
