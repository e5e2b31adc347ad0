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

// hierarchical returns the weights of López de Prado (2016) step by step: it merges the two
// nearest clusters until one is left, looking at all pairs each time, and then divides the
// weight of each half of the tree's order by the variances of the halves.
func hierarchical(c *mat.SymDense) []float64 {
	n := c.SymmetricDim()
	type cluster struct {
		id     int
		leaves []int
	}
	clusters := make([]cluster, n)
	for i := range clusters {
		clusters[i] = cluster{i, []int{i}}
	}
	distance := func(i, j int) float64 {
		return math.Sqrt((1 - c.At(i, j)/math.Sqrt(c.At(i, i)*c.At(j, j))) / 2)
	}
	for id := n; len(clusters) > 1; id++ {
		nearest, left, right := math.Inf(1), 0, 0
		for a := range clusters {
			for b := range a {
				for _, i := range clusters[a].leaves {
					for _, j := range clusters[b].leaves {
						if d := distance(i, j); d < nearest {
							nearest, left, right = d, b, a
						}
					}
				}
			}
		}
		if clusters[left].id > clusters[right].id {
			left, right = right, left
		}
		merged := cluster{id, append(append([]int{}, clusters[left].leaves...), clusters[right].leaves...)}
		rest := []cluster{}
		for k, own := range clusters {
			if k != left && k != right {
				rest = append(rest, own)
			}
		}
		rest = append(rest, merged)
		clusters = rest
	}
	of := func(members []int) float64 {
		w := make([]float64, len(members))
		for a, i := range members {
			w[a] = 1 / c.At(i, i)
		}
		floats.Scale(1/floats.Sum(w), w)
		var v float64
		for a, i := range members {
			for b, j := range members {
				v += w[a] * w[b] * c.At(i, j)
			}
		}
		return v
	}
	weights := make([]float64, n)
	floats.AddConst(1, weights)
	var divide func(members []int)
	divide = func(members []int) {
		if len(members) < 2 {
			return
		}
		first, second := members[:len(members)/2], members[len(members)/2:]
		a, b := of(first), of(second)
		for _, i := range first {
			weights[i] *= b / (a + b)
		}
		for _, i := range second {
			weights[i] *= a / (a + b)
		}
		divide(first)
		divide(second)
	}
	divide(clusters[0].leaves)
	return weights
}

func TestHierarchicalParityStepByStep(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "members")
		c := market(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), n, 60)
		lower, upper := even(n, 0, 1)
		w, err := optimize.HierarchicalParity(c, lower, upper, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := hierarchical(c); floats.Distance(w, want, math.Inf(1)) > 1e-12 {
			t.Fatalf("weights %v, want %v", w, want)
		}
	})
}
