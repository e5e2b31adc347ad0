package optimize

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ErrNoGain is the error for a ratio that cannot be above 0.
var ErrNoGain = errors.New("no weights within the limits have a gain above 0")

// Ratio returns the weights with the highest gain'w/√(w'Σw) within the limits. The gains
// are expected returns above the riskless one for the ratio of Sharpe (1966), and
// volatilities for the ratio of diversification (Choueifat and Coignard 2008).
//
// The weights are those of least w'Σw/2 − λ·gain'w for the λ that equals
// w'Σw/gain'w: at that λ the conditions of optimality of both problems are the same. The
// problem that is returned with the solution has that linear part, so its certificate
// is that of the ratio. ErrNoGain if no weights have a gain.
//
// A few searches for λ fail, or end with weights that are not exact, because risks or limits differ by many orders of magnitude; the
// whole frontier, which takes longer, then has the weights.
func Ratio(p Problem, gain []float64) (Problem, Solution, error) {
	q, s, err := searchRatio(p, gain)
	var clash *Clash
	if err == nil && proven(q, s) || errors.As(err, &clash) || errors.Is(err, ErrNoGain) || p.Tracking != nil || p.Turnover != nil {
		return q, s, err
	}
	return onFrontier(p, gain, func(f *Frontier) (Corner, error) { return f.Tangency(0) })
}

// proven reports whether a solution is as exact as all of them should be.
func proven(p Problem, s Solution) bool { return p.Certify(s).Residual() <= certified }

// certified is the largest residual of a certificate that is accepted.
const certified = 1e-10

// onFrontier returns the weights that of chooses.
func onFrontier(p Problem, gain []float64, of func(*Frontier) (Corner, error)) (Problem, Solution, error) {
	f, err := NewFrontier(p, gain)
	if err != nil {
		return Problem{}, Solution{}, err
	}
	c, err := of(f)
	return newPath(p, gain).problem(c.Lambda), c.Solution, err
}

func searchRatio(p Problem, gain []float64) (Problem, Solution, error) {
	path := newPath(p, gain)
	h := func(lambda float64) (float64, error) {
		if err := path.at(lambda); err != nil {
			return 0, err
		}
		return path.variance - lambda*path.gained, nil
	}
	before := 0.0
	atBefore, err := h(0)
	if err != nil {
		return Problem{}, Solution{}, err
	}
	lambda := path.unit
	if path.gained > 0 {
		lambda = path.variance / path.gained
	}
	for {
		y, err := h(lambda)
		if err != nil {
			return Problem{}, Solution{}, err
		}
		if y <= 0 && path.gained > 0 {
			if lambda, err = root(h, before, atBefore, lambda, min(y, 0)); err != nil {
				return Problem{}, Solution{}, err
			}
			break
		}
		before, atBefore = lambda, y
		if lambda *= 4; lambda > farthest*path.unit {
			return Problem{}, Solution{}, ErrNoGain
		}
	}
	if _, err := h(lambda); err != nil {
		return Problem{}, Solution{}, err
	}
	q := path.problem(path.variance / path.gained)
	return q, path.solution, nil
}

// AtRisk returns the weights with the highest gain'w within the limits whose w'Σw is at
// most variance, and the problem whose optimum they are: that of w'Σw/2 − λ·gain'w. If
// the limits do not let the variance be as low, the error is a *TooFar; if they keep it
// lower, the weights are those of the highest gain.
func AtRisk(p Problem, gain []float64, variance float64) (Problem, Solution, error) {
	q, s, err := searchRisk(p, gain, variance)
	var clash *Clash
	var far *TooFar
	if err == nil && proven(q, s) || errors.As(err, &clash) || errors.As(err, &far) || p.Tracking != nil || p.Turnover != nil {
		return q, s, err
	}
	return onFrontier(p, gain, func(f *Frontier) (Corner, error) { return f.AtRisk(math.Sqrt(variance)), nil })
}

func searchRisk(p Problem, gain []float64, variance float64) (Problem, Solution, error) {
	path := newPath(p, gain)
	room := func(lambda float64) (float64, error) {
		if err := path.at(lambda); err != nil {
			return 0, err
		}
		return variance - path.variance, nil
	}
	least, err := room(0)
	if err != nil {
		return Problem{}, Solution{}, err
	}
	if least < -1e-12*variance {
		return Problem{}, Solution{}, &TooFar{false, math.Sqrt(path.variance)}
	}
	before, atBefore := 0.0, max(least, 0)
	for lambda := path.unit; lambda <= farthest*path.unit; lambda *= 8 {
		y, err := room(lambda)
		if err != nil {
			return Problem{}, Solution{}, err
		}
		if y >= 0 {
			before, atBefore = lambda, y
			continue
		}
		if lambda, err = root(room, before, atBefore, lambda, y); err == nil {
			_, err = room(lambda)
		}
		return path.problem(lambda), path.solution, err
	}
	return path.problem(before), path.solution, nil
}

// farthest is how large λ may become, relative to the level at which gain and risk count
// about the same.
const farthest = 1e6

// path is the optimum of w'Σw/2 − λ·gain'w at one λ after another: the critical line of
// Markowitz (1956).
type path struct {
	of               Problem
	gain             []float64
	unit             float64 // of λ
	solution         Solution
	variance, gained float64
}

func newPath(p Problem, gain []float64) *path {
	widest := max(floats.Max(gain)-floats.Min(gain), 1e-6*floats.Norm(gain, math.Inf(1)))
	level := mat.Trace(p.Covariance) / float64(len(gain))
	unit := level / widest
	if widest == 0 {
		unit = 1
	}
	return &path{of: p, gain: gain, unit: unit}
}

// problem returns the problem at λ.
func (c *path) problem(lambda float64) Problem {
	p := c.of
	p.Linear = slices.Clone(c.gain)
	floats.Scale(-lambda, p.Linear)
	return p
}

func (c *path) at(lambda float64) (err error) {
	if c.solution, err = Quadratic(c.problem(lambda)); err != nil {
		return err
	}
	c.variance = variance(c.of.Covariance, c.solution.Weights) + c.solution.Raised*floats.Dot(c.solution.Weights, c.solution.Weights)
	c.gained = floats.Dot(c.gain, c.solution.Weights)
	return nil
}
