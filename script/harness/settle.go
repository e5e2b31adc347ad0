package harness

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// leastPivot is the smallest pivot of a factorisation, relative to the diagonal, at
// which the members' risks are told apart. Below it the optimum is not unique.
const leastPivot = 1e-10

// settle turns the answer of descend, which is near the optimum, into the optimum
// itself, so that it does not depend on the path that led there. It is the primal
// active-set method (Nocedal and Wright 2006, algorithm 16.3): with some weights on
// their bounds, the others solve Mw + l = λ exactly; a weight that would leave its
// bounds is put on them, and one whose gradient says so is let go.
//
// Where the risks of members cannot be told apart, as with fewer bars than members, the
// optimum is not unique. Then the members' variances count as larger by a millionth of
// their mean, which spreads the weight evenly among those that would do as well.
func settle(m *Matrix, linear, w []float64, b bounds) []float64 {
	if len(w) == 0 {
		return w
	}
	out, unique := solve(m, linear, w, b)
	if !unique {
		out, _ = solve(m.raised(apart*m.level()), linear, w, b)
	}
	return out
}

// apart is how much larger variances count where risks cannot be told apart, as a share
// of their mean.
const apart = 1e-6

// raised returns m with an amount added to its diagonal.
func (m *Matrix) raised(by float64) *Matrix {
	out := m.like()
	copy(out.values, m.values)
	for i := range m.symbols {
		out.row(i)[i] += by
	}
	return out
}

// solve is the active-set method, which begins at w. It is false if the optimum is not
// unique, and then returns w.
func solve(m *Matrix, linear, w []float64, b bounds) (out []float64, unique bool) {
	n := len(w)
	held := make([]bool, n)
	var scale float64
	for i := range w {
		held[i] = w[i] <= b.lower[i] || w[i] >= b.upper[i]
		scale = max(scale, m.row(i)[i])
	}
	out = slices.Clone(w)
	for range 4 * n {
		if !slices.Contains(held, false) {
			return w, true // descend has no pair to move weight between
		}
		next, level, ok := free(m, linear, out, held, b.total)
		if !ok {
			return w, false
		}
		if blocked := advance(out, next, held, b); blocked {
			continue
		}
		gradient := m.multiply(out)
		worst, at := 1e-13*scale, -1
		for i := range out {
			if !held[i] || b.lower[i] == b.upper[i] {
				continue
			}
			pull := gradient[i] + linear[i] - level // positive: less of it would be better
			if out[i] <= b.lower[i] {
				pull = -pull
			}
			if pull > worst {
				worst, at = pull, i
			}
		}
		if at < 0 {
			return out, true
		}
		held[at] = false
	}
	return w, true
}

// free solves for the weights that are not held, and for the level λ of their
// gradients. It is false if their risks cannot be told apart.
func free(m *Matrix, linear, w []float64, held []bool, total float64) (next []float64, level float64, ok bool) {
	var members []int
	for i := range w {
		if !held[i] {
			members = append(members, i)
		}
	}
	k := len(members)
	a := mat.NewSymDense(k, nil)
	pull, ones := mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)
	rest := total
	for i, x := range w {
		if held[i] {
			rest -= x
		}
	}
	for r, i := range members {
		row := m.row(i)
		for c := range r + 1 {
			a.SetSym(r, c, row[members[c]])
		}
		fixed := linear[i]
		for j, x := range w {
			if held[j] {
				fixed += row[j] * x
			}
		}
		pull.SetVec(r, -fixed)
		ones.SetVec(r, 1)
	}
	var factor mat.Cholesky
	if !factor.Factorize(a) {
		return nil, 0, false
	}
	u := factor.RawU()
	for r := range k {
		if p := u.At(r, r); p*p < leastPivot*a.At(r, r) {
			return nil, 0, false
		}
	}
	// The pivots bound the condition; an error of the solution would only repeat it.
	_ = factor.SolveVecTo(pull, pull)
	_ = factor.SolveVecTo(ones, ones)
	level = (rest - mat.Sum(pull)) / mat.Sum(ones)
	pull.AddScaledVec(pull, level, ones)
	pull.AddScaledVec(pull, (rest-mat.Sum(pull))/mat.Sum(ones), ones) // rounding
	next = slices.Clone(w)
	for r, i := range members {
		next[i] = pull.AtVec(r)
	}
	return next, level, true
}

// advance moves w towards next as far as the bounds allow, and holds the weight that
// meets one first.
func advance(w, next []float64, held []bool, b bounds) (blocked bool) {
	part, at, bound := 1.0, -1, 0.0
	for i := range w {
		step := next[i] - w[i]
		if held[i] || step == 0 {
			continue
		}
		limit := b.upper[i]
		if step < 0 {
			limit = b.lower[i]
		}
		if reach := (limit - w[i]) / step; reach < part {
			part, at, bound = max(reach, 0), i, limit
		}
	}
	if at < 0 {
		copy(w, next)
		return false
	}
	for i := range w {
		if !held[i] {
			w[i] += part * (next[i] - w[i])
		}
	}
	w[at], held[at] = bound, true
	return true
}
