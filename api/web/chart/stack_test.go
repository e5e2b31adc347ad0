package chart

import (
	"math"
	"testing"

	"ballast/internal/testenv"
)

// Stacked areas do not overlap, and reach from the sum of what is negative to the sum of
// what is positive.
func TestStack(t *testing.T) {
	t.Parallel()
	random := testenv.Random(t, testenv.Seed(t, 11), 0)
	for range 300 {
		columns, rows := 1+random.IntN(6), 1+random.IntN(5)
		values := make([][]float64, columns)
		for i := range values {
			for range rows {
				values[i] = append(values[i], random.NormFloat64())
			}
		}
		bottoms, tops := stack(values, rows, true)
		for row := range rows {
			up, down := 0.0, 0.0
			for i := range columns {
				v := values[i][row]
				from := &up
				if v < 0 {
					from = &down
				}
				if math.Abs(bottoms[i][row]-*from) > 1e-12 || math.Abs(tops[i][row]-*from-v) > 1e-12 {
					t.Fatalf("column %d of %v is from %v to %v", i, values, bottoms[i][row], tops[i][row])
				}
				*from += v
			}
		}
	}
}
