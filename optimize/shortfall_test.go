package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ballast/optimize"
)

// scenarios returns columns of returns: a common factor, noise, and rare crashes.
func scenarios(r *rand.Rand, n, bars int) [][]float64 {
	out := make([][]float64, n)
	common := make([]float64, bars)
	for t := range common {
		common[t] = 0.01 * r.NormFloat64()
		if r.IntN(50) == 0 {
			common[t] -= 0.05
		}
	}
	for i := range out {
		beta, own := 0.5+r.Float64(), 0.008+0.015*r.Float64()
		out[i] = make([]float64, bars)
		for t := range common {
			out[i][t] = 3e-4 + beta*common[t] + own*r.NormFloat64()
		}
	}
	return out
}

// ofColumns returns the sample covariance.
func ofColumns(columns [][]float64) *mat.SymDense {
	x := mat.NewDense(len(columns[0]), len(columns), nil)
	for i, c := range columns {
		x.SetCol(i, c)
	}
	return sample(x)
}

func TestLeastShortfallIsCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		n := len(p.Lower)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "scenarios"), 1))
		bars := rapid.SampledFrom([]int{1, 2, 7, 20, 100, 400}).Draw(t, "scenarios")
		returns := scenarios(r, n, bars)
		switch rapid.SampledFrom([]string{"", "", "twins", "repeated", "flat", "ruin"}).Draw(t, "hard") {
		case "twins":
			copy(returns[n-1], returns[0])
		case "repeated":
			for i := range returns {
				for k := range returns[i] {
					returns[i][k] = math.Round(returns[i][k]*100) / 100
				}
			}
		case "flat":
			clear(returns[0])
		case "ruin":
			returns[0][0] = -1
		}
		if rapid.Bool().Draw(t, "turnover") {
			p.Turnover = &optimize.Turnover{Current: held(t, r, n), Max: rapid.SampledFrom([]float64{0.1, 0.3, 0.8, 2}).Draw(t, "most")}
		}
		tail := optimize.Tail{Returns: returns, Share: rapid.SampledFrom([]float64{0.05, 0.01, 0.5}).Draw(t, "share")}
		s, err := optimize.LeastShortfall(p, tail)
		var clash *optimize.Clash
		if p.Turnover != nil && errors.As(err, &clash) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if r := p.CertifyShortfall(tail, s); !(r <= 1e-10) {
			t.Fatalf("the residual is %g", r)
		}
	})
}

// The weights are those of PyPortfolioOpt 1.6.0, skfolio 1.12.2 and Riskfolio-Lib 7.4.0,
// which agree to 1e-8 in weights and 6e-11 in value.
func TestLeastShortfallOfRealStocks(t *testing.T) {
	t.Parallel()
	returns := stockReturns(t)
	n := len(returns)
	p := optimize.Problem{Covariance: ofColumns(returns), Rows: []optimize.Row{optimize.Total(n, 1)}}
	p.Lower, p.Upper = even(n, 0, 1)
	tail := optimize.Tail{Returns: returns, Share: 0.05}
	s, err := optimize.LeastShortfall(p, tail)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.CertifyShortfall(tail, s); r > 1e-13 {
		t.Errorf("the residual is %g", r)
	}
	if v := tail.Shortfall(s.Weights); math.Abs(v-0.020412461869743208) > 1e-9 {
		t.Errorf("the shortfall is %v", v)
	}
	want := []float64{0, 0, 0, 0, 0, 0, 0.012282890259163005, 0.1049851493280998, 0, 0.15597652478098947, 0.0021558317932471407, 0.16153757521189055, 0, 0.014797880724402395, 0.11801436983832085, 0.1687170770859471, 0.022141642395095334, 0, 0.2337078463990014, 0.005683212183843014}
	if d := floats.Distance(s.Weights, want, math.Inf(1)); d > 1e-7 {
		t.Errorf("a weight is %g off", d)
	}
}

// corners returns the least expected shortfall over all points in which as many planes meet
// as there are weights and α: scenarios at α, bounds, and the total. One of them is an
// optimum.
func corners(p optimize.Problem, tail optimize.Tail) float64 {
	n, bars := len(p.Lower), len(tail.Returns[0])
	type half struct {
		normal []float64
		limit  float64
	}
	var planes []half
	for i := range n {
		for _, limit := range []float64{p.Lower[i], p.Upper[i]} {
			normal := make([]float64, n+1)
			normal[i] = 1
			planes = append(planes, half{normal, limit})
		}
	}
	for t := range bars {
		normal := make([]float64, n+1)
		for i := range n {
			normal[i] = tail.Returns[i][t]
		}
		normal[n] = 1
		planes = append(planes, half{normal, 0})
	}
	least := math.Inf(1)
	chosen := make([]int, 0, n)
	var try func(from int)
	try = func(from int) {
		if len(chosen) < n {
			for k := from; k < len(planes); k++ {
				chosen = append(chosen, k)
				try(k + 1)
				chosen = chosen[:len(chosen)-1]
			}
			return
		}
		a, b := mat.NewDense(n+1, n+1, nil), mat.NewVecDense(n+1, nil)
		for k, at := range chosen {
			a.SetRow(k, planes[at].normal)
			b.SetVec(k, planes[at].limit)
		}
		for i := range n {
			a.Set(n, i, 1)
		}
		b.SetVec(n, p.Rows[0].Min)
		var x mat.VecDense
		if x.SolveVec(a, b) != nil {
			return
		}
		w := x.RawVector().Data[:n]
		for i, v := range w {
			if v < p.Lower[i]-1e-11 || v > p.Upper[i]+1e-11 {
				return
			}
		}
		least = min(least, tail.Shortfall(w))
	}
	try(0)
	return least
}

func TestEnumerationFindsTheSameShortfall(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "members")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		returns := scenarios(r, n, rapid.IntRange(2, 8).Draw(t, "scenarios"))
		if rapid.Bool().Draw(t, "ties") {
			for _, column := range returns {
				for k, v := range column {
					column[k] = math.Round(100*v) / 100
				}
			}
		}
		p := optimize.Problem{Covariance: mat.NewSymDense(n, nil), Rows: []optimize.Row{optimize.Total(n, 1)}}
		p.Lower, p.Upper = even(n, -0.2, 0.8)
		for i := range n {
			p.Covariance.SetSym(i, i, 1)
			p.Lower[i] += 0.3 * r.Float64()
		}
		tail := optimize.Tail{Returns: returns, Share: rapid.SampledFrom([]float64{0.05, 0.3, 0.5}).Draw(t, "share")}
		s, err := optimize.LeastShortfall(p, tail)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tail.Shortfall(s.Weights), corners(p, tail); math.Abs(got-want) > 1e-12 {
			t.Fatalf("the shortfall is %v, want %v", got, want)
		}
	})
}

// Returns in another unit give the same weights, and members in another order the same
// shortfall: where several weights are best, they may be others.
func TestShortfallKeepsUnitsAndOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "members")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		returns := scenarios(r, n, rapid.IntRange(50, 300).Draw(t, "scenarios"))
		p := optimize.Problem{Covariance: ofColumns(returns), Rows: []optimize.Row{optimize.Total(n, 1)}}
		p.Lower, p.Upper = even(n, 0, 1)
		tail := optimize.Tail{Returns: returns, Share: 0.05}
		s, err := optimize.LeastShortfall(p, tail)
		if err != nil {
			t.Fatal(err)
		}
		other := make([][]float64, n)
		to := r.Perm(n)
		for i, k := range to {
			other[k] = slices.Clone(returns[i])
			floats.Scale(100, other[k])
		}
		p.Covariance = ofColumns(other)
		wide := optimize.Tail{Returns: other, Share: 0.05}
		again, err := optimize.LeastShortfall(p, wide)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := 100*tail.Shortfall(s.Weights), wide.Shortfall(again.Weights); math.Abs(a-b) > 1e-11 {
			t.Fatalf("the shortfall is %v, and %v in another order and unit", a, b)
		}
	})
}

func TestShortfallCertificateRefusesOtherWeights(t *testing.T) {
	t.Parallel()
	returns := scenarios(rand.New(rand.NewPCG(7, 8)), 10, 300)
	p := optimize.Problem{Covariance: ofColumns(returns), Rows: []optimize.Row{optimize.Total(10, 1)}}
	p.Lower, p.Upper = even(10, 0, 0.3)
	tail := optimize.Tail{Returns: returns, Share: 0.05}
	for name, change := range map[string]func(s *optimize.ShortfallSolution){
		"weight moves from one member to another": func(s *optimize.ShortfallSolution) {
			most, least := 0, 0
			for i, w := range s.Weights {
				if w > s.Weights[most] {
					most = i
				}
				if w < s.Weights[least] {
					least = i
				}
			}
			s.Weights[most] -= 1e-6
			s.Weights[least] += 1e-6
		},
		"a weight is too large":            func(s *optimize.ShortfallSolution) { s.Weights[0] += 1e-9 },
		"a scenario counts more":           func(s *optimize.ShortfallSolution) { s.Scenarios[0] += 1e-9 },
		"the total has another multiplier": func(s *optimize.ShortfallSolution) { s.Rows[0] *= 1 + 1e-6 },
	} {
		s, err := optimize.LeastShortfall(p, tail)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.CertifyShortfall(tail, s); r > 1e-13 {
			t.Fatalf("the optimum has a residual of %g", r)
		}
		change(&s)
		if r := p.CertifyShortfall(tail, s); r <= 1e-10 {
			t.Errorf("%s: the residual is %g", name, r)
		}
	}
}
