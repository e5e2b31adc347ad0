package optimize

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ByGain returns n efficient portfolios, at least two, whose gains are equally far apart,
// from the least risk to the highest gain. A frontier of one portfolio has one.
func (f *Frontier) ByGain(n int) []Corner {
	return f.spaced(n, func(c Corner) float64 { return c.Gain }, f.AtGain)
}

// ByRisk returns n efficient portfolios, at least two, whose risks are equally far apart.
// A frontier of one portfolio has one.
func (f *Frontier) ByRisk(n int) []Corner {
	return f.spaced(n, func(c Corner) float64 { return c.Risk }, f.AtRisk)
}

func (f *Frontier) spaced(n int, of func(Corner) float64, at func(float64) Corner) []Corner {
	first, last := f.Corners[0], f.Corners[len(f.Corners)-1]
	low, high := of(first), of(last)
	if !(high > low) {
		return []Corner{first}
	}
	out := make([]Corner, n)
	out[0], out[n-1] = first, last
	for k := 1; k < n-1; k++ {
		out[k] = at(low + (high-low)*float64(k)/float64(n-1))
	}
	return out
}

// AtGain returns the efficient portfolio with a gain, or the one at the nearer end of the
// frontier.
func (f *Frontier) AtGain(gain float64) Corner {
	k, inside := f.segment(func(c Corner) bool { return c.Gain >= gain })
	if !inside {
		return f.Corners[k]
	}
	a, b := f.Corners[k-1], f.Corners[k]
	return f.between(k, (gain-a.Gain)/(b.Gain-a.Gain))
}

// AtRisk returns the efficient portfolio with a risk, or the one at the nearer end of the
// frontier.
func (f *Frontier) AtRisk(risk float64) Corner {
	k, inside := f.segment(func(c Corner) bool { return c.Risk >= risk })
	if !inside {
		return f.Corners[k]
	}
	start, slope, bend := f.variance(k, 0)
	return f.between(k, rising(start-risk*risk, slope, bend))
}

// Tangency returns the efficient portfolio with the highest (gain'w − riskless)/√(w'Σw).
// ErrNoGain if no weights have a gain above the riskless one.
//
// On the frontier the variance grows by 2λ with each unit of gain, so the ratio is highest
// where λ·(gain − riskless) equals the variance.
func (f *Frontier) Tangency(riskless float64) (Corner, error) {
	last := f.Corners[len(f.Corners)-1]
	if !(last.Gain > riskless) {
		return Corner{}, ErrNoGain
	}
	past := func(c Corner) bool {
		own := c.Risk*c.Risk + c.Raised*floats.Dot(c.Weights, c.Weights)
		return c.Lambda*(c.Gain-riskless) >= own
	}
	k, inside := f.segment(past)
	if !inside {
		return f.Corners[k], nil
	}
	a, b := f.Corners[k-1], f.Corners[k]
	start, slope, bend := f.variance(k, a.Raised)
	size, more := a.Gain-riskless, b.Gain-a.Gain
	grows := b.Lambda - a.Lambda
	return f.between(k, rising(a.Lambda*size-start, a.Lambda*more+grows*size-slope, grows*more-bend)), nil
}

// segment returns the first corner of which is reports true, and whether there is one
// before it: then what is asked for lies between the two. If there is none, it returns
// the last corner.
func (f *Frontier) segment(is func(Corner) bool) (corner int, inside bool) {
	k := sort.Search(len(f.Corners), func(k int) bool { return is(f.Corners[k]) })
	if k == len(f.Corners) {
		return k - 1, false
	}
	return k, k > 0
}

// variance returns the variance between a corner and the one before it, start + slope·s +
// bend·s², where s is 0 at the one before and 1 at the corner. Each member's variance is
// raised.
func (f *Frontier) variance(k int, raised float64) (start, slope, bend float64) {
	a, b := f.Corners[k-1], f.Corners[k]
	n := len(a.Weights)
	d, v := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	floats.SubTo(d.RawVector().Data, b.Weights, a.Weights)
	v.MulVec(f.covariance, d)
	v.AddScaledVec(v, raised, d)
	from := mat.NewVecDense(n, a.Weights)
	start = a.Risk*a.Risk + raised*mat.Dot(from, from)
	return start, 2 * mat.Dot(from, v), mat.Dot(d, v)
}

// rising returns the root from 0 to 1 of c + b·s + a·s², which is at most 0 at 0 and at
// least 0 at 1.
func rising(c, b, a float64) float64 {
	root := math.Sqrt(max(0, b*b-4*a*c))
	// The two forms avoid taking the difference of nearly equal numbers.
	var s float64
	if b >= 0 {
		s = -2 * c / (b + root)
	} else {
		s = (root - b) / (2 * a)
	}
	if math.IsNaN(s) {
		return 1
	}
	return min(max(s, 0), 1)
}

// between returns the portfolio between a corner and the one before it, at 0 and 1.
func (f *Frontier) between(k int, s float64) Corner {
	a, b := f.Corners[k-1], f.Corners[k]
	mix := func(x, y []float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = x[i]
			if x[i] != y[i] {
				out[i] = float64((1-s)*x[i]) + float64(s*y[i])
			}
		}
		return out
	}
	return f.corner(Solution{
		Weights: mix(a.Weights, b.Weights), Bounds: mix(a.Bounds, b.Bounds), Rows: mix(a.Rows, b.Rows), Raised: a.Raised,
	}, (1-s)*a.Lambda+s*b.Lambda)
}
