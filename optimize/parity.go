package optimize

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var errNoParity = errors.New("no weights that share risk as asked were found; the matrix may not be a covariance")

// RiskParity returns the weights within bounds that add up to total and share risk in
// proportion to budget: for all weights that are not at a bound, wᵢ(Σw)ᵢ/bᵢ is the same
// (Richard and Roncalli 2019). Without bounds that is the usual risk parity. Every
// variance, budget and upper bound must be above 0; lower bounds below 0 do not bind.
// If some weights have no risk at all together, their shares are not defined, and all
// variances count as larger by a millionth of their mean.
//
// The weights minimise w'Σw/2 − λ·Σ bᵢ·ln wᵢ within the bounds, for the λ at which they
// add up to total. The minimum is found by Newton's method with a line search.
func RiskParity(covariance *mat.SymDense, budget, lower, upper []float64, total float64) ([]float64, error) {
	n := len(budget)
	if n == 0 {
		return nil, nil
	}
	switch low, high := floats.Sum(lower), floats.Sum(upper); {
	case low > total+rounding || high < total-rounding:
		return nil, boundsClash(lower, total)
	case low >= total-broken:
		return append([]float64(nil), lower...), nil
	case high <= total+broken:
		return append([]float64(nil), upper...), nil
	}
	w, err := shared(covariance, 0, budget, lower, upper, total)
	if err != nil {
		w, err = shared(covariance, apart, budget, lower, upper, total)
	}
	if err != nil {
		return nil, errNoParity
	}
	return w, nil
}

// shared is RiskParity with variances that count as larger by a share of their mean.
func shared(covariance *mat.SymDense, raised float64, budget, lower, upper []float64, total float64) ([]float64, error) {
	n := len(budget)
	p := parity{n: n, budget: budget, lower: make([]float64, n), upper: make([]float64, n)}
	var level float64
	for i := range n {
		level += covariance.At(i, i) / float64(n)
	}
	p.covariance = mat.NewSymDense(n, nil)
	p.covariance.ScaleSym(1/level, covariance)
	x := make([]float64, n)
	for i := range x {
		p.covariance.SetSym(i, i, p.covariance.At(i, i)+raised)
		x[i] = math.Sqrt(budget[i] / p.covariance.At(i, i))
		p.upper[i] = math.Inf(1)
	}
	if err := p.minimise(x, 1); err != nil {
		return nil, err
	}
	factor := total / floats.Sum(x)
	floats.Scale(factor, x)
	inside := true
	for i, w := range x {
		inside = inside && w >= lower[i] && w <= upper[i]
		p.lower[i], p.upper[i] = max(lower[i], 0), upper[i]
	}
	if inside {
		return x, nil
	}
	return p.bounded(x, factor*factor, total)
}

// parity is a problem of risk parity whose variances have a mean of 1.
type parity struct {
	n                    int
	covariance           *mat.SymDense
	budget, lower, upper []float64
}

// bounded finds the λ at which the weights within bounds add up to total. Their sum
// grows with λ from that of the lower bounds to that of the upper ones.
func (p *parity) bounded(x []float64, lambda, total float64) ([]float64, error) {
	for i := range x {
		x[i] = min(max(x[i], p.lower[i]), p.upper[i])
	}
	low, high := 0.0, math.Inf(1)
	for range 200 {
		if err := p.minimise(x, lambda); err != nil {
			return nil, err
		}
		over := floats.Sum(x) - total
		if math.Abs(over) <= 1e-15*float64(p.n) {
			return x, nil
		}
		if over > 0 {
			high = lambda
		} else {
			low = lambda
		}
		next := lambda - over/p.slope(x, lambda)
		switch {
		case next > low && next < high:
		case math.IsInf(high, 1):
			next = 4 * lambda
		case low == 0:
			next = lambda / 4
		default:
			next = math.Sqrt(low * high)
		}
		if next == lambda || next == low || next == high {
			return x, nil // λ has no more digits
		}
		lambda = next
	}
	return nil, errNoParity
}

// slope returns how fast the sum of the weights grows with λ.
func (p *parity) slope(x []float64, lambda float64) float64 {
	free := p.free(x)
	pull := make([]float64, len(free))
	for a, i := range free {
		pull[a] = p.budget[i] / x[i]
	}
	step, ok := p.newton(x, lambda, free, pull)
	if !ok {
		return 0
	}
	return floats.Sum(step)
}

// gradient returns that of the objective.
func (p *parity) gradient(x []float64, lambda float64) []float64 {
	v := mat.NewVecDense(p.n, nil)
	v.MulVec(p.covariance, mat.NewVecDense(p.n, x))
	g := v.RawVector().Data
	for i := range g {
		g[i] -= lambda * p.budget[i] / x[i]
	}
	return g
}

// free returns the weights that are not at a bound.
func (p *parity) free(x []float64) (free []int) {
	for i, w := range x {
		if w > p.lower[i] && w < p.upper[i] {
			free = append(free, i)
		}
	}
	return free
}

// newton solves (Σ + λ·diag(b/x²))·step = pull for the free weights.
func (p *parity) newton(x []float64, lambda float64, free []int, pull []float64) ([]float64, bool) {
	if len(free) == 0 {
		return nil, true
	}
	h := mat.NewSymDense(len(free), nil)
	for a, i := range free {
		for b, j := range free[:a+1] {
			h.SetSym(b, a, p.covariance.At(i, j))
		}
		h.SetSym(a, a, h.At(a, a)+lambda*p.budget[i]/(x[i]*x[i]))
	}
	var factor mat.Cholesky
	if !factor.Factorize(h) {
		return nil, false
	}
	step := mat.NewVecDense(len(free), nil)
	if factor.SolveVecTo(step, mat.NewVecDense(len(free), pull)) != nil && !finite(step.RawVector().Data) {
		return nil, false
	}
	return step.RawVector().Data, true
}

// value returns the objective.
func (p *parity) value(x []float64, lambda float64) float64 {
	v := mat.NewVecDense(p.n, x)
	f := mat.Inner(v, p.covariance, v) / 2
	for i, w := range x {
		f -= lambda * p.budget[i] * math.Log(w)
	}
	return f
}

// minimise moves x to the minimum within the bounds: Newton's method in the weights that
// are free, which stops at the first bound that it meets, and frees the weight that most
// wants to leave its bound once the others have arrived.
func (p *parity) minimise(x []float64, lambda float64) error {
	free, final := p.free(x), 0
	for range 1000 + 10*p.n {
		g := p.gradient(x, lambda)
		pull := make([]float64, len(free))
		for a, i := range free {
			pull[a] = -g[i]
		}
		step, ok := p.newton(x, lambda, free, pull)
		if !ok {
			return errNoParity
		}
		gain := floats.Dot(step, pull)
		if gain <= 1e-16*lambda {
			final++
		}
		if len(free) == 0 || final == 3 { // two steps after which only rounding is left
			i := p.leaving(x, g, lambda)
			if i < 0 {
				return nil
			}
			free, final = append(free, i), 0
			slices.Sort(free)
			continue
		}
		if stopped := p.advance(x, lambda, gain, free, step); stopped {
			free, final = p.free(x), 0
		}
	}
	return errNoParity
}

// leaving returns the weight at a bound whose gradient most points away from it, or −1.
func (p *parity) leaving(x, g []float64, lambda float64) int {
	worst, at := 1e-13, -1
	for i, w := range x {
		pull := -g[i] * w / (lambda * p.budget[i])
		if w >= p.upper[i] {
			pull = -pull
		}
		if (w <= p.lower[i] || w >= p.upper[i]) && pull > worst && p.lower[i] < p.upper[i] {
			worst, at = pull, i
		}
	}
	return at
}

// advance takes a step, shortened until the objective falls, and reports whether a bound
// stopped it.
func (p *parity) advance(x []float64, lambda, gain float64, free []int, step []float64) bool {
	part, stop, bound := 1.0, -1, 0.0
	for a, i := range free {
		limit := p.upper[i]
		if step[a] < 0 {
			limit = p.lower[i]
			if limit < x[i]/10 { // the logarithm ends at 0
				part = min(part, -0.9*x[i]/step[a])
				continue
			}
		}
		if reach := (limit - x[i]) / step[a]; step[a] != 0 && reach < part {
			part, stop, bound = reach, i, limit
		}
	}
	if stop >= 0 && part < (bound-x[stop])/step[slices.Index(free, stop)] {
		stop = -1 // the logarithm was nearer
	}
	before := p.value(x, lambda)
	trial := slices.Clone(x)
	for {
		for a, i := range free {
			trial[i] = x[i] + part*step[a]
		}
		if gain <= 1e-10*lambda || p.value(trial, lambda) <= before-1e-4*part*gain || part < 1e-12 {
			break
		}
		part, stop = part/2, -1
	}
	if stop >= 0 {
		trial[stop] = bound
	}
	copy(x, trial)
	return stop >= 0
}
