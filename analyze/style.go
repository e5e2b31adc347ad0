package analyze

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
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
	rows, err := complete(append([]Column{y}, x...))
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
		p.linear[i] = norms[i] * dot(rows[0].Values, rows[i+1].Values)
		if norms[i] == 0 {
			p.linear[i] = 0
		}
		for j := i; j < k; j++ {
			v := 0.0
			if norms[i] != 0 && norms[j] != 0 {
				v = norms[i] * norms[j] * dot(rows[i+1].Values, rows[j+1].Values)
			}
			p.quadratic.SetSym(i, j, v)
		}
	}
	original := *p
	if err := p.unique(x); err != nil {
		return nil, err
	}
	w, ok := p.minimize()
	if !ok {
		return nil, failed(y.Name, "the style of %s did not converge", y.Name)
	}
	return &Mix{Weights: w, RSquared: -2 * original.value(w), N: n}, nil
}

// RollingStyle returns the style of each window of complete rows, and the row that ends
// it. The mix of a window without an answer is nil.
func RollingStyle(y Column, x []Column, window int) (last []int, mixes []*Mix, err error) {
	all := append([]Column{y}, x...)
	rows, err := complete(all)
	if err != nil {
		return nil, nil, err
	}
	kept := completeRows(all)
	for first := 0; first+window <= len(kept); first++ {
		cut := make([]Column, len(rows))
		for j, c := range rows {
			cut[j] = Column{Name: c.Name, Values: c.Values[first : first+window]}
		}
		mix, _ := Style(cut[0], cut[1:])
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
	return mat.Inner(v, p.quadratic, v)/2 - dot(p.linear, w)
}

// minimize returns the weights by a primal active set: it solves with the weights that
// are not bound to 0, drops one that would become negative, and frees the one whose
// increase reduces the value most. ok is false if that does not end.
func (p *mixture) minimize() (w []float64, ok bool) {
	k := len(p.linear)
	w = make([]float64, k)
	best := 0
	for i := range k {
		if p.quadratic.At(i, i)/2-p.linear[i] < p.quadratic.At(best, best)/2-p.linear[best] {
			best = i
		}
	}
	w[best] = 1
	free := []int{best}
	for range 100 * (k + 1) {
		z, multiplier := p.onFace(free)
		if drop := shorten(w, z, free); drop >= 0 {
			w[free[drop]] = 0
			free = append(free[:drop], free[drop+1:]...)
			continue
		}
		for i, at := range free {
			w[at] = z[i]
		}
		enter, least := -1, -1e-13
		for i := range k {
			slope := -p.linear[i] - multiplier
			for j := range k {
				slope += p.quadratic.At(i, j) * w[j]
			}
			if w[i] == 0 && slope < least*p.quadratic.At(i, i) {
				enter, least = i, slope/p.quadratic.At(i, i)
			}
		}
		if enter < 0 {
			return w, true
		}
		free = append(free, enter)
	}
	return nil, false
}

// onFace solves with the free weights alone, which may become negative, and returns the
// multiplier of their sum.
func (p *mixture) onFace(free []int) (z []float64, multiplier float64) {
	m := len(free)
	q := mat.NewSymDense(m, nil)
	right := mat.NewDense(m, 2, nil)
	for i, a := range free {
		right.Set(i, 0, p.linear[a])
		right.Set(i, 1, 1)
		for j := i; j < m; j++ {
			q.SetSym(i, j, p.quadratic.At(a, free[j]))
		}
	}
	var c mat.Cholesky
	var solved mat.Dense
	c.Factorize(q)
	if err := c.SolveTo(&solved, right); err != nil && !isCondition(err) {
		panic(err) // Q is positive definite
	}
	sum, ones := 0.0, 0.0
	for i := range m {
		sum += solved.At(i, 0)
		ones += solved.At(i, 1)
	}
	multiplier = (1 - sum) / ones
	z = make([]float64, m)
	for i := range z {
		z[i] = solved.At(i, 0) + multiplier*solved.At(i, 1)
	}
	return z, multiplier
}

// shorten goes from w towards z as far as all weights stay at least 0, and returns the
// position in free of the weight that stops it, or −1 if none does.
func shorten(w, z []float64, free []int) int {
	step, drop := 1.0, -1
	for i, at := range free {
		if z[i] <= 0 {
			if s := w[at] / (w[at] - z[i]); s < step || drop < 0 {
				step, drop = math.Min(step, s), i
			}
		}
	}
	if drop < 0 {
		return -1
	}
	for i, at := range free {
		w[at] += step * (z[i] - w[at])
	}
	return drop
}
