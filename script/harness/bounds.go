package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// bounds limit the weights of an optimiser, one a symbol, and their sum.
type bounds struct {
	lower, upper []float64
	total        float64
}

const (
	feasible = 1e-12 // how far sums of bounds may be on the wrong side
	atBound  = 1e-15 // what is nearer to a bound is on it
)

// bounds reads limits: each a number for all, or a dictionary by symbol, in which
// those that are missing have 0 and 1. They are an error where no weights keep
// them. An upper bound that the lower ones of the others keep anyway is infinite.
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

// start gives weights within the bounds, each as far up its range as all others,
// and makes upper bounds infinite that cannot be reached. Without bounds they are
// equal weights.
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
