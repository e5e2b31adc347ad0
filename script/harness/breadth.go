package harness

import "go.starlark.net/starlark"

// breadth(scores, threshold=0.0) is the fraction of the scores that are above
// threshold, from 0 to 1. It is 0 for empty scores.
func breadth(c call) (starlark.Value, error) {
	all, high, err := c.over()
	if err != nil {
		return nil, err
	}
	if len(all.symbols) == 0 {
		return starlark.Float(0), nil
	}
	return c.number(float64(len(high.symbols)) / float64(len(all.symbols)))
}

// above(scores, threshold=0.0) is the dictionary of the scores that are above
// threshold, in the order of scores.
func above(c call) (starlark.Value, error) {
	_, high, err := c.over()
	if err != nil {
		return nil, err
	}
	return c.dict(high)
}

// over reads scores and a threshold and returns all scores and those above it.
func (c call) over() (all, high keyed, err error) {
	var scores starlark.Value
	var threshold real
	if err := c.unpack(&scores, &threshold); err != nil {
		return keyed{}, keyed{}, err
	}
	if all, err = c.numbers("scores", scores); err != nil {
		return keyed{}, keyed{}, err
	}
	for i, x := range all.values {
		if x > float64(threshold) {
			high.symbols = append(high.symbols, all.symbols[i])
			high.values = append(high.values, x)
		}
	}
	return all, high, nil
}
