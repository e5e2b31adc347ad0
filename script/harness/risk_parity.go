package harness

import (
	"math"

	"go.starlark.net/starlark"
	"gonum.org/v1/gonum/floats"
)

// risk_parity(panel, budget=None) returns the positive weights that add up to 1 and
// contribute to the variance in proportion to budget, a dictionary from symbols to
// shares above 0. Without a budget all members contribute equally. panel holds
// returns or is a covariance matrix. The weights minimise x'Σx/2 − Σ bᵢ·ln xᵢ and
// are then scaled (Spinu 2013); the method is cyclical coordinate descent
// (Griveau-Billion, Richard, Roncalli 2013). An empty panel gives {}.
func riskParity(c call) (starlark.Value, error) {
	var v, budget starlark.Value
	if err := c.unpack(&v, &budget); err != nil {
		return nil, err
	}
	m, _, err := c.moving(v)
	if err != nil {
		return nil, err
	}
	shares, err := c.shares(m.symbols, budget)
	if err != nil {
		return nil, err
	}
	x := parity(m, shares)
	total := sum(x)
	for i := range x {
		x[i] /= total
	}
	return c.dict(keyed{m.symbols, x})
}

// shares reads a budget and scales it to add up to 1. None means equal shares.
func (c call) shares(symbols []string, budget starlark.Value) ([]float64, error) {
	if budget == starlark.None {
		out := make([]float64, len(symbols))
		for i := range out {
			out[i] = 1 / float64(len(symbols))
		}
		return out, nil
	}
	out, err := c.by("budget", symbols, budget)
	if err != nil {
		return nil, err
	}
	total := sum(out)
	for i, x := range out {
		if !(x > 0) {
			return nil, c.errorf("the budget of %s is %v; it must be above 0", symbols[i], x)
		}
		out[i] = x / total
	}
	return out, nil
}

// parity minimises x'Mx/2 − Σ bᵢ·ln xᵢ, one coordinate at a time.
func parity(m *Matrix, shares []float64) []float64 {
	n := len(m.symbols)
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / math.Sqrt(m.row(i)[i]*float64(n))
	}
	for range descentSteps {
		var moved float64
		for i := range x {
			row := m.row(i)
			rest := floats.Dot(row[:i], x[:i]) + floats.Dot(row[i+1:], x[i+1:])
			next := (math.Sqrt(float64(rest*rest)+float64(4*row[i]*shares[i])) - rest) / (2 * row[i])
			moved = max(moved, math.Abs(next-x[i])/next)
			x[i] = next
		}
		if moved < converged {
			break
		}
	}
	return x
}
