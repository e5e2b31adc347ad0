package optimize_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ballast/optimize"
)

func BenchmarkMinimumVariance(b *testing.B) {
	for _, n := range []int{20, 100, 500} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		p := optimize.Problem{Covariance: market(r, n, 2*n+250), Rows: []optimize.Row{optimize.Total(n, 1)}}
		p.Lower, p.Upper = even(n, 0, 1)
		b.Run(fmt.Sprintf("members=%d", n), func(b *testing.B) { certified(b, p) })
		if n < 100 {
			continue
		}
		p.Lower, p.Upper = even(n, 0, 0.05)
		for g := range 10 {
			row := optimize.Row{Min: 0.05, Max: 0.2}
			for i := g; i < n; i += 10 {
				row.Members = append(row.Members, i)
			}
			p.Rows = append(p.Rows, row)
		}
		b.Run(fmt.Sprintf("members=%d/groups=10", n), func(b *testing.B) { certified(b, p) })
	}
}

func certified(b *testing.B, p optimize.Problem) {
	var s optimize.Solution
	for b.Loop() {
		var err error
		if s, err = optimize.Quadratic(p); err != nil {
			b.Fatal(err)
		}
	}
	if c := p.Certify(s); c.Residual() > 1e-10 {
		b.Fatalf("%+v", c)
	}
	held := 0
	for _, w := range s.Weights {
		if w > 0 {
			held++
		}
	}
	b.ReportMetric(float64(held), "held")
}

func BenchmarkHierarchicalParity(b *testing.B) {
	const n = 500
	c := market(rand.New(rand.NewPCG(1, n)), n, 2*n+250)
	lower, upper := even(n, 0, 1)
	for b.Loop() {
		if _, err := optimize.HierarchicalParity(c, lower, upper, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrontier(b *testing.B) {
	for _, n := range []int{20, 100, 500} {
		b.Run(fmt.Sprintf("members=%d", n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			p := optimize.Problem{Covariance: market(r, n, 2*n+250), Rows: []optimize.Row{optimize.Total(n, 1)}}
			p.Lower, p.Upper = even(n, 0, 1)
			gain := make([]float64, n)
			for i := range gain {
				gain[i] = 1e-3 * r.Float64()
			}
			var corners int
			for b.Loop() {
				f, err := optimize.NewFrontier(p, gain)
				if err != nil {
					b.Fatal(err)
				}
				f.ByGain(50)
				corners = len(f.Corners)
			}
			b.ReportMetric(float64(corners), "corners")
		})
	}
}

func BenchmarkLeastShortfall(b *testing.B) {
	for _, size := range [][2]int{{20, 2520}, {50, 2520}, {200, 2520}, {500, 2520}} {
		n, bars := size[0], size[1]
		b.Run(fmt.Sprintf("members=%d/scenarios=%d", n, bars), func(b *testing.B) {
			returns := scenarios(rand.New(rand.NewPCG(1, uint64(n))), n, bars)
			p := optimize.Problem{Covariance: ofColumns(returns), Rows: []optimize.Row{optimize.Total(n, 1)}}
			p.Lower, p.Upper = even(n, 0, 1)
			tail := optimize.Tail{Returns: returns, Share: 0.05}
			var s optimize.ShortfallSolution
			for b.Loop() {
				var err error
				if s, err = optimize.LeastShortfall(p, tail); err != nil {
					b.Fatal(err)
				}
			}
			if r := p.CertifyShortfall(tail, s); r > 1e-10 {
				b.Fatalf("the residual is %g", r)
			}
		})
	}
}
