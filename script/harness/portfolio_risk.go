package harness

import (
	"math"

	"go.starlark.net/starlark"
)

const noReturns = "panel has no returns of"

// exposures reads weights, and gives them as one number a symbol of m, too;
// missing says what m is that lacks a symbol.
func (c call) exposures(m *Matrix, v starlark.Value, missing string) (weights keyed, w []float64, err error) {
	if weights, err = c.numbers("weights", v); err != nil {
		return keyed{}, nil, err
	}
	w = make([]float64, len(m.symbols))
	for i, s := range weights.symbols {
		at, ok := m.positions[s]
		if !ok {
			return keyed{}, nil, c.errorf("%s %s", missing, s)
		}
		w[at] = weights.values[i]
	}
	return weights, w, nil
}

// portfolio_volatility(weights, panel, bars_per_year=252) is the annual
// volatility √(w'Σw·bars_per_year) of weights held all the time, where Σ is the
// covariance of the returns in panel, or panel itself a covariance matrix a bar;
// a symbol of the panel without a weight counts 0.
func portfolioVolatility(c call) (starlark.Value, error) {
	var weights, returns starlark.Value
	var bars real
	if err := c.unpack(&weights, &returns, &bars); err != nil {
		return nil, err
	}
	m, _, err := c.risk(returns)
	if err != nil {
		return nil, err
	}
	_, w, err := c.exposures(m, weights, noReturns)
	if err != nil {
		return nil, err
	}
	return c.number(math.Sqrt(max(0, m.quadratic(w)) * float64(bars)))
}

// risk_contribution(weights, panel) is a dictionary from the symbols of weights
// to the share wᵢ·(Σw)ᵢ/w'Σw that each has in the variance; they add up to 1, and
// are all 0 where there is no risk.
func riskContribution(c call) (starlark.Value, error) {
	var weights, returns starlark.Value
	if err := c.unpack(&weights, &returns); err != nil {
		return nil, err
	}
	m, _, err := c.risk(returns)
	if err != nil {
		return nil, err
	}
	k, w, err := c.exposures(m, weights, noReturns)
	if err != nil {
		return nil, err
	}
	variance := m.quadratic(w)
	marginal := m.multiply(w)
	for i, s := range k.symbols {
		share := 0.0
		if variance > 0 {
			share = k.values[i] * marginal[m.positions[s]] / variance
		}
		k.values[i] = share
	}
	return c.dict(k)
}
