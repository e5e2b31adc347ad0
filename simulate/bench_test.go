package simulate

import (
	"math/rand/v2"
	"testing"

	"ballast/timeseries"
)

// months makes n months of members that have a common part.
func months(seed uint64, members, n int) *Months {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Months{Base: timeseries.NewDate(1990, 12, 31)}
	common := make([]float64, n)
	for t := range n {
		common[t] = 0.03 * r.NormFloat64()
		m.Ends = append(m.Ends, timeseries.NewDate(1991+t/12, 1, 31)+timeseries.Date(30*(t%12)))
	}
	for i := range members {
		returns := make([]float64, n)
		for t := range returns {
			returns[t] = 0.005 + common[t] + 0.02*r.NormFloat64()
		}
		m.Keys, m.Returns = append(m.Keys, string(rune('A'+i))), append(m.Returns, returns)
	}
	return m
}

func planOf(m *Months) *Plan {
	weights := make([]float64, len(m.Keys))
	for i := range weights {
		weights[i] = 1 / float64(len(weights))
	}
	return &Plan{
		Months: m, Weights: weights, Rebalance: Monthly, StartValue: 1_000_000, Years: 30, Paths: 10_000, Seed: 1,
		Source: Stationary, Block: 12, Inflation: 0.025, StepMonths: 12,
	}
}

func ruled(r Rule) func(int) Decider { return func(n int) Decider { return NewRuled(r, n) } }

func BenchmarkRun(b *testing.B) {
	for name, paths := range map[string]int{"10000x360": 10_000, "100000x360": 100_000} {
		b.Run(name, func(b *testing.B) {
			p := planOf(months(1, 2, 264))
			p.Paths = paths
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(b.Context(), p, ruled(Fixed{Rate: 0.04}), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
