package analyze

import (
	"errors"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ballast/optimize"
)

// Mix is a portfolio of indices that behaves like a series.
type Mix struct {
	Weights  []float64 // by index; none is negative, and they add up to 1
	RSquared float64   // 1 − the variance of the difference from the mix, over that of the series
	N        int       // complete rows
}

// Style returns the mix of indices with the least variance of y − Σ wⱼxⱼ, with weights
// from 0 that add up to 1 (Sharpe 1992). One index may be constant, such as cash. It
// returns a *DataError if y is constant, if indices are collinear, or if there are fewer
// complete rows than indices + 1.
func Style(y Column, x []Column) (*Mix, error) {
	rows, _, err := complete(append([]Column{y}, x...))
	if err != nil {
		return nil, err
	}
	n, k := len(rows[0].Values), len(x)
	switch {
	case k == 0:
		return nil, failed("", "a style needs at least one index")
	case n < k+1:
		return nil, failed(y.Name, "%s and its %d indices have %d rows in common; a style of %d indices needs at least %d", y.Name, k, n, k, k+1)
	}
	_, normY := center(rows[0].Values)
	if normY == 0 {
		return nil, failed(y.Name, "%s is constant over the %d rows in common, so it has no style", y.Name, n)
	}
	norms := make([]float64, k)
	for j := range x {
		_, norms[j] = center(rows[j+1].Values)
		norms[j] /= normY
	}
	p := &mixture{quadratic: mat.NewSymDense(k, nil), linear: make([]float64, k)}
	for i := range k {
		p.linear[i] = norms[i] * floats.Dot(rows[0].Values, rows[i+1].Values)
		if norms[i] == 0 {
			p.linear[i] = 0
		}
		for j := i; j < k; j++ {
			v := 0.0
			if norms[i] != 0 && norms[j] != 0 {
				v = norms[i] * norms[j] * floats.Dot(rows[i+1].Values, rows[j+1].Values)
			}
			p.quadratic.SetSym(i, j, v)
		}
	}
	original := *p
	if err := p.unique(x); err != nil {
		return nil, err
	}
	w, err := p.minimize()
	if err != nil {
		return nil, err
	}
	return &Mix{Weights: w, RSquared: min(1, -2*original.value(w)), N: n}, nil
}

// RollingStyle returns the style of each window of complete rows, and the row that ends
// it. The mix of a window in which y is constant or indices are collinear is nil. It
// returns a *DataError if the window is shorter than indices + 1.
func RollingStyle(y Column, x []Column, window int) (last []int, mixes []*Mix, err error) {
	if window < len(x)+1 {
		return nil, nil, failed("", "the window is %d rows; a style of %d indices needs at least %d", window, len(x), len(x)+1)
	}
	rows, kept, err := complete(append([]Column{y}, x...))
	if err != nil {
		return nil, nil, err
	}
	cut := make([]Column, len(rows))
	for first := 0; first+window <= len(kept); first++ {
		for j, c := range rows {
			cut[j] = Column{Name: c.Name, Values: c.Values[first : first+window]}
		}
		mix, err := Style(cut[0], cut[1:])
		var unanswerable *DataError
		if err != nil && !errors.As(err, &unanswerable) {
			return nil, nil, err
		}
		last, mixes = append(last, kept[first+window-1]), append(mixes, mix)
	}
	return last, mixes, nil
}

// mixture is the problem of the least ½wᵀQw − cᵀw with w ≥ 0 and Σw = 1.
type mixture struct {
	quadratic *mat.SymDense
	linear    []float64
}

// unique adds a multiple of 11ᵀ to Q, which changes no solution because Σw = 1 and
// makes Q positive definite if the solution is unique. Otherwise it names the indices
// that stand for each other.
func (p *mixture) unique(x []Column) error {
	k := len(p.linear)
	shift := 0.0
	for i := range k {
		shift += p.quadratic.At(i, i) / float64(k)
	}
	if shift == 0 {
		if k == 1 {
			shift = 1
		} else {
			return failed(x[1].Name, "%s and %s are both constant over the rows in common: leave one of them out", x[0].Name, x[1].Name)
		}
	}
	shifted := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			shifted.SetSym(i, j, p.quadratic.At(i, j)+shift)
		}
	}
	for size := 2; size <= k; size++ {
		var c mat.Cholesky
		if c.Factorize(shifted.SliceSym(0, size).(*mat.SymDense)) && c.Cond() < 1e13 {
			continue
		}
		var names []string
		for _, column := range x[:size-1] {
			names = append(names, column.Name)
		}
		return failed(x[size-1].Name, "a mix of %s moves as %s does, so their weights cannot be told apart: leave one of them out", strings.Join(names, ", "), x[size-1].Name)
	}
	p.quadratic = shifted
	return nil
}

// value is ½wᵀQw − cᵀw.
func (p *mixture) value(w []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	return mat.Inner(v, p.quadratic, v)/2 - floats.Dot(p.linear, w)
}

// minimize solves the shifted problem.
func (p *mixture) minimize() ([]float64, error) {
	k := len(p.linear)
	upper := slices.Repeat([]float64{1}, k)
	slope := make([]float64, k)
	for i, c := range p.linear {
		slope[i] = -c
	}
	s, err := optimize.Quadratic(optimize.Problem{
		Covariance: p.quadratic, Linear: slope, Lower: make([]float64, k), Upper: upper, Rows: []optimize.Row{optimize.Total(k, 1)},
	})
	return s.Weights, err
}
