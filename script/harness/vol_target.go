package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// vol_target(weights, panel, target, max_gross=1.0, bars_per_year=252) scales
// weights by target/σ, but never to a gross exposure above max_gross.
// σ = √(w'Σw·bars_per_year) is their annual volatility. panel holds returns, of
// which Σ is the covariance, or is itself the covariance matrix Σ per bar. Weights
// without risk are scaled to max_gross; weights that are all zero stay zero.
func volTarget(c call) (starlark.Value, error) {
	var weights, returns starlark.Value
	var goal, most, year real
	if err := c.unpack(&weights, &returns, &goal, &most, &year); err != nil {
		return nil, err
	}
	target, maxGross, bars := float64(goal), float64(most), float64(year)
	m, _, err := c.risk(returns)
	if err != nil {
		return nil, err
	}
	k, w, err := c.exposures(m, weights, noReturns)
	if err != nil {
		return nil, err
	}
	if !(target >= 0) || !(maxGross >= 0) || !(bars > 0) {
		return nil, c.errorf("target and max_gross must be at least 0, and bars_per_year above 0")
	}
	var gross float64
	for _, x := range k.values {
		gross += math.Abs(x)
	}
	if gross == 0 {
		return k.dict(), nil
	}
	scale := maxGross / gross
	if variance := m.quadratic(w); variance > 0 {
		scale = min(scale, target/math.Sqrt(variance*bars))
	}
	for i := range k.values {
		k.values[i] *= scale
	}
	return c.dict(k)
}
