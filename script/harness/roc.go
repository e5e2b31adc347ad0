package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// roc(prices, n) is the rate of change over the last n sessions,
// p[−1]/p[−1−n] − 1, a fraction. It needs n + 1 prices.
func roc(c call) (starlark.Value, error) {
	var prices starlark.Value
	var n int
	if err := c.unpack(&prices, &n); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, c.errorf("n is %d; it must be an integer of at least 1", n)
	}
	p, err := c.floats("prices", prices, n+1)
	if err != nil {
		return nil, err
	}
	return c.number(change(p, n))
}

// change is the total return over the last n values.
func change(p []float64, n int) float64 { return p[len(p)-1]/p[len(p)-1-n] - 1 }

// momentum_score(prices, lookbacks, weights=None) is Σ wᵢ·roc(prices, lookbackᵢ).
// Without weights each of the k lookbacks has the weight 1/k. Lookbacks of 21, 63,
// 126 and 252 with weights 12, 4, 2 and 1 are the 13612W score of Keller and
// Keuning (2017). It needs one price more than the longest lookback.
func momentumScore(c call) (starlark.Value, error) {
	var prices, lookbacks, weights starlark.Value
	if err := c.unpack(&prices, &lookbacks, &weights); err != nil {
		return nil, err
	}
	sessions, longest, err := c.lengths("lookbacks", lookbacks)
	if err != nil {
		return nil, err
	}
	share := make([]float64, len(sessions))
	for i := range share {
		share[i] = 1 / float64(len(sessions))
	}
	if weights != starlark.None {
		if share, err = c.floats("weights", weights, 0); err != nil {
			return nil, err
		}
		if len(share) != len(sessions) {
			return nil, c.errorf("%d weights for %d lookbacks", len(share), len(sessions))
		}
	}
	p, err := c.floats("prices", prices, longest+1)
	if err != nil {
		return nil, err
	}
	var score float64
	for i, n := range sessions {
		score += float64(share[i] * change(p, n))
	}
	return c.number(score)
}

// lengths reads a list of at least one number of sessions and returns it with the
// longest. Whole floats are accepted, because an input of type array holds its
// numbers as floats.
func (c call) lengths(what string, v starlark.Value) (lengths []int, longest int, err error) {
	f, err := floatsOf(v)
	if err != nil {
		return nil, 0, c.errorf("%s: %v", what, err)
	}
	if len(f) == 0 {
		return nil, 0, c.errorf("%s is empty; it must have at least 1 element", what)
	}
	lengths = make([]int, len(f))
	for i, x := range f {
		if x != math.Trunc(x) || x < 1 || x > math.MaxInt32 {
			return nil, 0, c.errorf("%s: element %d is %v; it must be an integer of at least 1", what, i, x)
		}
		lengths[i] = int(x)
		longest = max(longest, lengths[i])
	}
	return lengths, longest, nil
}
