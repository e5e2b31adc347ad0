package harness

import "go.starlark.net/starlark"

const ledoitWolf = "ledoit_wolf"

// intensity reads a shrinkage: a number from 0 to 1, or the name of an estimator.
func (c call) intensity(p panel, v starlark.Value) (float64, error) {
	if name, ok := starlark.AsString(v); ok {
		if name != ledoitWolf {
			return 0, c.errorf("shrinkage is %q; it must be a number from 0 to 1, or %q", name, ledoitWolf)
		}
		return p.ledoitWolf(), nil
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
func (p panel) ledoitWolf() float64 {
	s := p.covariances()
	centred := p.centred()
	if len(centred) == 0 {
		return 0
	}
	bars := float64(len(centred[0]))
	// The estimate divides by T where the sample covariance divides by T − 1.
	for i := range s.values {
		s.values[i] *= (bars - 1) / bars
	}
	level := s.level()
	var distance, size float64
	for i := range centred {
		for j, x := range s.row(i) {
			size += float64(x * x)
			if i == j {
				x -= level
			}
			distance += float64(x * x)
		}
	}
	var fourth float64
	for t := range centred[0] {
		var q float64
		for _, x := range centred {
			q += float64(x[t] * x[t])
		}
		fourth += float64(q * q)
	}
	if distance == 0 {
		return 0
	}
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
	for i := range m.values {
		m.values[i] *= 1 - delta
	}
	for i := range m.symbols {
		m.row(i)[i] += float64(delta * level)
	}
}
