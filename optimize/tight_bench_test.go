package optimize_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ballast/optimize"
)

// Bounds at which nearly all of 500 members rest.
func BenchmarkTightBounds(b *testing.B) {
	const n = 500
	c := market(rand.New(rand.NewPCG(1, n)), n, 2*n+250)
	for _, most := range []float64{0.0021, 0.0025, 0.004, 0.01, 0.02} {
		for _, groups := range []int{0, 10} {
			p := optimize.Problem{Covariance: c, Rows: []optimize.Row{optimize.Total(n, 1)}}
			p.Lower, p.Upper = even(n, 0, most)
			for g := range groups {
				row := optimize.Row{Min: 0.09, Max: 0.11}
				for i := g; i < n; i += 10 {
					row.Members = append(row.Members, i)
				}
				p.Rows = append(p.Rows, row)
			}
			b.Run(fmt.Sprintf("most=%v/groups=%d", most, groups), func(b *testing.B) { certified(b, p) })
		}
	}
}
