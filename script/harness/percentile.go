package harness

import (
	"math"
	"slices"

	"go.starlark.net/starlark"
)

// percentile(values, q) is the q-quantile for q from 0 to 1: the value at position
// q·(n−1) of the sorted values, with linear interpolation. This is definition 7 of
// Hyndman and Fan (1996) and numpy's default. It needs at least one value.
func percentile(c call) (starlark.Value, error) {
	var values starlark.Value
	var q real
	if err := c.unpack(&values, &q); err != nil {
		return nil, err
	}
	if q < 0 || q > 1 {
		return nil, c.errorf("q is %v; it must be from 0 to 1", float64(q))
	}
	v, err := c.floats("values", values, 1)
	if err != nil {
		return nil, err
	}
	return c.number(quantile(v, float64(q)))
}

func quantile(v []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	at := q * float64(len(sorted)-1)
	below := math.Floor(at)
	i := int(below)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	// From the nearer end, so that q = 1 and equal neighbours are exact.
	share, step := at-below, sorted[i+1]-sorted[i]
	if share >= 0.5 {
		return sorted[i+1] - float64(step*(1-share))
	}
	return sorted[i] + float64(step*share)
}

func median(v []float64) float64 { return quantile(v, 0.5) }

// percent_rank(values, n=None) is the fraction of the earlier values that are below
// the last one, from 0 to 1. Equal values count half. Only the last n values are
// used, or all without n. It needs n values, and at least two.
func percentRank(c call) (starlark.Value, error) {
	v, err := c.window(2)
	if err != nil {
		return nil, err
	}
	last := v[len(v)-1]
	var below float64
	for _, x := range v[:len(v)-1] {
		switch {
		case x < last:
			below++
		case x == last:
			below += 0.5
		}
	}
	return c.number(below / float64(len(v)-1))
}
