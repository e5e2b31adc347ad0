package harness

import (
	"math"
	"slices"

	"go.starlark.net/starlark"
)

// normalize(weights, total=1.0) scales weights so that their absolute values add
// up to total: w·total/Σ|w|. Weights that are all zero stay zero.
func normalize(c call) (starlark.Value, error) {
	var weights starlark.Value
	var total real
	if err := c.unpack(&weights, &total); err != nil {
		return nil, err
	}
	k, err := c.numbers("weights", weights)
	if err != nil {
		return nil, err
	}
	var gross float64
	for _, w := range k.values {
		gross += math.Abs(w)
	}
	for i := range k.values {
		if gross > 0 {
			k.values[i] = k.values[i] * float64(total) / gross
		}
	}
	return c.dict(k)
}

// cap(weights, limit) reduces weights to at most limit and distributes the excess
// over the others in proportion to their weights, until none is above limit. What
// the others cannot take is dropped. Weights must be at least 0. The weights of an
// optimiser are solved for again, with limit as an upper bound of each.
func capWeights(c call) (starlark.Value, error) {
	var weights starlark.Value
	var most real
	if err := c.unpack(&weights, &most); err != nil {
		return nil, err
	}
	limit := float64(most)
	k, err := c.numbers("weights", weights)
	if err != nil {
		return nil, err
	}
	if !(limit >= 0) {
		return nil, c.errorf("limit is %v; it must be at least 0", limit)
	}
	for i, w := range k.values {
		if w < 0 {
			return nil, c.errorf("the weight of %s is %v; weights must be at least 0", k.symbols[i], w)
		}
	}
	if p, ok := c.problemOf(weights, k); ok && len(k.values) > 0 && slices.Max(k.values) > limit {
		b, err := c.capped(p.bounds, limit)
		if err != nil {
			return nil, err
		}
		return c.optimum(b, p.solve)
	}
	full := make([]bool, len(k.values))
	for {
		var freed, room float64
		for i, w := range k.values {
			if w > limit {
				freed += w - limit
				k.values[i], full[i] = limit, true
			} else if !full[i] {
				room += w
			}
		}
		if freed == 0 || room == 0 {
			return c.dict(k)
		}
		for i := range k.values {
			if !full[i] {
				k.values[i] += float64(k.values[i]*freed) / room
			}
		}
	}
}

// blend(a, b, share=0.5) is share·a + (1 − share)·b by symbol. The result has the
// symbols of a, then those that only b has. A symbol that is missing from one
// dictionary counts as 0 there.
func blend(c call) (starlark.Value, error) {
	var a, b starlark.Value
	var part real
	if err := c.unpack(&a, &b, &part); err != nil {
		return nil, err
	}
	share := float64(part)
	x, err := c.numbers("a", a)
	if err != nil {
		return nil, err
	}
	y, err := c.numbers("b", b)
	if err != nil {
		return nil, err
	}
	for i := range x.values {
		x.values[i] *= share
	}
	for i, s := range y.symbols {
		other := float64((1 - share) * y.values[i])
		if at := slices.Index(x.symbols, s); at >= 0 {
			x.values[at] += other
			continue
		}
		x.symbols = append(x.symbols, s)
		x.values = append(x.values, other)
	}
	return c.dict(x)
}
