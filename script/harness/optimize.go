package harness

import (
	"go.starlark.net/starlark"
	"gonum.org/v1/gonum/mat"

	"ballast/optimize"
)

// min_variance(panel, lower=0.0, upper=1.0, total=1.0, groups=None) returns the weights
// within the bounds that add up to total and have the least variance w'Σw (Markowitz
// 1952). panel holds returns, of which Σ is the covariance, or is itself the covariance
// matrix Σ. Each bound is a number, or a dictionary by symbol in which a missing symbol
// has a lower bound of 0 or an upper bound of 1. groups is a list of dictionaries with
// the members of a group and the min and max of their sum. Limits that no weights can
// satisfy are an error. An empty panel gives {}.
func minVariance(c call) (starlark.Value, error) {
	var v, lower, upper, groups starlark.Value
	var total real
	if err := c.unpack(&v, &lower, &upper, &total, &groups); err != nil {
		return nil, err
	}
	m, p, err := c.moving(v)
	if err != nil {
		return nil, err
	}
	if err := c.enough(p); err != nil {
		return nil, err
	}
	b, err := c.bounds(m.symbols, lower, upper, total, groups)
	if err != nil {
		return nil, err
	}
	return c.optimum(b, func(c call, b bounds) ([]float64, error) { return c.quadratic(m, nil, b) })
}

// mean_variance(panel, risk_aversion=4.0, lower=0.0, upper=1.0, total=1.0,
// expected=None, groups=None) returns the weights within the bounds that add up to total
// and have the highest μ'w − risk_aversion/2·w'Σw per bar. μ is expected, a dictionary
// by symbol of mean returns per bar; without it, μ is the mean of the returns in
// panel. If panel is a covariance matrix, expected is required. Bounds and groups are as
// in min_variance. An empty panel gives {}.
func meanVariance(c call) (starlark.Value, error) {
	var v, lower, upper, expected, groups starlark.Value
	var aversion, total real
	if err := c.unpack(&v, &aversion, &lower, &upper, &total, &expected, &groups); err != nil {
		return nil, err
	}
	m, p, err := c.moving(v)
	if err != nil {
		return nil, err
	}
	if err := c.enough(p); err != nil {
		return nil, err
	}
	if !(aversion > 0) {
		return nil, c.errorf("risk_aversion is %v; it must be above 0", float64(aversion))
	}
	b, err := c.bounds(m.symbols, lower, upper, total, groups)
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
	return c.optimum(b, func(c call, b bounds) ([]float64, error) { return c.quadratic(m, linear, b) })
}

// enough returns an error for fewer bars than members: their covariance is singular, and
// many weights would do equally well.
func (c call) enough(p panel) error {
	if len(p.columns) == 0 || len(p.columns[0]) >= len(p.columns) {
		return nil
	}
	return c.errorf("%d bars do not determine the weights of %d members; use at least as many bars as members, or covariance(panel, \"ledoit_wolf\") in place of the panel",
		len(p.columns[0]), len(p.columns))
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

// quadratic minimises w'Mw/2 + l'w within bounds.
func (c call) quadratic(m *Matrix, linear []float64, b bounds) ([]float64, error) {
	s, err := optimize.Quadratic(optimize.Problem{
		Covariance: m.symmetric(), Linear: linear, Lower: b.lower, Upper: b.upper, Rows: b.rows(),
	})
	if err != nil {
		return nil, c.unsolved(b, err)
	}
	return s.Weights, nil
}

// symmetric returns the matrix for gonum, which only reads it.
func (m *Matrix) symmetric() *mat.SymDense { return mat.NewSymDense(len(m.symbols), m.values) }
