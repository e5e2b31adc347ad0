package optimize

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// walk moves to the optimum within the limits (the primal active-set method): towards the
// best weights with the active limits, until another limit is in the way and becomes
// active; from the best weights, it lets go of the limit whose multiplier most has the
// wrong sign. The objective never rises. It reports false where rows repeat one another
// and after too many steps.
func (q *quadratic) walk(s found) (found, bool) {
	for range steps {
		k := q.factorise(s.free, s.active)
		if k == nil && len(s.free) > 0 {
			return found{}, false
		}
		best := s.clone()
		if k != nil {
			for range 2 {
				q.improve(&best, k)
			}
		}
		if slices.ContainsFunc(best.active, func(e equation) bool { return math.Abs(q.Rows[e.row].Of(best.Weights)-e.limit) > rounding }) {
			return found{}, false
		}
		if q.blocked(&s, best) {
			continue
		}
		s = best
		q.reduce(&s)
		if !q.release(&s) {
			return s, q.broken(s.Weights) <= rounding
		}
	}
	return found{}, false
}

// fromWithin finds the optimum from weights that satisfy all limits. A steep linear part
// puts the minimum without limits so far away that rounding on the way back can break
// limits, or make them seem to contradict one another.
func (q *quadratic) fromWithin() (found, error) {
	near := *q
	near.level, near.raised, near.linear = 1, 0, make([]float64, q.n)
	near.Covariance = mat.NewSymDense(q.n, nil)
	for i := range q.n {
		near.Covariance.SetSym(i, i, 1)
	}
	s, _, err := near.solve()
	if err != nil {
		return found{}, err
	}
	s.active = nil
	clear(s.Rows)
	q.hold(&s, func(r int) (bool, bool) { return q.Rows[r].Min == q.Rows[r].Max, false })
	s, ok := q.walk(s)
	if !ok {
		return found{}, errLost
	}
	q.settle(&s)
	return s, nil
}

// blocked moves towards the best weights and makes the first limit on the way active, or
// reports that none is.
func (q *quadratic) blocked(s *found, best found) bool {
	along := make([]float64, q.n)
	floats.SubTo(along, best.Weights, s.Weights)
	reach, weight, at, limit := 1.0, -1, -1, 0.0
	see := func(distance, rate float64, i, r int, to float64) {
		if rate > noise*1e-4 && max(0, distance) < reach*rate {
			reach, weight, at, limit = max(0, distance)/rate, i, r, to
		}
	}
	for _, i := range s.free {
		w := s.Weights[i]
		see(w-q.Lower[i], -along[i], i, -1, q.Lower[i])
		see(q.Upper[i]-w, along[i], i, -1, q.Upper[i])
	}
	for r, row := range q.Rows {
		if !slices.ContainsFunc(s.active, func(e equation) bool { return e.row == r }) {
			v, rate := row.Of(s.Weights), row.Of(along)
			see(v-row.Min, -rate, -1, r, row.Min)
			see(row.Max-v, rate, -1, r, row.Max)
		}
	}
	switch {
	case weight >= 0:
		floats.AddScaled(s.Weights, reach, along)
		s.Weights[weight] = limit
		s.free = slices.DeleteFunc(s.free, func(i int) bool { return i == weight })
	case at >= 0:
		floats.AddScaled(s.Weights, reach, along)
		s.active = append(s.active, equation{at, limit})
	}
	return weight >= 0 || at >= 0
}

// release lets go of the limit whose multiplier most has the wrong sign, or reports that
// there is none.
func (q *quadratic) release(s *found) bool {
	worst, weight, at := tied, -1, -1
	for i, w := range s.Weights {
		switch low, high := q.Lower[i], q.Upper[i]; {
		case low == high:
		case w == low && -s.Bounds[i] > worst:
			worst, weight = -s.Bounds[i], i
		case w == high && s.Bounds[i] > worst:
			worst, weight = s.Bounds[i], i
		}
	}
	for k, e := range s.active {
		switch row := q.Rows[e.row]; {
		case row.Min == row.Max:
		case e.limit == row.Min && -s.Rows[e.row] > worst:
			worst, at = -s.Rows[e.row], k
		case e.limit == row.Max && s.Rows[e.row] > worst:
			worst, at = s.Rows[e.row], k
		}
	}
	switch {
	case at >= 0:
		s.Rows[s.active[at].row] = 0
		s.active = slices.Delete(s.active, at, at+1)
	case weight >= 0:
		s.free = append(s.free, weight)
		slices.Sort(s.free)
	}
	return at >= 0 || weight >= 0
}
