package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// limit_turnover(current, target, most) moves from current towards target as far
// as Σ|w − current| ≤ most allows. It is target if that is within the limit, else
// current + (target − current)·most/Σ|target − current|. A symbol that is missing
// from one dictionary counts as 0 there. The result has the symbols of current,
// then those that only target has.
func limitTurnover(c call) (starlark.Value, error) {
	var current, target starlark.Value
	var most real
	if err := c.unpack(&current, &target, &most); err != nil {
		return nil, err
	}
	if !(most >= 0) {
		return nil, c.errorf("most is %v; it must be at least 0", float64(most))
	}
	from, err := c.numbers("current", current)
	if err != nil {
		return nil, err
	}
	goal, err := c.numbers("target", target)
	if err != nil {
		return nil, err
	}
	held := len(from.symbols)
	at := make(map[string]int, held)
	for i, s := range from.symbols {
		at[s] = i
	}
	to := make([]float64, held, held+len(goal.symbols))
	for i, s := range goal.symbols {
		if j, both := at[s]; both {
			to[j] = goal.values[i]
			continue
		}
		from.symbols, from.values, to = append(from.symbols, s), append(from.values, 0), append(to, goal.values[i])
	}
	var traded float64
	for i, x := range to {
		traded += math.Abs(x - from.values[i])
	}
	if traded <= float64(most) {
		return c.dict(keyed{from.symbols, to})
	}
	for i, x := range to {
		from.values[i] += (x - from.values[i]) * float64(most) / traded
	}
	return c.dict(from)
}
