package simulate

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Quantiles by buckets are those of the sorted values, to the bit.
func TestBandsEqualSorting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.Float64Range(0, 1),
			rapid.Float64Range(0, 1e12),
			rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) }),
			rapid.Map(rapid.Float64Range(-300, 300), func(x float64) float64 { return math.Pow(10, x) }),
		)
		v := rapid.SliceOfN(value, 1, 400).Draw(t, "values")
		var b bander
		got := b.band(v)
		sorted := slices.Sorted(slices.Values(v))
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		if got.Mean != sum/float64(len(v)) {
			t.Fatalf("mean %v", got.Mean)
		}
		for i, q := range Levels {
			h := q * float64(len(v)-1)
			want := sorted[int(h)]
			if part := h - math.Floor(h); part > 0 && sorted[int(h)+1] != want {
				want += part * (sorted[int(h)+1] - want)
			}
			if got.Quantiles[i] != want {
				t.Fatalf("%v: %v, not %v", q, got.Quantiles[i], want)
			}
		}
	})
}
