package harness

import "go.starlark.net/starlark"

// rsi(prices, n=14) is the relative strength index at the last price, from 0 to
// 100, as in Wilder, New Concepts in Technical Trading Systems (1978). The
// average gain and loss start as those of the first n changes and are then
// smoothed by a ← (a·(n−1) + change)/n. The index is 100·gain/(gain + loss), or 50
// if no price changed. It needs n + 1 prices.
func rsi(c call) (starlark.Value, error) {
	var prices, n starlark.Value
	if err := c.unpack(&prices, &n); err != nil {
		return nil, err
	}
	length, err := c.length(n, 14)
	if err != nil {
		return nil, err
	}
	p, err := c.floats("prices", prices, length+1)
	if err != nil {
		return nil, err
	}
	var gain, loss float64
	k := float64(length)
	for i := 1; i < len(p); i++ {
		change := p[i] - p[i-1]
		up, down := max(change, 0), max(-change, 0)
		switch {
		case i < length:
			gain, loss = gain+up, loss+down
		case i == length:
			gain, loss = (gain+up)/k, (loss+down)/k
		default:
			gain, loss = (float64(gain*(k-1))+up)/k, (float64(loss*(k-1))+down)/k
		}
	}
	if gain+loss == 0 {
		return starlark.Float(50), nil
	}
	return c.number(100 * gain / (gain + loss))
}
