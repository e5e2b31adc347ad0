package optimize_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ballast/optimize"
)

// Weights that are not at a bound share risk in proportion to their budgets, those at an
// upper bound have more left to take, and those at a lower bound have too much.
func TestRiskIsSharedWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "members")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		c := market(r, n, 2*n+5)
		budget, lower, upper := make([]float64, n), make([]float64, n), make([]float64, n)
		room := rapid.SampledFrom([]float64{1.01, 1.3, 3, 1000}).Draw(t, "room")
		for i := range n {
			budget[i] = 0.2 + r.Float64()
			lower[i], upper[i] = 0.4*r.Float64()/room/float64(n), room*(0.5+r.Float64())/float64(n)
		}
		if floats.Sum(upper) < 1 {
			floats.Scale(1.1/floats.Sum(upper), upper)
		}
		floats.Scale(1/floats.Sum(budget), budget)
		w, err := optimize.RiskParity(c, budget, lower, upper, 1)
		if err != nil {
			t.Fatal(err)
		}
		if d := math.Abs(floats.Sum(w) - 1); d > 1e-13 {
			t.Fatalf("the weights are %g off their total", d)
		}
		v := mat.NewVecDense(n, nil)
		v.MulVec(c, mat.NewVecDense(n, w))
		var share float64
		for i := range n {
			if w[i] > lower[i] && w[i] < upper[i] {
				share = w[i] * v.AtVec(i) / budget[i]
			}
		}
		if share == 0 {
			return
		}
		for i := range n {
			off := w[i]*v.AtVec(i)/budget[i]/share - 1
			if w[i] < lower[i] || w[i] > upper[i] ||
				w[i] > lower[i] && off > 1e-10 || w[i] < upper[i] && off < -1e-10 {
				t.Fatalf("weight %d of %v in %v to %v has %g of its share", i, w[i], lower[i], upper[i], 1+off)
			}
		}
	})
}
