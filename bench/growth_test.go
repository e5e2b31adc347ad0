package bench

import (
	"math"
	"testing"
)

func TestGrowthFits(t *testing.T) {
	t.Parallel()
	g := Growth{}
	for _, n := range []int{10, 100, 1000} {
		g.Points = append(g.Points, Point{n, 3 * math.Pow(float64(n), 1.25)})
	}
	if g.fit(); math.Abs(g.Exponent-1.25) > 1e-12 {
		t.Errorf("exponent %v", g.Exponent)
	}
}
