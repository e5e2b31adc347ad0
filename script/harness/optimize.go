package harness

import (
	"math"

	"go.starlark.net/starlark"
)

const (
	descentSteps = 20000
	converged    = 1e-12
)

// covariancesOf reads a panel, the only argument but for pairs.
func (c call) covariancesOf(pairs ...any) (panel, [][]float64, error) {
	var v starlark.Value
	if err := c.unpack(append([]any{"panel", &v}, pairs...)...); err != nil {
		return panel{}, nil, err
	}
	p, err := c.panel("panel", v)
	if err != nil {
		return panel{}, nil, err
	}
	m, err := p.covariances()
	if err != nil {
		return panel{}, nil, c.errorf("%v", err)
	}
	return p, m, nil
}

// min_variance(panel) gives the weights from 0 on that add up to 1 and have the
// least variance over the returns in panel; {} for an empty panel.
func minVariance(c call) (starlark.Value, error) {
	p, m, err := c.covariancesOf()
	if err != nil {
		return nil, err
	}
	return keyed{p.symbols, descend(m, make([]float64, len(m)))}.dict(), nil
}

// mean_variance(panel, risk_aversion=4.0) gives the weights from 0 on that add
// up to 1 and have the highest μ'w − risk_aversion/2·w'Σw, where μ and Σ are the
// mean and covariance of the returns in panel; {} for an empty panel.
func meanVariance(c call) (starlark.Value, error) {
	averse := real(4)
	p, m, err := c.covariancesOf("risk_aversion?", &averse)
	if err != nil {
		return nil, err
	}
	aversion := float64(averse)
	if !(aversion > 0) {
		return nil, c.errorf("risk_aversion is %v; it is above 0", aversion)
	}
	linear := make([]float64, len(m))
	for i, column := range p.columns {
		linear[i] = -mean(column) / aversion
	}
	return keyed{p.symbols, descend(m, linear)}.dict(), nil
}

// descend minimises w'Mw/2 + b'w over the simplex by pairwise coordinate
// descent from equal weights: weight goes from the member with the highest
// gradient that has any to the one with the lowest, as far as is best. Each step
// is exact, so the path is the same everywhere; it ends when no exchange gains
// more than 1e-12 of the scale of M.
func descend(m [][]float64, b []float64) []float64 {
	n := len(m)
	w := make([]float64, n)
	var scale float64
	for i := range w {
		w[i] = 1 / float64(n)
		scale = max(scale, m[i][i])
	}
	if n == 0 {
		return w
	}
	gradient := multiply(m, w)
	for i := range gradient {
		gradient[i] += b[i]
	}
	for range descentSteps {
		from, to := -1, 0
		for i, g := range gradient {
			if w[i] > 0 && (from < 0 || g > gradient[from]) {
				from = i
			}
			if g < gradient[to] {
				to = i
			}
		}
		gap := gradient[from] - gradient[to]
		if gap <= converged*scale {
			break
		}
		move := w[from]
		if curve := m[from][from] + m[to][to] - 2*m[from][to]; curve > 0 {
			move = min(move, gap/curve)
		}
		w[to] += move
		if w[from] -= move; w[from] < 1e-15 {
			w[from] = 0
		}
		for i := range gradient {
			gradient[i] += float64(move * (m[i][to] - m[i][from]))
		}
	}
	return w
}

// risk_parity(panel) gives the weights above 0 that add up to 1 and contribute
// the same to the variance of the returns in panel: the minimum of
// x'Σx/2 − Σln x / n, scaled (Spinu 2013), by cyclical coordinate descent
// (Griveau-Billion, Richard, Roncalli 2013); {} for an empty panel.
func riskParity(c call) (starlark.Value, error) {
	p, m, err := c.covariancesOf()
	if err != nil {
		return nil, err
	}
	n := len(m)
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / math.Sqrt(m[i][i]*float64(n))
	}
	share := 1 / float64(n)
	for range descentSteps {
		var moved float64
		for i, row := range m {
			var rest float64
			for j, v := range row {
				if j != i {
					rest += float64(v * x[j])
				}
			}
			next := (math.Sqrt(float64(rest*rest)+4*m[i][i]*share) - rest) / (2 * m[i][i])
			moved = max(moved, math.Abs(next-x[i])/next)
			x[i] = next
		}
		if moved < converged {
			break
		}
	}
	total := sum(x)
	for i := range x {
		x[i] /= total
	}
	return keyed{p.symbols, x}.dict(), nil
}
