package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// correlation(x, y) is Pearson's correlation, from −1 to 1, or 0 if either vector is
// constant. correlation(panel) is the matrix of all pairs. It needs at least two
// values of each.
func correlation(c call) (starlark.Value, error) {
	var a, b starlark.Value
	if err := c.unpack(&a, &b); err != nil {
		return nil, err
	}
	if b == starlark.None {
		p, err := c.panel("x", a)
		if err != nil {
			return nil, err
		}
		return c.matrix(p.correlations())
	}
	x, y, err := c.pair("x", "y", a, b)
	if err != nil {
		return nil, err
	}
	return c.number(correlationOf(x, y))
}

func correlationOf(x, y []float64) float64 {
	if constant(x) || constant(y) {
		return 0
	}
	return pearson(covarianceOf(x, y), covarianceOf(x, x), covarianceOf(y, y))
}

func pearson(xy, xx, yy float64) float64 {
	return max(-1, min(1, xy/(math.Sqrt(xx)*math.Sqrt(yy))))
}

// correlations returns the correlation matrix. Constant members have a correlation
// of 0 with every member, including themselves.
func (p panel) correlations() *Matrix {
	m := p.covariances()
	n := len(m.symbols)
	variances := make([]float64, n)
	for i := range n {
		variances[i] = m.row(i)[i]
	}
	for i := range n {
		still := constant(p.columns[i])
		for j := range i + 1 {
			r := 0.0
			switch {
			case still || constant(p.columns[j]):
			case i == j:
				r = 1
			default:
				r = pearson(m.row(i)[j], variances[i], variances[j])
			}
			m.row(i)[j], m.row(j)[i] = r, r
		}
	}
	return m
}
