package analyze

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// slowOverfit follows the definition, row by row.
func slowOverfit(returns [][]float64) float64 {
	n := len(returns)
	size := len(returns[0]) / 16
	ratios := func(chosen uint, want bool) []float64 {
		out := make([]float64, n)
		for i, r := range returns {
			var rows []float64
			for b := range 16 {
				if (chosen>>b&1 == 1) == want {
					rows = append(rows, r[b*size:(b+1)*size]...)
				}
			}
			mean, square := 0.0, 0.0
			for _, v := range rows {
				mean += v / float64(len(rows))
			}
			for _, v := range rows {
				square += (v - mean) * (v - mean)
			}
			out[i] = mean / math.Sqrt(square/float64(len(rows)-1))
			if square < 1e-20 {
				out[i] = math.Inf(-1)
			}
		}
		return out
	}
	poor, all := 0, 0
	for chosen := range uint(1 << 16) {
		if bits.OnesCount(chosen) != 8 {
			continue
		}
		in, out := ratios(chosen, true), ratios(chosen, false)
		best := slices.Index(in, slices.Max(in))
		rank := 0.5
		for _, v := range out {
			switch {
			case v < out[best]:
				rank++
			case v == out[best]:
				rank += 0.5
			}
		}
		relative := rank / float64(n+1)
		if math.Log(relative/(1-relative)) <= 1e-12 {
			poor++
		}
		all++
	}
	return float64(poor) / float64(all)
}

func noise(r *rand.Rand, trials, rows int, drift func(trial int) float64) [][]float64 {
	out := make([][]float64, trials)
	for i := range out {
		for range rows {
			out[i] = append(out[i], drift(i)+0.01*r.NormFloat64())
		}
	}
	return out
}

func TestOverfitProbabilityIsTheDefinition(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 1))
		returns := noise(r, 5+int(seed), 70, func(trial int) float64 { return 0.0004 * float64(trial) })
		if seed == 2 { // a trial that never varies
			clear(returns[1])
		}
		if got, want := OverfitProbability(returns), slowOverfit(returns); got != want {
			t.Errorf("seed %d: %v, not %v", seed, got, want)
		}
	}
}

// Without skill the best of the past is as likely below the median as above; with one
// trial that is better throughout, it is always found.
func TestOverfitProbabilityOfKnownCases(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	if p := OverfitProbability(noise(r, 40, 800, func(int) float64 { return 0 })); p < 0.2 || p > 0.9 {
		t.Errorf("without skill it is %v", p)
	}
	if p := OverfitProbability(noise(r, 40, 800, func(trial int) float64 { return map[bool]float64{true: 0.02}[trial == 3] })); p != 0 {
		t.Errorf("with a trial that is always best it is %v", p)
	}
	for name, returns := range map[string][][]float64{
		"one trial": noise(r, 1, 100, func(int) float64 { return 0 }), "31 rows": noise(r, 3, 31, func(int) float64 { return 0 }),
		"constant": {make([]float64, 64), make([]float64, 64)}, "nothing": nil,
	} {
		if p := OverfitProbability(returns); !math.IsNaN(p) {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// The order of trials and the scale of returns change nothing, nor do rows that do not
// fill a block.
func TestOverfitProbabilityIsInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		returns := noise(r, 6, 96, func(trial int) float64 { return 0.001 * float64(trial) })
		p := OverfitProbability(returns)
		other := make([][]float64, len(returns))
		for i, k := range r.Perm(len(returns)) {
			other[i] = slices.Clone(returns[k])
			for at := range other[i] {
				other[i][at] *= 0.5
			}
			other[i] = append(other[i], make([]float64, 7)...)
		}
		if q := OverfitProbability(other); p != q {
			t.Fatalf("%v, not %v", q, p)
		}
	})
}

func BenchmarkOverfitProbability(b *testing.B) {
	returns := noise(rand.New(rand.NewPCG(1, 2)), 1000, 5000, func(int) float64 { return 0 })
	for b.Loop() {
		OverfitProbability(returns)
	}
}
