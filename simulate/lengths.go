package simulate

import "math"

// Lengths are the best mean block lengths of the plan's own months.
type Lengths struct{ Stationary, Circular float64 }

// used is the length that is drawn with: at least 1, and 12 where the data does not
// tell.
func (*Lengths) used(length float64) float64 {
	if math.IsNaN(length) {
		return 12
	}
	return max(length, 1)
}

// ownMonths are the plan's own monthly returns through history, at its first
// weights, before fees.
func (p *Plan) ownMonths() []float64 {
	own := make([]float64, p.Months.Len())
	if p.Rebalance == Monthly {
		for i, w := range p.Weights {
			for t, r := range p.Months.Returns[i] {
				own[t] += w * r
			}
		}
		return own
	}
	held := newHoldings(len(p.Weights), 1)
	returns := make([]float64, len(p.Weights))
	for t := range own {
		if due(p.Rebalance, t) {
			held.set(0, p.Weights)
		}
		for i := range returns {
			returns[i] = p.Months.Returns[i][t]
		}
		own[t] = held.drift(0, returns)
	}
	return own
}

// due reports whether holdings are brought back to their weights before month t.
func due(r Rebalance, t int) bool {
	every := r.months()
	return t == 0 || every > 0 && t%every == 0
}

// holdings are the shares of the members in each path's value.
type holdings struct {
	members int
	shares  []float64 // by path, then member
}

func newHoldings(members, paths int) *holdings {
	return &holdings{members, make([]float64, members*paths)}
}

// of are the shares of a path.
func (h *holdings) of(path int) []float64 { return h.shares[path*h.members : (path+1)*h.members] }

// set brings a path's shares to their weights.
func (h *holdings) set(path int, weights []float64) {
	copy(h.of(path), weights)
}

// drift moves a path's shares through a month, and returns the month's return.
func (h *holdings) drift(path int, returns []float64) float64 {
	shares := h.of(path)
	total := 0.0
	for i, s := range shares {
		total += s * returns[i]
	}
	if total <= -1 { // nothing is left
		clear(shares)
		return -1
	}
	for i := range shares {
		shares[i] *= (1 + returns[i]) / (1 + total)
	}
	return total
}
