package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// drifted(weights, target, band, relative=False) reports whether any weight is
// more than band away from its target, in fractions of equity. With relative, the
// limit is band times the absolute target, so any weight is too much for a target
// of 0. A symbol that is missing from one dictionary counts as 0 there.
func drifted(c call) (starlark.Value, error) {
	var weights, target starlark.Value
	var band real
	var relative bool
	if err := c.unpack(&weights, &target, &band, &relative); err != nil {
		return nil, err
	}
	w, err := c.numbers("weights", weights)
	if err != nil {
		return nil, err
	}
	t, err := c.numbers("target", target)
	if err != nil {
		return nil, err
	}
	off := func(weight, goal float64) bool {
		most := float64(band)
		if relative {
			most *= math.Abs(goal)
		}
		return math.Abs(weight-goal) > most
	}
	held := make(map[string]float64, len(w.symbols))
	for i, s := range w.symbols {
		held[s] = w.values[i]
	}
	for i, s := range t.symbols {
		if off(held[s], t.values[i]) {
			return starlark.True, nil
		}
		delete(held, s)
	}
	for _, v := range held {
		if off(v, 0) {
			return starlark.True, nil
		}
	}
	return starlark.False, nil
}
