package harness

import (
	"slices"

	"go.starlark.net/starlark"
)

// order returns the positions of k from the highest value to the lowest, or from
// the lowest to the highest if sign is −1. Equal values keep their order.
func (k keyed) order(sign float64) []int {
	at := make([]int, len(k.values))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int {
		x, y := sign*k.values[i], sign*k.values[j]
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return at
}

// top(scores, n) is the list of the n symbols with the highest scores, best first;
// all symbols if there are fewer.
func top(c call) (starlark.Value, error) { return c.first(1) }

// bottom(scores, n) is the list of the n symbols with the lowest scores, lowest
// first; all symbols if there are fewer.
func bottom(c call) (starlark.Value, error) { return c.first(-1) }

func (c call) first(sign float64) (starlark.Value, error) {
	var scores starlark.Value
	var n int
	if err := c.unpack(&scores, &n); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, c.errorf("n is %d; it must be at least 0", n)
	}
	k, err := c.numbers("scores", scores)
	if err != nil {
		return nil, err
	}
	at := k.order(sign)
	best := make([]starlark.Value, min(n, len(at)))
	for i := range best {
		best[i] = starlark.String(k.symbols[at[i]])
	}
	return starlark.NewList(best), nil
}

// rank(scores) is a dictionary from symbols to ranks, in the order of scores. The
// highest score has rank 1.
func rank(c call) (starlark.Value, error) {
	var scores starlark.Value
	if err := c.unpack(&scores); err != nil {
		return nil, err
	}
	k, err := c.numbers("scores", scores)
	if err != nil {
		return nil, err
	}
	ranks := make([]int, len(k.symbols))
	for r, i := range k.order(1) {
		ranks[i] = r + 1
	}
	d := starlark.NewDict(len(ranks))
	for i, s := range k.symbols {
		_ = d.SetKey(starlark.String(s), starlark.MakeInt(ranks[i]))
	}
	return d, nil
}
