package drift

import "math"

// Dust is the smallest change of a weight that counts as a trade, a fraction of
// equity.
const Dust = 1e-12

// Invested describes the trades and positions of one call of Invest.
type Invested struct {
	Turnover    float64 // Σ|target − weight|
	Trades      int     // number of changes above Dust
	Long, Short float64 // value of the longs and of the shorts; shorts are negative
	Longs       int     // number of members written to longs
	Shorts      int     // number of members written to shorts
}

// Invest sets hold to target·equity and compares target with weights. It writes the
// indices of the members with a positive holding to longs and of those with a
// negative one to shorts, in ascending order. Sums are added in groups of four, as in
// Run, over all members. Invest panics if a slice is shorter than target.
func Invest(target, weights, hold []float64, longs, shorts []int, equity float64) Invested {
	n := len(target)
	weights, hold, longs, shorts = weights[:n], hold[:n], longs[:n], shorts[:n]
	v, from := investQuick(target, weights, hold, longs, shorts, equity)
	v.plain(target, weights, hold, longs, shorts, equity, from)
	return v
}

// plain is Invest for the members from position from on, which must be a multiple of
// four.
func (v *Invested) plain(target, weights, hold []float64, longs, shorts []int, equity float64, from int) {
	for n := 4; from < len(target); from += n {
		for from+n > len(target) {
			n /= 2
		}
		var changes, long, short [4]float64
		for k := range n {
			i := from + k
			w := target[i]
			changes[k] = math.Abs(w - weights[i])
			if changes[k] > Dust {
				v.Trades++
			}
			h := float64(w * equity)
			hold[i] = h
			switch {
			case h > 0:
				longs[v.Longs] = i
				v.Longs++
				long[k] = h
			case h < 0:
				shorts[v.Shorts] = i
				v.Shorts++
				short[k] = h
			}
		}
		v.Turnover += added(changes)
		v.Long += added(long)
		v.Short += added(short)
	}
}

func added(v [4]float64) float64 { return (v[0] + v[1]) + (v[2] + v[3]) }

// Weigh sets weights to hold·perUnit. It panics if hold is shorter than weights.
func Weigh(weights, hold []float64, perUnit float64) {
	hold = hold[:len(weights)]
	for i := weighQuick(weights, hold, perUnit); i < len(hold); i++ {
		weights[i] = hold[i] * perUnit
	}
}

// Finite reports whether all values of v are finite.
func Finite(v []float64) bool {
	ok, from := finiteQuick(v)
	for _, x := range v[from:] {
		ok = ok && x-x == 0
	}
	return ok
}
