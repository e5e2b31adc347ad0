package harness

import "go.starlark.net/starlark"

// min_variance(panel, lower=0.0, upper=1.0, total=1.0) gives the weights within
// the bounds that add up to total and have the least variance w'Σw, where Σ is the
// covariance of the returns in panel, or panel itself a covariance matrix
// (Markowitz 1952). Bounds are a number, or a dictionary by symbol in which those
// that are missing have 0 and 1; bounds that no weights keep are an error. {} for
// an empty panel.
func minVariance(c call) (starlark.Value, error) {
	var v, lower, upper starlark.Value
	var total real
	if err := c.unpack(&v, &lower, &upper, &total); err != nil {
		return nil, err
	}
	m, _, err := c.moving(v)
	if err != nil {
		return nil, err
	}
	b, err := c.bounds(m.symbols, lower, upper, total)
	if err != nil {
		return nil, err
	}
	return c.dict(keyed{m.symbols, descend(m, make([]float64, len(m.symbols)), b)})
}

// mean_variance(panel, risk_aversion=4.0, lower=0.0, upper=1.0, total=1.0,
// expected=None) gives the weights within the bounds that add up to total and have
// the highest μ'w − risk_aversion/2·w'Σw, by bars. μ is expected, a dictionary by
// symbol of mean returns a bar, or the means of the returns in panel; with a
// covariance matrix in their place it must be given. Bounds are those of
// min_variance. {} for an empty panel.
func meanVariance(c call) (starlark.Value, error) {
	var v, lower, upper, expected starlark.Value
	var aversion, total real
	if err := c.unpack(&v, &aversion, &lower, &upper, &total, &expected); err != nil {
		return nil, err
	}
	m, p, err := c.moving(v)
	if err != nil {
		return nil, err
	}
	if !(aversion > 0) {
		return nil, c.errorf("risk_aversion is %v; it must be above 0", float64(aversion))
	}
	b, err := c.bounds(m.symbols, lower, upper, total)
	if err != nil {
		return nil, err
	}
	means, err := c.means(m, p, expected)
	if err != nil {
		return nil, err
	}
	linear := make([]float64, len(means))
	for i, x := range means {
		linear[i] = -x / float64(aversion)
	}
	return c.dict(keyed{m.symbols, descend(m, linear, b)})
}

// means gives what each member is expected to return a bar.
func (c call) means(m *Matrix, p panel, expected starlark.Value) ([]float64, error) {
	if expected != starlark.None {
		return c.by("expected", m.symbols, expected)
	}
	if len(p.columns) < len(m.symbols) {
		return nil, c.errorf("expected is missing: a covariance matrix does not tell what its members return")
	}
	out := make([]float64, len(p.columns))
	for i, column := range p.columns {
		out[i] = mean(column)
	}
	return out, nil
}
