package optimize

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// equations are those of free weights w and multipliers λ of the active rows A, of which
// Σ alone is only positive semidefinite: Σw − A'λ = v and Aw = b. They are solved with the
// factors of K = Σ + A'A. Adding A'A changes no solution, and the sum is positive definite
// exactly if there is one solution.
type equations struct {
	factor blas64.Triangular // of K
	across *mat.Dense        // A; nil without rows
	spread *mat.Dense        // K⁻¹A', once it is needed
	schur  mat.LU            // of AK⁻¹A', likewise
}

// factorise returns the equations of some members, or nil if the pivots are too small or
// there are no members. LAPACK is called directly because mat.Cholesky also estimates the
// condition, which takes as long as the rest for few members; the pivots bound it.
func (q *quadratic) factorise(members []int, active []equation) *equations {
	if len(members) == 0 {
		return nil
	}
	place := make([]int, q.n)
	k := mat.NewSymDense(len(members), nil)
	for a, i := range members {
		place[i] = a + 1
		for b, j := range members[:a+1] {
			k.SetSym(b, a, q.at(i, j))
		}
	}
	e := &equations{}
	if len(active) > 0 {
		e.across = mat.NewDense(len(active), len(members), nil)
	}
	for a, on := range active {
		row := q.Rows[on.row]
		for c, i := range row.Members {
			if place[i] > 0 {
				e.across.Set(a, place[i]-1, row.coefficient(c))
			}
		}
		k.SymRankOne(k, 1, e.across.RowView(a))
	}
	diagonal := make([]float64, len(members))
	for i := range diagonal {
		diagonal[i] = k.At(i, i)
	}
	var ok bool
	if e.factor, ok = lapack64.Potrf(k.RawSymmetric()); !ok {
		return nil
	}
	for i, d := range diagonal {
		if p := e.factor.Data[i*e.factor.Stride+i]; p*p < leastPivot*d {
			return nil
		}
	}
	return e
}

// improve takes one step of Newton's method to the solution of Σw + l = A'λ and Aw = b
// in the free weights and λ, where b is the limit of each active row.
func (q *quadratic) improve(s *found, e *equations) {
	right := mat.NewVecDense(len(s.free), q.reduce(s))
	right.ScaleVec(-1, right)
	var miss *mat.VecDense
	if e.across != nil {
		miss = mat.NewVecDense(len(s.active), nil)
		for a, on := range s.active {
			miss.SetVec(a, on.limit-q.Rows[on.row].Of(s.Weights))
		}
	}
	change := e.solve(right, miss)
	if !finite(change) {
		return // the rows repeat one another
	}
	for a, on := range s.active {
		s.Rows[on.row] += change[a]
	}
	for a, i := range s.free {
		s.Weights[i] += right.AtVec(a)
	}
}

// solve solves Σx − A'y = v and Ax = b, that is Kx − A'y = v + A'b: v becomes x, and y is
// returned. If rows of A repeat one another, y is 0 or not finite, and x only an attempt.
// b is nil for zeros.
func (e *equations) solve(v, b *mat.VecDense) (y []float64) {
	if e.across != nil {
		rows, _ := e.across.Dims()
		if e.spread == nil {
			e.spread = mat.DenseCopyOf(e.across.T())
			lapack64.Potrs(e.factor, e.spread.RawMatrix())
			var schur mat.Dense
			schur.Mul(e.across, e.spread)
			e.schur.Factorize(&schur)
		}
		var pull mat.VecDense
		change := mat.NewVecDense(rows, nil)
		if b == nil {
			b = mat.NewVecDense(rows, nil)
		} else {
			pull.MulVec(e.across.T(), b)
			v.AddVec(v, &pull)
		}
		step := mat.VecDenseCopyOf(v)
		e.back(step)
		pull.Reset()
		pull.MulVec(e.across, step)
		b.SubVec(b, &pull)
		_ = e.schur.SolveVecTo(change, false, b) // an error says that rows repeat one another: y stays 0
		y = change.RawVector().Data
		pull.Reset()
		pull.MulVec(e.across.T(), change)
		v.AddVec(v, &pull)
	}
	e.back(v)
	return y
}

// back replaces v by K⁻¹v.
func (e *equations) back(v *mat.VecDense) {
	raw := v.RawVector()
	lapack64.Potrs(e.factor, blas64.General{Rows: raw.N, Cols: 1, Stride: raw.Inc, Data: raw.Data})
}
