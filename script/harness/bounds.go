package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// bounds limit the weights of an optimiser, one pair per symbol, and their sum.
type bounds struct {
	lower, upper []float64
	total        float64
}

const (
	feasible = 1e-12 // tolerance when sums of bounds are compared with the total
	atBound  = 1e-15 // weights that are nearer to a bound are set to it
)

// bounds reads the limits of each weight. lower and upper are each a number for
// all symbols, or a dictionary by symbol, in which a missing symbol has a lower
// bound of 0 or an upper bound of 1. Bounds that no weights can satisfy are an
// error.
func (c call) bounds(symbols []string, lower, upper starlark.Value, total real) (bounds, error) {
	b := bounds{total: float64(total)}
	var err error
	if b.lower, err = c.limits("lower", symbols, lower, 0); err != nil {
		return bounds{}, err
	}
	if b.upper, err = c.limits("upper", symbols, upper, 1); err != nil {
		return bounds{}, err
	}
	for i, s := range symbols {
		if b.lower[i] > b.upper[i] {
			return bounds{}, c.errorf("the lower bound of %s is %v, above its upper of %v", s, b.lower[i], b.upper[i])
		}
	}
	low, high := sum(b.lower), sum(b.upper)
	switch {
	case len(symbols) == 0:
	case low > b.total+feasible:
		return bounds{}, c.errorf("the lower bounds add up to %v, above the total of %v", low, b.total)
	case high < b.total-feasible:
		return bounds{}, c.errorf("the upper bounds add up to %v, below the total of %v", high, b.total)
	}
	return b, nil
}

func (c call) limits(what string, symbols []string, v starlark.Value, standard float64) ([]float64, error) {
	out := make([]float64, len(symbols))
	if _, by := v.(*starlark.Dict); !by {
		x, err := finite(v)
		if err != nil {
			return nil, c.errorf("%s %v, or a dictionary by symbol", what, err)
		}
		for i := range out {
			out[i] = x
		}
		return out, nil
	}
	k, err := c.numbers(what, v)
	if err != nil {
		return nil, err
	}
	for i, s := range symbols {
		out[i] = standard
		if x, ok := k.at(s); ok {
			out[i] = x
		}
	}
	return out, nil
}

// start returns weights within the bounds that add up to the total, each at the
// same fraction of its range; without bounds they are equal weights. It sets upper
// bounds that cannot be reached to infinity.
func (b bounds) start() []float64 {
	rest := b.total - sum(b.lower)
	w := make([]float64, len(b.lower))
	var room float64
	for i, low := range b.lower {
		w[i] = min(b.upper[i], low+rest) - low
		room += w[i]
	}
	for i, low := range b.lower {
		if w[i] > 0 {
			w[i] = low + rest*w[i]/room
		} else {
			w[i] = low
		}
		if b.upper[i] >= low+rest {
			b.upper[i] = math.Inf(1)
		}
	}
	return w
}
