package harness

import (
	"math"

	"go.starlark.net/starlark"
)

const noReturns = "panel has no returns of"

// exposures reads weights and also returns them as a vector in the order of m's
// symbols. missing is the start of the error message for a symbol that m does not
// have.
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

// portfolio_volatility(weights, panel, bars_per_year=252) is the annual volatility
// √(w'Σw·bars_per_year) of constant weights. panel holds returns, of which Σ is the
// covariance, or is itself the covariance matrix Σ per bar. A symbol of the panel
// without a weight counts as 0.
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

// risk_contribution(weights, panel) is a dictionary from the symbols of weights to
// their shares of the variance, wᵢ·(Σw)ᵢ/w'Σw. The shares add up to 1, or are all 0
// if the variance is 0.
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
