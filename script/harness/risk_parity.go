package harness

import (
	"math"

	"go.starlark.net/starlark"

	"ballast/optimize"
)

// risk_parity(panel, budget=None, lower=0.0, upper=1.0, total=1.0) returns the positive
// weights that add up to total and contribute to the variance in proportion to budget, a
// dictionary from symbols to shares above 0. Without a budget all members contribute
// equally. panel holds returns or is a covariance matrix. Bounds are as in min_variance;
// members that are not at a bound keep the proportions of their budgets among themselves
// (Richard and Roncalli 2019). An empty panel gives {}.
func riskParity(c call) (starlark.Value, error) {
	var v, budget, lower, upper starlark.Value
	var total real
	if err := c.unpack(&v, &budget, &lower, &upper, &total); err != nil {
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
	b, err := c.bounds(m.symbols, lower, upper, total, starlark.None)
	if err != nil {
		return nil, err
	}
	if !(total > 0) {
		return nil, c.errorf("the total is %v; it must be above 0", float64(total))
	}
	return c.optimum(b, func(c call, b bounds) ([]float64, error) { return c.parity(m, shares, b) })
}

// parity solves for weights that share risk within bounds.
func (c call) parity(m *Matrix, shares []float64, b bounds) ([]float64, error) {
	for i, s := range b.symbols {
		if !(b.upper[i] > 0) {
			return nil, c.errorf("the upper bound of %s is %v; a weight that shares risk is above 0", s, b.upper[i])
		}
	}
	w, err := optimize.RiskParity(m.symmetric(), shares, b.lower, b.upper, b.total)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	return w, nil
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
	if math.IsInf(total, 0) {
		return nil, c.errorf("the budget is too large to add up; only its proportions count")
	}
	for i, x := range out {
		if !(x > 0) {
			return nil, c.errorf("the budget of %s is %v; it must be above 0", symbols[i], x)
		}
		out[i] = x / total
	}
	return out, nil
}
