package optimize_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ballast/optimize"
)

// market returns the sample covariance of n members over some bars: a common factor, a
// few of sectors, and noise of their own.
func market(r *rand.Rand, n, bars int) *mat.SymDense {
	x := mat.NewDense(bars, n, nil)
	sectors := 1 + n/25
	beta, own := make([]float64, n), make([]float64, n)
	for i := range n {
		beta[i], own[i] = 0.5+r.Float64(), 0.008+0.015*r.Float64()
	}
	for t := range bars {
		common := 0.01 * r.NormFloat64()
		of := make([]float64, sectors)
		for s := range of {
			of[s] = 0.006 * r.NormFloat64()
		}
		for i := range n {
			x.Set(t, i, beta[i]*common+of[i%sectors]+own[i]*r.NormFloat64())
		}
	}
	return sample(x)
}

// sample returns the sample covariance of the columns of x.
func sample(x *mat.Dense) *mat.SymDense {
	bars, n := x.Dims()
	for i := range n {
		column := mat.Col(nil, i, x)
		mean := mat.Sum(mat.NewVecDense(bars, column)) / float64(bars)
		for t := range bars {
			x.Set(t, i, x.At(t, i)-mean)
		}
	}
	c := mat.NewSymDense(n, nil)
	c.SymOuterK(1/float64(bars-1), x.T())
	return c
}

func even(n int, low, high float64) (lower, upper []float64) {
	lower, upper = make([]float64, n), make([]float64, n)
	for i := range n {
		lower[i], upper[i] = low, high
	}
	return lower, upper
}

// random draws a problem with overlapping groups, tight bounds and members that cannot
// be told apart. The limits hold at a point that it draws first.
func random(t *rapid.T) optimize.Problem {
	n := rapid.OneOf(rapid.IntRange(2, 12), rapid.IntRange(2, 90)).Draw(t, "members")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	bars := rapid.SampledFrom([]int{n/2 + 2, n + 1, 2*n + 5, 10*n + 20}).Draw(t, "bars")
	c := market(r, n, bars)
	if n > 3 && rapid.Bool().Draw(t, "twins") {
		for i := range n {
			if i != 1 {
				c.SetSym(1, i, c.At(0, i))
			}
		}
		c.SetSym(1, 1, c.At(0, 0))
		c.SetSym(0, 1, c.At(0, 0))
	}
	inside := make([]float64, n)
	var total float64
	for i := range inside {
		if r.IntN(3) > 0 {
			inside[i] = r.Float64()
		}
		total += inside[i]
	}
	if total == 0 {
		inside[0], total = 1, 1
	}
	for i := range inside {
		inside[i] /= total
	}
	p := optimize.Problem{Covariance: c, Lower: make([]float64, n), Upper: make([]float64, n)}
	tight := rapid.SampledFrom([]float64{0, 0.01, 0.1, 1}).Draw(t, "room")
	for i, x := range inside {
		p.Lower[i], p.Upper[i] = x-tight*r.Float64(), x+tight*r.Float64()
		if r.IntN(4) > 0 {
			p.Lower[i] = min(0, x)
		}
	}
	if rapid.Bool().Draw(t, "linear") {
		p.Linear = make([]float64, n)
		for i := range n {
			p.Linear[i] = 1e-4 * r.NormFloat64()
		}
	}
	p.Rows = []optimize.Row{optimize.Total(n, 1)}
	for range rapid.IntRange(0, 6).Draw(t, "groups") {
		var row optimize.Row
		for i := range n {
			if r.IntN(3) == 0 {
				row.Members = append(row.Members, i)
			}
		}
		if r.IntN(3) == 0 {
			for range row.Members {
				row.Coefficients = append(row.Coefficients, r.NormFloat64())
			}
		}
		v := row.Of(inside)
		row.Min, row.Max = v-0.1*r.Float64(), v+0.1*r.Float64()
		switch r.IntN(4) {
		case 0:
			row.Min = math.Inf(-1)
		case 1:
			row.Max = math.Inf(1)
		case 2:
			row.Min, row.Max = v, v
		}
		p.Rows = append(p.Rows, row)
	}
	p.Rows[0].Min = p.Rows[0].Of(inside)
	p.Rows[0].Max = p.Rows[0].Min
	return p
}

func TestEverySolutionIsCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		s, err := optimize.Quadratic(p)
		if err != nil {
			t.Fatal(err)
		}
		if c := p.Certify(s); !(c.Residual() <= 1e-10) {
			t.Fatalf("raised %v: %+v", s.Raised, c)
		}
	})
}

func TestLargeProblemsAreCertified(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name       string
		n, bars    int
		most       float64
		groups     int
		everything bool // all members are held
	}{
		{"long only", 500, 1200, 1, 0, false},
		{"ten groups", 500, 1200, 0.05, 10, false},
		{"fewer bars than members", 300, 100, 1, 0, false},
		{"tight bounds", 200, 600, 0.0052, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := optimize.Problem{
				Covariance: market(rand.New(rand.NewPCG(3, 4)), tc.n, tc.bars),
				Rows:       []optimize.Row{optimize.Total(tc.n, 1)},
			}
			p.Lower, p.Upper = even(tc.n, 0, tc.most)
			for g := range tc.groups {
				row := optimize.Row{Min: 0.08, Max: 0.12}
				for i := g; i < tc.n; i += tc.groups {
					row.Members = append(row.Members, i)
				}
				p.Rows = append(p.Rows, row)
			}
			s, err := optimize.Quadratic(p)
			if err != nil {
				t.Fatal(err)
			}
			if c := p.Certify(s); !(c.Residual() <= 1e-10) {
				t.Errorf("raised %v: %+v", s.Raised, c)
			}
			held := 0
			for _, w := range s.Weights {
				if w > 0 {
					held++
				}
			}
			if tc.everything && held < tc.n*9/10 {
				t.Errorf("%d members are held", held)
			}
		})
	}
}

// With tight bounds and groups that overlap, most limits change at once on the way to the
// optimum.
func TestTightProblemsAreCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(129, 250).Draw(t, "members")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		p := optimize.Problem{Covariance: market(r, n, rapid.SampledFrom([]int{n / 2, 2 * n}).Draw(t, "bars")), Rows: []optimize.Row{optimize.Total(n, 1)}}
		most := rapid.SampledFrom([]float64{1.05, 1.25, 2, 2.5, 5}).Draw(t, "room") / float64(n)
		p.Lower, p.Upper = even(n, 0, most)
		inside, _ := even(n, 1/float64(n), 0) // satisfies all limits
		groups := rapid.IntRange(0, 12).Draw(t, "groups")
		width := rapid.SampledFrom([]float64{0, 0.01, 0.1}).Draw(t, "width")
		for range groups {
			var row optimize.Row
			for i := range n {
				if r.IntN(1+groups/2) == 0 {
					row.Members = append(row.Members, i)
				}
			}
			v := row.Of(inside)
			row.Min, row.Max = v*(1-width), v*(1+width)
			p.Rows = append(p.Rows, row)
		}
		s, err := optimize.Quadratic(p)
		if err != nil {
			t.Fatal(err)
		}
		if c := p.Certify(s); !(c.Residual() <= 1e-10) {
			t.Fatalf("raised %v: %+v", s.Raised, c)
		}
	})
}

// A certificate refuses weights that are near the optimum but not it.
func TestCertificateRefusesOtherWeights(t *testing.T) {
	t.Parallel()
	p := optimize.Problem{Covariance: market(rand.New(rand.NewPCG(5, 6)), 20, 300), Rows: []optimize.Row{optimize.Total(20, 1)}}
	p.Lower, p.Upper = even(20, 0, 0.2)
	for name, change := range map[string]func(s *optimize.Solution){
		"one weight is too large":                 func(s *optimize.Solution) { s.Weights[0] += 1e-9 },
		"one weight has a multiplier off a bound": func(s *optimize.Solution) { s.Bounds[0] += 1e-8 },
		"the total has another multiplier":        func(s *optimize.Solution) { s.Rows[0] *= 1 + 1e-8 },
		"a bound is crossed": func(s *optimize.Solution) {
			for i, w := range s.Weights {
				if w == 0 {
					s.Weights[i] = -1e-9
					return
				}
			}
		},
	} {
		s, err := optimize.Quadratic(p)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.Certify(s).Residual(); r > 1e-13 {
			t.Fatalf("the optimum has a residual of %g", r)
		}
		change(&s)
		if r := p.Certify(s).Residual(); r <= 1e-10 {
			t.Errorf("%s: the residual is %g", name, r)
		}
	}
}
