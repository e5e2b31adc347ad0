package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// BenchmarkGonum runs the kernels that stay our own beside gonum's over the returns of
// 20 years. docs/decisions/plain-kernels.md has the figures.
func BenchmarkGonum(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	x, y, scratch := make([]float64, 5040), make([]float64, 5040), make([]float64, 5040)
	for i := range x {
		x[i] = 0.01 * random.NormFloat64()
		y[i] = x[i]/2 + 0.005*random.NormFloat64()
	}
	for _, k := range []struct {
		name         string
		ours, theirs func() float64
	}{
		{"mean", func() float64 { return mean(x) }, func() float64 { return stat.Mean(x, nil) }},
		{"moments", func() float64 { return MomentsOf(x).ExcessKurtosis }, func() float64 {
			mean, deviation := stat.MeanStdDev(x, nil)
			return mean + deviation + stat.Skew(x, nil) + stat.ExKurtosis(x, nil)
		}},
		{"regression", func() float64 { return leastSquares(y, x, 0).correlation }, func() float64 {
			alpha, beta := stat.LinearRegression(x, y, nil, false)
			return alpha + beta + stat.Correlation(x, y, nil)
		}},
		{"percentile", func() float64 { copy(scratch, x); return percentile(scratch, 0.05) }, func() float64 {
			copy(scratch, x)
			slices.Sort(scratch)
			return stat.Quantile(0.05, stat.LinInterp, scratch, nil)
		}},
		{"growth", func() float64 {
			level := 1.0
			for i, r := range x {
				level = float64(level * (1 + r))
				scratch[i] = level
			}
			return level
		}, func() float64 {
			copy(scratch, x)
			floats.AddConst(1, scratch)
			return floats.CumProd(scratch, scratch)[len(x)-1]
		}},
	} {
		for name, f := range map[string]func() float64{"ours": k.ours, "gonum": k.theirs} {
			b.Run(k.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if math.IsNaN(f()) {
						b.Fatal("not a number")
					}
				}
			})
		}
	}
}
