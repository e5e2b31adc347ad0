package optimize

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const (
	// atBound is how near a weight may come to its bound before it is set to it.
	atBound = 1e-15
	// strayed is how far a free weight may be outside its bounds, by rounding.
	strayed = 1e-11
	// exact is the multiplier of the wrong sign, for variances of 1, that may remain.
	exact = 1e-13
)

// settle solves once more for the weights that are free, now exactly, so that the answer
// does not depend on the path that led there, and exchanges the few weights that only
// rounding has put on a bound or off it. It is false if the covariance does not determine
// the weights. If exchanging breaks a row, the weights stay as they were.
func (q *quadratic) settle(s *found) (unique bool) {
	var might []int
	for i := range q.n {
		if math.Abs(s.Bounds[i]) < tied && q.Lower[i] < q.Upper[i] {
			might = append(might, i)
		}
	}
	if factor, _ := q.factorise(might, s.active); factor == nil && len(might) > 0 {
		return false
	}
	before := found{Solution{Weights: slices.Clone(s.Weights), Bounds: slices.Clone(s.Bounds), Rows: slices.Clone(s.Rows)}, nil, nil}
	for range q.n + 10 {
		factor, across := q.factorise(s.free, s.active)
		if factor != nil {
			for range 3 { // the first is the solution, the others refine it
				q.improve(s, across, factor)
			}
		} else if len(s.free) > 0 {
			return false
		}
		if !q.exchange(s) {
			if q.broken(s.Weights) > rounding {
				break
			}
			return true
		}
	}
	*s = before
	return false
}

// broken returns the most by which a row is broken.
func (q *quadratic) broken(w []float64) (most float64) {
	for _, row := range q.Rows {
		v := row.Of(w)
		most = max(most, row.Min-v, v-row.Max)
	}
	return most
}

// exchange puts weights that have left their bounds back on them. If there are none, it
// frees the weight whose multiplier most has the wrong sign.
func (q *quadratic) exchange(s *found) bool {
	before := len(s.free)
	s.free = slices.DeleteFunc(s.free, func(i int) bool {
		w := s.Weights[i]
		switch {
		case w-q.Lower[i] < atBound:
			s.Weights[i] = q.Lower[i]
		case q.Upper[i]-w < atBound:
			s.Weights[i] = q.Upper[i]
		}
		return w < q.Lower[i]-strayed || w > q.Upper[i]+strayed
	})
	q.reduce(s)
	if len(s.free) < before {
		return true
	}
	worst, at := exact, -1
	for i, multiplier := range s.Bounds {
		if q.Lower[i] == q.Upper[i] {
			continue
		}
		if s.Weights[i] == q.Upper[i] {
			multiplier = -multiplier
		}
		if -multiplier > worst {
			worst, at = -multiplier, i
		}
	}
	if at < 0 {
		return false
	}
	s.free = append(s.free, at)
	slices.Sort(s.free)
	return true
}

// factorise returns the factors of Σ + A'A for some members, and A: the coefficients of
// the active rows. Adding A'A changes no solution of the equations, and the sum is
// positive definite exactly if they have one solution. The factors are nil if their
// pivots are too small.
func (q *quadratic) factorise(members []int, active []equation) (*mat.Cholesky, *mat.Dense) {
	if len(members) == 0 {
		return nil, nil
	}
	place := make([]int, q.n)
	k := mat.NewSymDense(len(members), nil)
	for a, i := range members {
		place[i] = a + 1
		for b, j := range members[:a+1] {
			k.SetSym(b, a, q.at(i, j))
		}
	}
	var across *mat.Dense
	if len(active) > 0 {
		across = mat.NewDense(len(active), len(members), nil)
	}
	for a, e := range active {
		row := q.Rows[e.row]
		for c, i := range row.Members {
			if place[i] > 0 {
				across.Set(a, place[i]-1, row.coefficient(c))
			}
		}
		k.SymRankOne(k, 1, across.RowView(a))
	}
	var factor mat.Cholesky
	if !factor.Factorize(k) {
		return nil, nil
	}
	u := factor.RawU()
	for i := range members {
		if p := u.At(i, i); p*p < leastPivot*k.At(i, i) {
			return nil, nil
		}
	}
	return &factor, across
}

// improve takes one step of Newton's method to the solution of Σw + l = A'λ and Aw = b
// in the free weights and λ, where b is the limit of each active row.
func (q *quadratic) improve(s *found, across *mat.Dense, factor *mat.Cholesky) {
	right := mat.NewVecDense(len(s.free), q.reduce(s))
	right.ScaleVec(-1, right)
	var miss *mat.VecDense
	if across != nil {
		miss = mat.NewVecDense(len(s.active), nil)
		for a, e := range s.active {
			miss.SetVec(a, e.limit-q.Rows[e.row].Of(s.Weights))
		}
	}
	change := solveEquations(factor, across, right, miss)
	if !finite(change) {
		return // the rows repeat one another
	}
	for a, e := range s.active {
		s.Rows[e.row] += change[a]
	}
	for a, i := range s.free {
		s.Weights[i] += right.AtVec(a)
	}
}

// solveEquations solves Σx − A'y = v and Ax = b with the factors of K = Σ + A'A, that is
// Kx − A'y = v + A'b: v becomes x, and y is returned. If rows of A repeat one another,
// y is not finite, and v is not changed in a defined way. A is nil without rows, and b is
// nil for zeros.
func solveEquations(factor *mat.Cholesky, across *mat.Dense, v, b *mat.VecDense) (y []float64) {
	// The pivots bound the condition of the factors: an error would only repeat it.
	if across != nil {
		var pull, change mat.VecDense
		rows, _ := across.Dims()
		if b == nil {
			b = mat.NewVecDense(rows, nil)
		} else {
			pull.MulVec(across.T(), b)
			v.AddVec(v, &pull)
		}
		var spread, schur mat.Dense
		_ = factor.SolveTo(&spread, across.T())
		schur.Mul(across, &spread)
		var step mat.VecDense
		_ = factor.SolveVecTo(&step, v)
		pull.Reset()
		pull.MulVec(across, &step)
		b.SubVec(b, &pull)
		_ = change.SolveVec(&schur, b)
		y = change.RawVector().Data
		pull.Reset()
		pull.MulVec(across.T(), &change)
		v.AddVec(v, &pull)
	}
	_ = factor.SolveVecTo(v, v)
	return y
}
