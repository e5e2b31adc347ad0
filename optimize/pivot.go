package optimize

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

const (
	// descents is how many steps of projected gradient give the first guess of which
	// weights are at a bound.
	descents = 60
	// patience is how many exchanges in a row may leave more limits broken than the best
	// so far, before exchanging is given up.
	patience = 8
)

// pivot finds the optimum by exchanging all limits at once: free weights that are out of
// their bounds go to them, and weights that pull away from a bound leave it (block
// principal pivoting, Júdice and Pires 1994). Where most weights are at a bound it needs
// a few small systems of equations, and adding the limits one at a time needs hundreds of
// large ones. It may go round in circles; then it reports false, and adding one at a time
// is the way that always ends.
func (q *quadratic) pivot() (found, bool) {
	s := q.guess()
	fewest, left := math.MaxInt, patience
	for range 100 {
		factor, across := q.factorise(s.free, s.active)
		if factor == nil {
			return found{}, false
		}
		clear(s.Rows)
		for range 2 {
			q.improve(&s, across, factor)
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

// guess returns weights near the optimum within the bounds and the widest equation, with
// those that are at a bound. It takes accelerated steps of projected gradient (Beck and
// Teboulle 2009).
func (q *quadratic) guess() found {
	s := found{Solution: Solution{Rows: make([]float64, len(q.Rows))}}
	widest := -1
	for r, row := range q.Rows {
		if row.Min != row.Max {
			continue
		}
		s.active = append(s.active, equation{r, row.Min})
		if widest < 0 || len(row.Members) > len(q.Rows[widest].Members) {
			widest = r
		}
	}
	w := make([]float64, q.n)
	for i := range w {
		w[i] = (q.Lower[i] + q.Upper[i]) / 2
	}
	q.project(w, widest)
	size := q.largest()
	from, before, momentum := slices.Clone(w), slices.Clone(w), 1.0
	for range descents {
		copy(before, w)
		g := q.gradient(from)
		floats.AddScaledTo(w, from, -1/size, g)
		q.project(w, widest)
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		floats.SubTo(from, w, before)
		if floats.Dot(from, g) > 0 { // it went uphill: start again without momentum
			next = 1
			copy(from, w)
		} else {
			floats.Scale((momentum-1)/next, from)
			floats.Add(from, w)
		}
		momentum = next
	}
	s.Weights = w
	for i, x := range w {
		if x > q.Lower[i] && x < q.Upper[i] {
			s.free = append(s.free, i)
		}
	}
	return s
}

// largest returns an estimate of the largest eigenvalue, from above in practice: ten
// steps of the power method and a tenth more.
func (q *quadratic) largest() float64 {
	v := make([]float64, q.n)
	floats.AddConst(1/math.Sqrt(float64(q.n)), v)
	size := 1.0
	for range 10 {
		next := q.gradient(v)
		floats.Sub(next, q.linear)
		size = floats.Norm(next, 2)
		if size == 0 {
			return 1
		}
		floats.ScaleTo(v, 1/size, next)
	}
	return 1.1 * size
}

// project moves w to the nearest point within the bounds that satisfies an equation, if
// there is one: the point is w + λa, held within the bounds.
func (q *quadratic) project(w []float64, equation int) {
	if equation < 0 {
		for i, x := range w {
			w[i] = min(max(x, q.Lower[i]), q.Upper[i])
		}
		return
	}
	row := q.Rows[equation]
	along := make([]float64, q.n)
	for k, i := range row.Members {
		along[i] = row.coefficient(k)
	}
	// The sum grows with λ piecewise linearly: Newton's step is exact on each piece, and
	// halving keeps it between the ends.
	var lambda float64
	low, high := math.Inf(-1), math.Inf(1)
	for range 60 {
		var sum, slope float64
		for i, x := range w {
			v := x + lambda*along[i]
			switch {
			case v <= q.Lower[i]:
				sum += along[i] * q.Lower[i]
			case v >= q.Upper[i]:
				sum += along[i] * q.Upper[i]
			default:
				sum += along[i] * v
				slope += along[i] * along[i]
			}
		}
		gap := row.Min - sum
		if math.Abs(gap) < 1e-14 {
			break
		}
		if gap > 0 {
			low = lambda
		} else {
			high = lambda
		}
		next := lambda + gap/slope
		if !(next > low && next < high) {
			switch {
			case math.IsInf(high, 1):
				next = max(2*lambda, lambda+1)
			case math.IsInf(low, -1):
				next = min(2*lambda, lambda-1)
			default:
				next = (low + high) / 2
			}
		}
		lambda = next
	}
	for i, x := range w {
		w[i] = min(max(x+lambda*along[i], q.Lower[i]), q.Upper[i])
	}
}
