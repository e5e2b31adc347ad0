package drift

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestInvestIsPlain compares the kernel with the plain version, bit for bit.
func TestInvestIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "members")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shorts := rapid.Float64Range(0, 1).Draw(t, "shorts")
		target, weights := make([]float64, n), make([]float64, n)
		for i := range target {
			target[i], weights[i] = rng.Float64()-shorts, rng.Float64()-shorts
			switch rng.IntN(6) {
			case 0:
				target[i] = 0
			case 1:
				target[i] = math.Copysign(0, -1)
			case 2:
				target[i] = weights[i]
			case 3:
				target[i] = weights[i] + Dust*(rng.Float64()*2-1)*1.5
			}
		}
		equity := rapid.Float64Range(1e-300, 1e300).Draw(t, "equity")
		type outcome struct {
			Invested      Invested
			Hold          []float64
			Longs, Shorts []int
		}
		var want, got outcome
		for _, o := range []*outcome{&want, &got} {
			o.Hold, o.Longs, o.Shorts = make([]float64, n), make([]int, n), make([]int, n)
		}
		want.Invested.plain(target, weights, want.Hold, want.Longs, want.Shorts, equity, 0)
		got.Invested = Invest(target, weights, got.Hold, got.Longs, got.Shorts, equity)
		for _, o := range []*outcome{&want, &got} { // the content after the positions does not matter
			o.Longs, o.Shorts = o.Longs[:o.Invested.Longs], o.Shorts[:o.Invested.Shorts]
		}
		if diff := cmp.Diff(want, got, bitsOf); diff != "" {
			t.Fatalf("plain and kernel differ (-plain +kernel):\n%s", diff)
		}
	})
}

func TestWeighIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hold := rapid.SliceOf(rapid.Float64()).Draw(t, "holdings")
		perUnit := rapid.Float64().Draw(t, "per unit")
		want, got := make([]float64, len(hold)), make([]float64, len(hold))
		for i, h := range hold {
			want[i] = h * perUnit
		}
		Weigh(got, hold, perUnit)
		if diff := cmp.Diff(want, got, bitsOf); diff != "" {
			t.Fatalf("plain and kernel differ (-plain +kernel):\n%s", diff)
		}
	})
}

func TestFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOf(rapid.Float64()).Draw(t, "numbers")
		if !Finite(v) {
			t.Fatal("finite numbers count as not finite")
		}
		if len(v) == 0 {
			return
		}
		v[rapid.IntRange(0, len(v)-1).Draw(t, "at")] = rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}).Draw(t, "none")
		if Finite(v) {
			t.Fatalf("%v count as finite", v)
		}
	})
}
