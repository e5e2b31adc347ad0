package moments_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ballast/internal/moments"
)

func TestMoments(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 3 + r.NormFloat64()
		}
		mean, deviation := moments.Mean(x), moments.Deviation(x)
		for shift := range 3 { // the same values elsewhere in memory
			moved := make([]float64, n+shift)[shift:]
			copy(moved, x)
			if m, d := moments.Mean(moved), moments.Deviation(moved); n > 1 && (m != mean || d != deviation) {
				t.Errorf("%d values, moved by %d: %v and %v, not %v and %v", n, shift, m, d, mean, deviation)
			}
		}
		if n < 2 {
			if !math.IsNaN(deviation) {
				t.Errorf("deviation of %d values is %v", n, deviation)
			}
			continue
		}
		if m, d := stat.MeanStdDev(x, nil); math.Abs(m-mean) > 1e-14*n0(m) || math.Abs(d-deviation) > 1e-14*n0(d) {
			t.Errorf("%d values: %v and %v, not %v and %v", n, mean, deviation, m, d)
		}
	}
}

func n0(v float64) float64 { return max(1, math.Abs(v)) }
