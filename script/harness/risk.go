package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// inverse_volatility(panel) weighs each symbol by 1/σ, adding up to 1, where
// panel maps symbols to their returns, or to their volatilities. A volatility of
// zero is an error that names the symbol.
func inverseVolatility(c call) (starlark.Value, error) {
	var v starlark.Value
	if err := c.unpack("panel", &v); err != nil {
		return nil, err
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, c.errorf("panel is a %s; a dictionary by symbol is needed", v.Type())
	}
	var k keyed
	var total float64
	for _, item := range d.Items() {
		s, ok := starlark.AsString(item[0])
		if !ok {
			return nil, c.errorf("panel has the key %s, which is not a symbol", item[0])
		}
		sigma, isNumber := starlark.AsFloat(item[1])
		if !isNumber {
			r, err := c.floats(s, item[1], 2)
			if err != nil {
				return nil, err
			}
			if sigma = std(r); constant(r) {
				sigma = 0
			}
		}
		if !(sigma > 0) || math.IsInf(sigma, 1) {
			return nil, c.errorf("the volatility of %s is %v; leave it out", s, sigma)
		}
		k.symbols = append(k.symbols, s)
		k.values = append(k.values, 1/sigma)
		total += 1 / sigma
	}
	for i := range k.values {
		k.values[i] /= total
	}
	return k.dict(), nil
}

// vol_target(weights, panel, target, max_gross=1.0, bars_per_year=252) scales
// weights by target/σ, where σ = √(w'Σw·bars_per_year) is their annual
// volatility over the returns in panel, but never to a gross exposure above
// max_gross. Weights that do not move are scaled to max_gross; weights that are
// all zero stay so.
func volTarget(c call) (starlark.Value, error) {
	var weights, returns starlark.Value
	var goal real
	most, year := real(1), real(252)
	if err := c.unpack("weights", &weights, "panel", &returns, "target", &goal, "max_gross?", &most, "bars_per_year?", &year); err != nil {
		return nil, err
	}
	target, maxGross, bars := float64(goal), float64(most), float64(year)
	k, err := c.numbers("weights", weights)
	if err != nil {
		return nil, err
	}
	p, err := c.panel("panel", returns)
	if err != nil {
		return nil, err
	}
	if !(target >= 0) || !(maxGross >= 0) || !(bars > 0) {
		return nil, c.errorf("target and max_gross are 0 or more, bars_per_year above 0")
	}
	held := make([]float64, len(p.symbols))
	var gross float64
	for i, s := range k.symbols {
		at := -1
		for j, column := range p.symbols {
			if column == s {
				at = j
			}
		}
		if at < 0 {
			return nil, c.errorf("panel has no returns of %s", s)
		}
		held[at] = k.values[i]
		gross += math.Abs(k.values[i])
	}
	if gross == 0 {
		return k.dict(), nil
	}
	scale := maxGross / gross
	if variance := quadratic(held, p.square(covarianceOf)); variance > 0 {
		scale = min(scale, target/math.Sqrt(variance*bars))
	}
	for i := range k.values {
		k.values[i] *= scale
	}
	return k.dict(), nil
}

// quadratic is w'Mw.
func quadratic(w []float64, m [][]float64) float64 {
	var s float64
	for i, x := range multiply(m, w) {
		s += float64(w[i] * x)
	}
	return s
}

// multiply is Mw.
func multiply(m [][]float64, w []float64) []float64 {
	out := make([]float64, len(w))
	for i, row := range m {
		var s float64
		for j, x := range row {
			s += float64(x * w[j])
		}
		out[i] = s
	}
	return out
}
