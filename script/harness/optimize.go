package harness

import "go.starlark.net/starlark"

// min_variance(panel, lower=0.0, upper=1.0, total=1.0) returns the weights within
// the bounds that add up to total and have the least variance w'Σw (Markowitz
// 1952). panel holds returns, of which Σ is the covariance, or is itself the
// covariance matrix Σ. Each bound is a number, or a dictionary by symbol in which a
// missing symbol has a lower bound of 0 or an upper bound of 1. Bounds that no
// weights can satisfy are an error. An empty panel gives {}.
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
	return c.dict(keyed{m.symbols, optimum(m, make([]float64, len(m.symbols)), b)})
}

// mean_variance(panel, risk_aversion=4.0, lower=0.0, upper=1.0, total=1.0,
// expected=None) returns the weights within the bounds that add up to total and
// have the highest μ'w − risk_aversion/2·w'Σw per bar. μ is expected, a dictionary
// by symbol of mean returns per bar; without it, μ is the mean of the returns in
// panel. If panel is a covariance matrix, expected is required. Bounds are as in
// min_variance. An empty panel gives {}.
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
	return c.dict(keyed{m.symbols, optimum(m, linear, b)})
}

// means returns the expected return of each member, per bar.
func (c call) means(m *Matrix, p panel, expected starlark.Value) ([]float64, error) {
	if expected != starlark.None {
		return c.by("expected", m.symbols, expected)
	}
	if len(p.columns) < len(m.symbols) {
		return nil, c.errorf("expected is missing: a covariance matrix has no mean returns")
	}
	out := make([]float64, len(p.columns))
	for i, column := range p.columns {
		out[i] = mean(column)
	}
	return out, nil
}

// optimum minimises w'Mw/2 + l'w within bounds.
func optimum(m *Matrix, linear []float64, b bounds) []float64 {
	return settle(m, linear, descend(m, linear, b), b)
}
