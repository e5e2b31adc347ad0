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

// efficient fails unless a corner is the optimum at its λ.
func efficient(t rapid.TB, p optimize.Problem, gain []float64, c optimize.Corner) {
	t.Helper()
	p.Linear = make([]float64, len(gain))
	floats.AddScaled(p.Linear, -c.Lambda, gain)
	if r := p.Certify(c.Solution); !(r.Residual() <= 1e-10) {
		t.Fatalf("λ %v, raised %v: %+v", c.Lambda, c.Raised, r)
	}
}

func gains(t *rapid.T, n int) []float64 {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "gains"), 1))
	gain := make([]float64, n)
	for i := range gain {
		gain[i] = 1e-3 * (r.Float64() - 0.3)
	}
	if rapid.Bool().Draw(t, "ties") {
		for i := range gain {
			gain[i] = gain[r.IntN(1+n/3)]
		}
	}
	return gain
}

// Every portfolio of a frontier is certified: the corners and those between them, among
// them those at a gain, at a risk and with the highest ratio.
func TestFrontierIsCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		p.Linear = nil
		n := len(p.Lower)
		gain := gains(t, n)
		f, err := optimize.NewFrontier(p, gain)
		if err != nil {
			t.Fatal(err)
		}
		for k, c := range f.Corners {
			efficient(t, p, gain, c)
			if k > 0 && (c.Gain < f.Corners[k-1].Gain-1e-12*floats.Norm(gain, math.Inf(1)) || c.Lambda < f.Corners[k-1].Lambda) {
				t.Fatalf("corner %d comes before the one before it", k)
			}
		}
		for _, points := range [][]optimize.Corner{f.ByGain(20), f.ByRisk(20)} {
			for _, c := range points {
				efficient(t, p, gain, c)
			}
		}
		first, last := f.Corners[0], f.Corners[len(f.Corners)-1]
		wanted := (first.Gain + last.Gain) / 2
		if c := f.AtGain(wanted); math.Abs(c.Gain-wanted) > 1e-12 {
			t.Fatalf("the gain is %v, not %v", c.Gain, wanted)
		}
		wanted = (first.Risk + last.Risk) / 2
		if c := f.AtRisk(wanted); math.Abs(c.Risk-wanted) > 1e-9*wanted {
			t.Fatalf("the risk is %v, not %v", c.Risk, wanted)
		}
		riskless := rapid.SampledFrom([]float64{0, -1e-3, 2e-4}).Draw(t, "riskless")
		best, err := f.Tangency(riskless)
		if errors.Is(err, optimize.ErrNoGain) {
			if last.Gain > riskless {
				t.Fatalf("the last corner has a gain of %v", last.Gain)
			}
			return
		}
		efficient(t, p, gain, best)
		ratio := func(c optimize.Corner) float64 {
			return (c.Gain - riskless) / math.Sqrt(c.Risk*c.Risk+c.Raised*floats.Dot(c.Weights, c.Weights))
		}
		if best.Risk*best.Risk < 1e-4*mat.Trace(p.Covariance)/float64(n) {
			return // a risk far below that of the members hangs on the last digits of the covariance
		}
		for _, c := range slices.Concat(f.Corners, f.ByGain(50), f.ByRisk(50)) {
			if ratio(c) > ratio(best)*(1+1e-9) {
				t.Fatalf("the ratio of the tangency is %v, and another %v", ratio(best), ratio(c))
			}
		}
	})
}

// The last corner has the highest gain that the limits allow: that of weights for which
// risk hardly counts.
func TestFrontierEndsAtTheHighestGain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		gain := gains(t, len(p.Lower))
		p.Linear = nil
		f, err := optimize.NewFrontier(p, gain)
		if err != nil {
			t.Fatal(err)
		}
		last := f.Corners[len(f.Corners)-1]
		p.Linear = make([]float64, len(gain))
		floats.AddScaled(p.Linear, -1e4, gain)
		s, err := optimize.Quadratic(p)
		if err != nil {
			t.Fatal(err)
		}
		if g := floats.Dot(gain, s.Weights); g > last.Gain+1e-9 {
			t.Fatalf("the highest gain is %v, and that of the last corner %v", g, last.Gain)
		}
	})
}

// Two members without limits have the frontier of the textbook: the least risk is at
// (σ₂² − σ₁₂)/(σ₁² + σ₂² − 2σ₁₂), and weights move to the member with the higher gain.
func TestFrontierOfTwo(t *testing.T) {
	t.Parallel()
	p := optimize.Problem{Covariance: mat.NewSymDense(2, []float64{0.04, 0.01, 0.01, 0.09}), Rows: []optimize.Row{optimize.Total(2, 1)}}
	p.Lower, p.Upper = even(2, 0, 1)
	f, err := optimize.NewFrontier(p, []float64{0.05, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Corners) != 2 {
		t.Fatalf("%d corners", len(f.Corners))
	}
	least := 0.08 / 0.11
	for k, want := range [][]float64{{least, 1 - least}, {0, 1}} {
		if !floats.EqualApprox(f.Corners[k].Weights, want, 1e-15) {
			t.Errorf("corner %d is %v, want %v", k, f.Corners[k].Weights, want)
		}
	}
	tangency, err := f.Tangency(0.02)
	if err != nil {
		t.Fatal(err)
	}
	// Σ⁻¹(μ − r) is in proportion to (0.09·0.03 − 0.01·0.08, 0.04·0.08 − 0.01·0.03).
	a, b := 0.0019, 0.0029
	if want := []float64{a / (a + b), b / (a + b)}; !floats.EqualApprox(tangency.Weights, want, 1e-14) {
		t.Errorf("the tangency is %v, want %v", tangency.Weights, want)
	}
}

// The corner portfolios of the ten members of Bailey and López de Prado (2013), table 2,
// who print gains, risks and λ to three digits.
func TestFrontierOfBaileyAndLopezDePrado(t *testing.T) {
	t.Parallel()
	gain := []float64{1.175, 1.19, 0.396, 1.12, 0.346, 0.679, 0.089, 0.73, 0.481, 1.08}
	lower := [][]float64{
		{0.40755159},
		{0.03175842, 0.9063047},
		{0.05183923, 0.03136385, 0.19490901},
		{0.05663904, 0.02687256, 0.04408485, 0.19528471},
		{0.0330226, 0.01917172, 0.03006772, 0.02777345, 0.34059105},
		{0.00827775, 0.00934384, 0.01322738, 0.00526629, 0.00777046, 0.15983874},
		{0.02165938, 0.02495043, 0.03525971, 0.01375809, 0.02067844, 0.02105575, 0.68056711},
		{0.01332419, 0.00761038, 0.0115493, 0.00780742, 0.00736434, 0.00518689, 0.01379767, 0.95526918},
		{0.0343476, 0.0287487, 0.0427563, 0.0291418, 0.0254266, 0.0172374, 0.0462703, 0.0106553, 0.3168158},
		{0.022499, 0.0133687, 0.02057303, 0.01640377, 0.0128408, 0.0072378, 0.0192609, 0.0076096, 0.0185432, 0.1107951},
	}
	p := optimize.Problem{Covariance: mat.NewSymDense(10, nil), Rows: []optimize.Row{optimize.Total(10, 1)}}
	p.Lower, p.Upper = even(10, 0, 1)
	for i, row := range lower {
		for j, v := range row {
			p.Covariance.SetSym(j, i, v)
		}
	}
	f, err := optimize.NewFrontier(p, gain)
	if err != nil {
		t.Fatal(err)
	}
	want := [][3]float64{
		{0.803, 0.205, 0}, {0.950, 0.216, 0.031}, {0.973, 0.220, 0.037}, {1.015, 0.228, 0.052}, {1.022, 0.230, 0.056},
		{1.108, 0.265, 0.147}, {1.111, 0.267, 0.165}, {1.160, 0.417, 1.946}, {1.180, 0.546, 4.174}, {1.190, 0.952, 58.303},
	}
	if len(f.Corners) != len(want) {
		t.Fatalf("%d corners, want %d", len(f.Corners), len(want))
	}
	for k, c := range f.Corners {
		efficient(t, p, gain, c)
		for at, v := range []float64{c.Gain, c.Risk, c.Lambda} {
			if math.Abs(v-want[k][at]) > 0.0006 {
				t.Errorf("corner %d has a gain of %v, a risk of %v and λ %v, want %v", k, c.Gain, c.Risk, c.Lambda, want[k])
			}
		}
	}
}
