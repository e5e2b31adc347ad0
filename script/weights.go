package script

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"ballast/backtest"
)

// cashTolerance is the accepted difference between a stated CASH and what the
// members leave.
const cashTolerance = 1e-9

// mostFractions is the largest accepted sum of weights that are all at least 1.
// A larger sum is refused, because the weights are probably percentages.
const mostFractions = 10

// weights writes what decide returned into target, one weight per member.
func (r *Runner) weights(v starlark.Value, target []float64) error {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return fmt.Errorf("decide returned a %s; it must return a dictionary from symbols to weights, or None for no trade", v.Type())
	}
	cash, stated, total := 0.0, false, 0.0
	least := math.Inf(1) // the smallest weight other than 0
	it := d.Iterate()
	defer it.Done()
	var key starlark.Value
	for it.Next(&key) {
		value, _, err := d.Get(key)
		if err != nil {
			return err
		}
		symbol, ok := starlark.AsString(key)
		if !ok {
			return fmt.Errorf("decide returned the key %s; keys must be symbols", key)
		}
		w, err := weight(symbol, value)
		if err != nil {
			return err
		}
		if w != 0 {
			least = min(least, w)
		}
		if symbol == backtest.CashKey {
			cash, stated = w, true
			continue
		}
		i, err := r.ctx.member(symbol)
		if err != nil {
			return err
		}
		if err := r.ctx.holdable(i, w); err != nil {
			return err
		}
		target[i] = w
		total += w
	}
	if sum := total + cash; least >= 1 && sum > mostFractions {
		return fmt.Errorf("the weights add up to %v, which looks like percentages; weights are fractions of equity: 0.6 is 60 %%", sum)
	}
	if stated && math.Abs(cash-(1-total)) > cashTolerance {
		return fmt.Errorf("CASH is %v, but the other weights leave %v; leave CASH out, it is always what remains", cash, 1-total)
	}
	return nil
}

func weight(symbol string, v starlark.Value) (float64, error) {
	w, ok := starlark.AsFloat(v)
	switch {
	case !ok:
		return 0, fmt.Errorf("the weight of %s is a %s; it must be a number", symbol, v.Type())
	case math.IsNaN(w):
		return 0, fmt.Errorf("the weight of %s is not a number (NaN)", symbol)
	case math.IsInf(w, 0):
		return 0, fmt.Errorf("the weight of %s is infinite", symbol)
	}
	return w, nil
}

// holdable refuses a weight for a member that does not have a bar yet.
func (c *scriptContext) holdable(i int, w float64) error {
	m := &c.frame.Members[i]
	if w == 0 || m.First >= 0 && m.First <= c.t {
		return nil
	}
	if m.First < 0 {
		return fmt.Errorf("%s has a weight of %v, but no bar; ctx.universe has the symbols that can be held", m.Key, w)
	}
	return fmt.Errorf("%s has a weight of %v, but no bar yet (its first is on %s); ctx.universe has the symbols that can be held", m.Key, w, c.frame.Axis[m.First])
}
