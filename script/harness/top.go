package harness

import (
	"slices"

	"go.starlark.net/starlark"
)

// order returns the positions of k from the highest value to the lowest, or
// times −1 from the lowest to the highest; equal ones keep their order.
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

// top(scores, n) is the list of the n symbols with the highest scores, best
// first; all of them where there are fewer.
func top(c call) (starlark.Value, error) { return c.first(1) }

// bottom(scores, n) is the list of the n symbols with the lowest scores, the
// lowest first; all of them where there are fewer.
func bottom(c call) (starlark.Value, error) { return c.first(-1) }

func (c call) first(sign float64) (starlark.Value, error) {
	var scores starlark.Value
	var n int
	if err := c.unpack(&scores, &n); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, c.errorf("n is %d; it is 0 or more", n)
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

// rank(scores) is a dictionary from symbols to ranks: 1 the highest score; in
// the order of scores.
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
