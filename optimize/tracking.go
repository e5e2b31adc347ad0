package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TooFar is the error for a limit of risk that no weights within the other limits
// satisfy. Least is the least standard deviation that they can have, per bar.
type TooFar struct {
	Tracking bool // of tracking error; otherwise of the weights themselves
	Least    float64
}

func (e *TooFar) Error() string {
	if e.Tracking {
		return fmt.Sprintf("the least tracking error within the limits is %v per bar", e.Least)
	}
	return fmt.Sprintf("the least volatility within the limits is %v per bar", e.Least)
}

// within is by how much of itself a limit of variance may be exceeded.
const within = 1e-13

// tracked solves a problem with a tracking limit. For a multiplier θ of the limit, with
// β = θ/(1 + θ), the weights are those of the problem without it whose linear part is
// (1 − β)·l − β·Σb. The variance against the benchmark falls with β.
func tracked(p Problem) (Solution, error) {
	limit := p.Tracking
	p.Tracking = nil
	n := len(p.Lower)
	pull := mat.NewVecDense(n, nil)
	pull.MulVec(p.Covariance, mat.NewVecDense(n, limit.Benchmark))
	own := p.Linear
	if own == nil {
		own = make([]float64, n)
	}
	var s Solution
	var beta, variance float64
	at := func(b float64) (float64, error) {
		q := p
		q.Linear = make([]float64, n)
		floats.AddScaled(q.Linear, 1-b, own)
		floats.AddScaled(q.Linear, -b, pull.RawVector().Data)
		var err error
		if s, err = Quadratic(q); err != nil {
			return 0, err
		}
		beta, variance = b, activeVariance(p.Covariance, s.Weights, limit.Benchmark)
		return variance - limit.Variance, nil
	}
	free, err := at(0)
	if err != nil || free <= within*limit.Variance {
		return s, err
	}
	nearest, err := at(1)
	switch {
	case err != nil:
		return Solution{}, err
	case nearest > within*limit.Variance+1e-30:
		return Solution{}, &TooFar{true, math.Sqrt(variance)}
	case nearest > -within*limit.Variance:
		// Only the weights nearest to the benchmark satisfy the limit: its multiplier has
		// no upper end.
		beta = 1 - 1e-6
		if free, err = at(beta); err != nil || free > 1e-9*limit.Variance {
			return Solution{}, &TooFar{true, math.Sqrt(limit.Variance + nearest)}
		}
	default:
		b, err := root(at, 0, free, 1, nearest)
		if err == nil {
			_, err = at(b)
		}
		if err != nil {
			return Solution{}, err
		}
	}
	theta := beta / (1 - beta)
	floats.Scale(1+theta, s.Bounds)
	floats.Scale(1+theta, s.Rows)
	floats.Scale(1+theta, s.Traded)
	s.Raised *= 1 + theta
	s.Tracked = theta
	return s, nil
}

// activeVariance returns (w − b)'Σ(w − b).
func activeVariance(c *mat.SymDense, w, benchmark []float64) float64 {
	d := make([]float64, len(w))
	floats.SubTo(d, w, benchmark)
	return variance(c, d)
}

// variance returns w'Σw.
func variance(c *mat.SymDense, w []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	return mat.Inner(v, c, v)
}
