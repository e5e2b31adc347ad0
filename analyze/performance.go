package analyze

import "math"

// Performance is what a series did over each window, by the row that ends it.
type Performance struct {
	Last       []int
	Return     []float64 // compound, a yearly fraction; −1 in windows with a total loss
	Volatility []float64 // sample deviation, a yearly fraction
	Beta       []float64 // on the benchmark; nil without one, NaN where the benchmark is constant
}

// RollingPerformance returns the performance over each window of complete rows. Rows in
// which the series or the benchmark is missing are in no window. The result is empty for
// fewer than window rows. It returns a *DataError if a return is infinite, or if the
// window is shorter than two rows.
func RollingPerformance(c Column, benchmark *Column, window int, perYear float64) (*Performance, error) {
	if window < 2 {
		return nil, failed("", "the window is %d rows; a volatility needs at least 2", window)
	}
	columns := []Column{c}
	if benchmark != nil {
		columns = append(columns, *benchmark)
	}
	rows, kept, err := complete(columns)
	if err != nil {
		return nil, err
	}
	out := &Performance{}
	if len(kept) < window {
		return out, nil
	}
	growth := growthsOf(rows[0].Values)
	sums := newWindows(rows, window)
	n := float64(window)
	for end := window - 1; end < len(kept); end++ {
		s := sums.at(end)
		out.Last = append(out.Last, kept[end])
		out.Return = append(out.Return, math.Expm1(growth.over(end+1-window, end+1)*perYear/n))
		k := len(rows)
		variance := s[k] - s[0]*s[0]/n
		if variance <= flatWindow*s[k] {
			variance = 0
		}
		out.Volatility = append(out.Volatility, math.Sqrt(variance/(n-1)*perYear))
		if benchmark == nil {
			continue
		}
		// The products are c·c, c·b and b·b.
		beta := missing
		if spread := s[k+2] - s[1]*s[1]/n; spread > flatWindow*s[k+2] {
			beta = (s[k+1] - s[0]*s[1]/n) / spread
		}
		out.Beta = append(out.Beta, beta)
	}
	return out, nil
}

// growths are running sums of the logarithms of growth. A total loss has none, so it is
// counted instead.
type growths struct {
	logs  []float64
	ruins []int
}

func growthsOf(returns []float64) growths {
	g := growths{logs: make([]float64, len(returns)+1), ruins: make([]int, len(returns)+1)}
	for t, r := range returns {
		g.logs[t+1], g.ruins[t+1] = g.logs[t], g.ruins[t]
		if r <= -1 {
			g.ruins[t+1]++
		} else {
			g.logs[t+1] += math.Log1p(r)
		}
	}
	return g
}

// over is the logarithm of the growth over rows from to to − 1.
func (g growths) over(from, to int) float64 {
	if g.ruins[to] > g.ruins[from] {
		return math.Inf(-1)
	}
	return g.logs[to] - g.logs[from]
}
