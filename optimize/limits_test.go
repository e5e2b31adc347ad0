package optimize_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ballast/optimize"
)

// held draws weights that satisfy the total of a problem, or nearly so.
func held(t *rapid.T, r *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		if r.IntN(3) > 0 {
			w[i] = r.Float64()
		}
	}
	w[0] += 0.01
	floats.Scale(rapid.SampledFrom([]float64{0.9, 1}).Draw(t, "held")/floats.Sum(w), w)
	return w
}

// Weights within limits of turnover and tracking error are certified, alone and together.
func TestTurnoverAndTrackingAreCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		n := len(p.Lower)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "limits"), 1))
		if rapid.Bool().Draw(t, "turnover") {
			p.Turnover = &optimize.Turnover{Current: held(t, r, n), Max: rapid.SampledFrom([]float64{0.1, 0.3, 0.8, 2}).Draw(t, "most")}
		}
		if rapid.Bool().Draw(t, "tracking") {
			level := mat.Trace(p.Covariance) / float64(n)
			p.Tracking = &optimize.Tracking{Benchmark: held(t, r, n), Variance: level * rapid.SampledFrom([]float64{0.003, 0.03, 0.3}).Draw(t, "variance")}
		}
		s, err := optimize.Quadratic(p)
		var clash *optimize.Clash
		var far *optimize.TooFar
		if p.Turnover != nil && errors.As(err, &clash) || p.Tracking != nil && errors.As(err, &far) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if c := p.Certify(s); !(c.Residual() <= 1e-10) {
			t.Fatalf("raised %v tracked %v: %+v", s.Raised, s.Tracked, c)
		}
	})
}

// The highest ratio is certified, and no other weights within the limits have a higher.
func TestRatioIsCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		p.Linear = nil
		n := len(p.Lower)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "gains"), 1))
		gain := make([]float64, n)
		for i := range gain {
			gain[i] = 1e-3 * (r.Float64() - 0.3)
		}
		q, s, err := optimize.Ratio(p, gain)
		if errors.Is(err, optimize.ErrNoGain) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if c := q.Certify(s); !(c.Residual() <= 1e-10) {
			t.Fatalf("raised %v: %+v", s.Raised, c)
		}
		ratio := func(w []float64) float64 {
			v := mat.NewVecDense(n, w)
			return floats.Dot(gain, w) / math.Sqrt(mat.Inner(v, p.Covariance, v)+s.Raised*floats.Dot(w, w))
		}
		best := ratio(s.Weights)
		for range 5 {
			other := make([]float64, n)
			p.Linear = other
			for i := range other {
				other[i] = 1e-4 * r.NormFloat64()
			}
			o, err := optimize.Quadratic(p)
			if err != nil {
				t.Fatal(err)
			}
			if x := ratio(o.Weights); x > best*(1+1e-9) {
				t.Fatalf("a ratio of %v is above the highest of %v", x, best)
			}
		}
	})
}

// A risk that binds is used whole, and gives the weights of the highest gain.
func TestGainAtRiskIsCertified(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := random(t)
		p.Linear = nil
		n := len(p.Lower)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "gains"), 1))
		gain := make([]float64, n)
		for i := range gain {
			gain[i] = 1e-3 * r.NormFloat64()
		}
		level := mat.Trace(p.Covariance) / float64(n)
		risk := level * rapid.SampledFrom([]float64{0.1, 0.4, 1, 10}).Draw(t, "risk")
		q, s, err := optimize.AtRisk(p, gain, risk)
		var far *optimize.TooFar
		if errors.As(err, &far) {
			if far.Least*far.Least < risk {
				t.Fatal(far)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if c := q.Certify(s); !(c.Residual() <= 1e-10) {
			t.Fatalf("raised %v: %+v", s.Raised, c)
		}
		w := mat.NewVecDense(n, s.Weights)
		if v := mat.Inner(w, p.Covariance, w); v > risk*(1+1e-9) {
			t.Fatalf("a variance of %v is above %v", v, risk)
		}
	})
}
