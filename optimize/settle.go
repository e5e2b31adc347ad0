package optimize

import (
	"math"
	"slices"
)

const (
	// atBound is how near a weight may come to its bound before it is set to it.
	atBound = 1e-15
	// strayed is how far a free weight may be outside its bounds, by rounding.
	strayed = 1e-11
	// exact is the multiplier of the wrong sign, for variances of 1, that may remain.
	exact = 1e-13
)

// settle solves once more for the weights that are free, now exactly, so that the answer
// does not depend on the path that led there, and exchanges the few weights that only
// rounding has put on a bound or off it. It is false if the covariance does not determine
// the weights. If exchanging breaks a row, the weights stay as they were.
func (q *quadratic) settle(s *found) (unique bool) {
	var might []int
	for i := range q.n {
		if math.Abs(s.Bounds[i]) < tied && q.Lower[i] < q.Upper[i] {
			might = append(might, i)
		}
	}
	first := q.factorise(might, s.active)
	if first == nil && len(might) > 0 {
		return false
	}
	before := found{Solution{Weights: slices.Clone(s.Weights), Bounds: slices.Clone(s.Bounds), Rows: slices.Clone(s.Rows)}, nil, nil}
	for range q.n + 10 {
		k := first
		if !slices.Equal(s.free, might) {
			k = q.factorise(s.free, s.active)
		}
		if k != nil {
			for range 3 { // the first is the solution, the others refine it
				q.improve(s, k)
			}
		} else if len(s.free) > 0 {
			return false
		}
		if !q.exchange(s) {
			if q.broken(s.Weights) > rounding {
				break
			}
			return true
		}
	}
	*s = before
	return false
}

// broken returns the most by which a row is broken.
func (q *quadratic) broken(w []float64) (most float64) {
	for _, row := range q.Rows {
		v := row.Of(w)
		most = max(most, row.Min-v, v-row.Max)
	}
	return most
}

// exchange puts weights that have left their bounds back on them. If there are none, it
// frees the weight whose multiplier most has the wrong sign.
func (q *quadratic) exchange(s *found) bool {
	before := len(s.free)
	s.free = slices.DeleteFunc(s.free, func(i int) bool {
		w := s.Weights[i]
		switch {
		case w-q.Lower[i] < atBound:
			s.Weights[i] = q.Lower[i]
		case q.Upper[i]-w < atBound:
			s.Weights[i] = q.Upper[i]
		}
		return w < q.Lower[i]-strayed || w > q.Upper[i]+strayed
	})
	q.reduce(s)
	if len(s.free) < before {
		return true
	}
	worst, at := exact, -1
	for i, multiplier := range s.Bounds {
		if q.Lower[i] == q.Upper[i] {
			continue
		}
		if s.Weights[i] == q.Upper[i] {
			multiplier = -multiplier
		}
		if -multiplier > worst {
			worst, at = -multiplier, i
		}
	}
	if at < 0 {
		return false
	}
	s.free = append(s.free, at)
	slices.Sort(s.free)
	return true
}
