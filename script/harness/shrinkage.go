package harness

import (
	"go.starlark.net/starlark"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

const ledoitWolf = "ledoit_wolf"

// intensity reads a shrinkage: a number from 0 to 1, or the name of an estimator,
// which is applied to the centred columns x.
func (c call) intensity(p panel, x blas64.General, v starlark.Value) (float64, error) {
	if name, ok := starlark.AsString(v); ok {
		if name != ledoitWolf {
			return 0, c.errorf("shrinkage is %q; it must be a number from 0 to 1, or %q", name, ledoitWolf)
		}
		return p.ledoitWolf(x), nil
	}
	delta, err := finite(v)
	if err != nil || delta < 0 || delta > 1 {
		return 0, c.errorf("shrinkage is %s; it must be a number from 0 to 1, or %q", v, ledoitWolf)
	}
	return delta, nil
}

// ledoitWolf estimates the optimal shrinkage of the sample covariance towards a
// multiple of the identity: Ledoit and Wolf, A well-conditioned estimator for
// large-dimensional covariance matrices (2004), section 3.2. With the centred T×N
// returns X, S = X'X/T and μ = tr(S)/N it is b²/d², where d² = ‖S − μI‖² and
// b² = min(d², Σ_t(Σ_i x_ti²)²/T² − ‖S‖²/T). It is 0 if d² is 0.
func (p panel) ledoitWolf(x blas64.General) float64 {
	if len(p.symbols) == 0 {
		return 0
	}
	s := p.products(x, 0)
	size := floats.Dot(s.values, s.values)
	level := s.level()
	for i := range p.symbols {
		s.row(i)[i] -= level
	}
	distance := floats.Dot(s.values, s.values)
	if distance == 0 {
		return 0
	}
	squares := make([]float64, x.Cols) // of each bar, over all members
	own := make([]float64, x.Cols)
	for i := range x.Rows {
		floats.Add(squares, floats.MulTo(own, rowOf(x, i), rowOf(x, i)))
	}
	bars := float64(x.Cols)
	fourth := floats.Dot(squares, squares)
	return max(0, min(distance, fourth/(bars*bars)-size/bars)) / distance
}

// level returns the mean of the diagonal.
func (m *Matrix) level() float64 {
	var s float64
	for i := range m.symbols {
		s += m.row(i)[i]
	}
	return s / float64(len(m.symbols))
}

// shrink turns m into (1 − δ)·m + δ·level·I.
func (m *Matrix) shrink(delta float64) {
	if delta == 0 || len(m.symbols) == 0 {
		return
	}
	level := m.level()
	floats.Scale(1-delta, m.values)
	for i := range m.symbols {
		m.row(i)[i] += float64(delta * level)
	}
}
