package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ballast/optimize"
)

// enumerate returns the optimum by trying every choice of which weights are at which
// bound: 3ⁿ of them, each a system of linear equations. It knows one row, the total.
func enumerate(p optimize.Problem) (best []float64) {
	n := len(p.Lower)
	least := math.Inf(1)
	state := make([]int, n)
	for {
		k := mat.NewDense(n+1, n+1, nil)
		b := mat.NewVecDense(n+1, nil)
		for i := range n {
			if state[i] > 0 {
				k.Set(i, i, 1)
				b.SetVec(i, []float64{p.Lower[i], p.Upper[i]}[state[i]-1])
			} else {
				for j := range n {
					k.Set(i, j, p.Covariance.At(i, j))
				}
				k.Set(i, n, -1)
				b.SetVec(i, -p.Linear[i])
			}
			k.Set(n, i, 1)
		}
		b.SetVec(n, p.Rows[0].Min)
		var x mat.VecDense
		if x.SolveVec(k, b) == nil {
			w := mat.NewVecDense(n, slices.Clone(x.RawVector().Data[:n]))
			inside := true
			for i := range n {
				inside = inside && w.AtVec(i) >= p.Lower[i]-1e-12 && w.AtVec(i) <= p.Upper[i]+1e-12
			}
			v := mat.Inner(w, p.Covariance, w)/2 + floats.Dot(p.Linear, w.RawVector().Data)
			if inside && v < least {
				least, best = v, w.RawVector().Data
			}
		}
		at := 0
		for at < n && state[at] == 2 {
			state[at] = 0
			at++
		}
		if at == n {
			return best
		}
		state[at]++
	}
}

func TestEnumerationFindsTheSameWeights(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "members")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p := optimize.Problem{
			Covariance: market(r, n, 40), Linear: make([]float64, n),
			Lower: make([]float64, n), Upper: make([]float64, n), Rows: []optimize.Row{optimize.Total(n, 1)},
		}
		for i := range n {
			p.Linear[i] = 2e-4 * r.NormFloat64()
			p.Lower[i] = r.Float64()/float64(n) - 0.2
			p.Upper[i] = p.Lower[i] + 0.2 + 0.5*r.Float64()
		}
		if floats.Sum(p.Upper) < 1.01 {
			floats.AddConst(1/float64(n), p.Upper)
		}
		s, err := optimize.Quadratic(p)
		if err != nil {
			t.Fatal(err)
		}
		if want := enumerate(p); !floats.EqualApprox(s.Weights, want, 1e-9) {
			t.Fatalf("weights %v, want %v", s.Weights, want)
		}
	})
}

// Other units of return change no weight, and members in another order get the same
// weights in that order.
func TestUnitsAndOrderChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		s, err := optimize.Quadratic(p)
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.Lower)
		if p.Linear == nil {
			p.Linear = make([]float64, n)
		}
		to := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1)).Perm(n)
		other := optimize.Problem{
			Covariance: mat.NewSymDense(n, nil), Linear: make([]float64, n),
			Lower: make([]float64, n), Upper: make([]float64, n), Rows: slices.Clone(p.Rows),
		}
		for i := range n {
			other.Lower[to[i]], other.Upper[to[i]], other.Linear[to[i]] = p.Lower[i], p.Upper[i], 1e4*p.Linear[i]
			for j := range i + 1 {
				other.Covariance.SetSym(to[i], to[j], 1e4*p.Covariance.At(i, j))
			}
		}
		for r := range other.Rows {
			members := slices.Clone(other.Rows[r].Members)
			for k, i := range members {
				members[k] = to[i]
			}
			other.Rows[r].Members = members
		}
		again, err := optimize.Quadratic(other)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if d := math.Abs(s.Weights[i] - again.Weights[to[i]]); d > 1e-6 {
				t.Fatalf("weight %d is %v, and %v in another order and unit", i, s.Weights[i], again.Weights[to[i]])
			}
		}
	})
}

// The limits of a clash contradict one another, and without any one of them they do not.
func TestClashNamesTheFewestLimits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		n := len(p.Lower)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "clash"), 1))
		half := optimize.Row{Max: math.Inf(1)}
		for i := range n {
			if r.IntN(2) == 0 {
				half.Members = append(half.Members, i)
				half.Min += p.Upper[i]
			}
		}
		half.Min += 0.05
		p.Rows = append(p.Rows, half)
		_, err := optimize.Quadratic(p)
		var clash *optimize.Clash
		if !errors.As(err, &clash) {
			t.Fatalf("the error is %v", err)
		}
		without := func(left int) error {
			q := optimize.Problem{Covariance: mat.NewSymDense(n, nil)}
			q.Lower, q.Upper = even(n, -1e10, 1e10) // without a limit of little weight, others may have to go far
			q.Rows = slices.Clone(p.Rows)
			for i := range n {
				q.Covariance.SetSym(i, i, 1)
			}
			for i := range q.Rows {
				q.Rows[i].Min, q.Rows[i].Max = math.Inf(-1), math.Inf(1)
			}
			for k, l := range clash.Limits {
				switch {
				case k == left:
				case l.Row >= 0 && (p.Rows[l.Row].Min == p.Rows[l.Row].Max):
					q.Rows[l.Row] = p.Rows[l.Row]
				case l.Row >= 0 && l.Upper:
					q.Rows[l.Row].Max = p.Rows[l.Row].Max
				case l.Row >= 0:
					q.Rows[l.Row].Min = p.Rows[l.Row].Min
				case l.Upper:
					q.Upper[l.Weight] = p.Upper[l.Weight]
				default:
					q.Lower[l.Weight] = p.Lower[l.Weight]
				}
			}
			_, err := optimize.Quadratic(q)
			return err
		}
		if without(-1) == nil {
			t.Fatalf("%v can be satisfied", clash.Limits)
		}
		for k, l := range clash.Limits {
			if err := without(k); err != nil {
				t.Fatalf("without %v the others of %v still clash: %v", l, clash.Limits, err)
			}
		}
	})
}
