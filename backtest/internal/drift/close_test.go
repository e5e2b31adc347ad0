package drift

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestCloseIsPlain compares the kernel with the plain version, bit for bit.
func TestCloseIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sessions := rapid.IntRange(0, 40).Draw(t, "sessions")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		scale := rapid.SampledFrom([]float64{1, 1, 1e-300, 1e300}).Draw(t, "scale")
		shorts := rapid.SampledFrom([]float64{0, 0.3, 0.7}).Draw(t, "shorts")
		long, short := make([]float64, sessions), make([]float64, sessions)
		for k := range long {
			long[k], short[k] = scale*(1+0.1*rng.NormFloat64()), -shorts*scale*rng.Float64()
		}
		strange := rapid.SampledFrom([]float64{0, 1e-308, -1, math.Inf(1), math.NaN(), math.MaxFloat64, 1e13})
		for range rapid.IntRange(0, 2).Draw(t, "strange ones") {
			if sessions > 0 {
				at := rapid.IntRange(0, sessions-1).Draw(t, "session")
				long[at], short[at] = strange.Draw(t, "long"), -strange.Draw(t, "short")
			}
		}
		cash := scale * rapid.Float64Range(-0.9, 0.9).Draw(t, "cash")
		previous := scale * rapid.SampledFrom([]float64{1, 1e-10, 1e-308}).Draw(t, "previous")
		highest := rapid.Float64Range(0, 3).Draw(t, "highest")
		type outcome struct {
			Returns, Equity, Gross []float64
			Closed                 int
			Top                    float64
		}
		want := outcome{Returns: make([]float64, sessions), Equity: slices.Clone(short), Gross: slices.Clone(long)}
		got := outcome{Returns: make([]float64, sessions), Equity: slices.Clone(short), Gross: slices.Clone(long)}
		want.Closed, want.Top = closePlain(want.Returns, want.Equity, want.Gross, cash, previous, highest, 0)
		got.Closed, got.Top = Close(got.Returns, got.Equity, got.Gross, cash, previous, highest)
		if diff := cmp.Diff(want, got, bitsOf); diff != "" {
			t.Fatalf("plain and kernel differ (-plain +kernel):\n%s", diff)
		}
	})
}
