package optimize

import (
	"math"
	"slices"
)

const (
	// descents is the most steps of projected gradient that give the first guess of which
	// weights are at a bound, and settled after how many steps without another guess they
	// end.
	descents = 60
	settled  = 6
	// patience is how many exchanges in a row may leave more limits broken than the best
	// so far, before exchanging is given up.
	patience = 2
	// steps is the most steps of a walk.
	steps = 300
)

// pivot finds the optimum by exchanging all limits at once: free weights that are out of
// their bounds go to them, and weights that pull away from a bound leave it (block
// principal pivoting, Júdice and Pires 1994). Where most weights are at a bound it needs
// a few small systems of equations, and adding the limits one at a time needs hundreds of
// large ones. It may go round in circles, as with groups that bind; then it walks there
// from the guess. If that fails too, it reports false, and adding one at a time is the way
// that always ends.
func (q *quadratic) pivot() (found, bool) {
	start := q.guess()
	if s, ok := q.exchanged(start.clone()); ok {
		return s, true
	}
	return q.walk(start)
}

func (s found) clone() found {
	s.Weights, s.Rows = slices.Clone(s.Weights), slices.Clone(s.Rows)
	s.free, s.active = slices.Clone(s.free), slices.Clone(s.active)
	return s
}

// exchanged exchanges limits until none is wrong.
func (q *quadratic) exchanged(s found) (found, bool) {
	fewest, left := math.MaxInt, patience
	for range 100 {
		k := q.factorise(s.free, s.active)
		if k == nil {
			return found{}, false
		}
		clear(s.Rows)
		for range 2 {
			q.improve(&s, k)
		}
		q.reduce(&s)
		wrong := q.flip(&s)
		switch {
		case wrong == 0:
			return s, q.broken(s.Weights) <= rounding
		case wrong < fewest:
			fewest, left = wrong, patience
		case left == 0:
			return found{}, false
		default:
			left--
		}
	}
	return found{}, false
}

// flip exchanges the limits that are wrong, and returns how many they were.
func (q *quadratic) flip(s *found) (wrong int) {
	var free []int
	was := make([]bool, q.n)
	for _, i := range s.free {
		was[i] = true
	}
	for i, w := range s.Weights {
		low, high := q.Lower[i], q.Upper[i]
		switch {
		case was[i] && w < low-strayed:
			s.Weights[i] = low
			wrong++
		case was[i] && w > high+strayed:
			s.Weights[i] = high
			wrong++
		case was[i]:
			s.Weights[i] = min(max(w, low), high)
			free = append(free, i)
		case low < high && (w == low && s.Bounds[i] < -tied || w == high && s.Bounds[i] > tied):
			free = append(free, i)
			wrong++
		}
	}
	s.free = free
	s.active = slices.DeleteFunc(s.active, func(e equation) bool {
		row := q.Rows[e.row]
		away := row.Min != row.Max && (e.limit == row.Min && s.Rows[e.row] < -tied || e.limit == row.Max && s.Rows[e.row] > tied)
		if away {
			s.Rows[e.row] = 0
			wrong++
		}
		return away
	})
	for r, row := range q.Rows {
		if slices.ContainsFunc(s.active, func(e equation) bool { return e.row == r }) {
			continue
		}
		switch v := row.Of(s.Weights); {
		case v < row.Min-strayed:
			s.active = append(s.active, equation{r, row.Min})
			wrong++
		case v > row.Max+strayed:
			s.active = append(s.active, equation{r, row.Max})
			wrong++
		}
	}
	return wrong
}
