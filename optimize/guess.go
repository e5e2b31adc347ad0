package optimize

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// guess returns weights near the optimum, with those that are inside their bounds and the
// rows that hold with equality. It takes accelerated steps of projected gradient (Beck and
// Teboulle 2009).
func (q *quadratic) guess() found {
	w := make([]float64, q.n)
	for i := range w {
		w[i] = (q.Lower[i] + q.Upper[i]) / 2
	}
	within := &limited{quadratic: q, pulls: make([]float64, len(q.Rows))}
	within.project(w, 20)
	size := q.largest()
	from, before, momentum := slices.Clone(w), slices.Clone(w), 1.0
	sides, same := make([]int8, q.n), 0
	for k := range descents {
		copy(before, w)
		g := q.steepness(from)
		floats.AddScaledTo(w, from, -1/size, g)
		within.project(w, 3)
		if same++; q.differ(sides, w) {
			same = 0
		}
		if same >= settled && k >= descents/2 {
			break
		}
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
	s := found{Solution: Solution{Weights: w, Rows: make([]float64, len(q.Rows))}}
	for i, x := range w {
		if x > q.Lower[i] && x < q.Upper[i] {
			s.free = append(s.free, i)
		}
	}
	q.hold(&s, func(r int) (bool, bool) { return q.Rows[r].Min == q.Rows[r].Max, false })
	q.hold(&s, func(r int) (bool, bool) {
		return q.Rows[r].Min != q.Rows[r].Max && within.pulls[r] != 0, within.pulls[r] < 0
	})
	return s
}

// hold makes rows active whose coefficients of the free weights do not follow from those
// of the active rows. The others are satisfied as long as these are.
func (q *quadratic) hold(s *found, which func(row int) (is, upper bool)) {
	var span [][]float64
	add := func(r int) bool {
		row := q.Rows[r]
		all := make([]float64, q.n)
		for k, i := range row.Members {
			all[i] = row.coefficient(k)
		}
		own := make([]float64, len(s.free))
		for a, i := range s.free {
			own[a] = all[i]
		}
		size := floats.Norm(own, 2)
		for range 2 { // the second time against rounding
			for _, v := range span {
				floats.AddScaled(own, -floats.Dot(own, v), v)
			}
		}
		left := floats.Norm(own, 2)
		if left <= parallel*size || size == 0 {
			return false
		}
		floats.Scale(1/left, own)
		span = append(span, own)
		return true
	}
	for _, e := range s.active {
		add(e.row)
	}
	for r, row := range q.Rows {
		if is, upper := which(r); is && add(r) {
			s.active = append(s.active, equation{r, row.side(upper)})
		}
	}
}

// differ stores at which bounds weights are, and reports whether any is elsewhere than
// before.
func (q *quadratic) differ(sides []int8, w []float64) (changed bool) {
	for i, x := range w {
		var side int8
		switch x {
		case q.Lower[i]:
			side = -1
		case q.Upper[i]:
			side = 1
		}
		if sides[i] != side {
			sides[i], changed = side, true
		}
	}
	return changed
}

// steepness is the gradient of many weights, of which few are 0. Each row of the upper
// triangle is read once; gonum's Symv does the same without vector
// instructions.
func (q *quadratic) steepness(w []float64) []float64 {
	out := make([]float64, q.n)
	raw := q.Covariance.RawSymmetric()
	for i, x := range w {
		row := raw.Data[i*raw.Stride+i+1 : i*raw.Stride+q.n]
		out[i] += float64(x*raw.Data[i*raw.Stride+i]) + floats.Dot(row, w[i+1:])
		floats.AddScaled(out[i+1:], x, row)
	}
	for i, l := range q.linear {
		out[i] = l + float64(q.raised*w[i]) + out[i]/q.level
	}
	return out
}

// largest returns an estimate of the largest eigenvalue, from above in practice: ten
// steps of the power method and a tenth more.
func (q *quadratic) largest() float64 {
	v := make([]float64, q.n)
	floats.AddConst(1/math.Sqrt(float64(q.n)), v)
	size := 1.0
	for range 10 {
		next := q.steepness(v)
		floats.Sub(next, q.linear)
		size = floats.Norm(next, 2)
		if size == 0 {
			return 1
		}
		floats.ScaleTo(v, 1/size, next)
	}
	return 1.1 * size
}

// limited projects points to the nearest within the bounds and rows. The nearest point is
// the given one, pulled along each row's coefficients by a multiplier, and held within the
// bounds. The multipliers stay for the next point, which is near.
type limited struct {
	*quadratic
	pulls []float64
}

// project moves w to nearly the nearest point: in each sweep, each row gets the multiplier
// that satisfies it while the others stay.
func (l *limited) project(w []float64, sweeps int) {
	for r, row := range l.Rows {
		for k, i := range row.Members {
			w[i] += float64(l.pulls[r] * row.coefficient(k))
		}
	}
	for range sweeps {
		still := true
		for r, row := range l.Rows {
			if more := l.pull(r, row, w); more != 0 {
				l.pulls[r] += more
				for k, i := range row.Members {
					w[i] += float64(more * row.coefficient(k))
				}
				still = still && math.Abs(more) < 1e-12
			}
		}
		if still {
			break
		}
	}
	for i, x := range w {
		w[i] = min(max(x, l.Lower[i]), l.Upper[i])
	}
}

// pull returns what to add to the multiplier of a row.
func (l *limited) pull(r int, row Row, w []float64) float64 {
	sum, _ := l.along(row, w, 0)
	own := l.pulls[r]
	switch {
	case row.Min == row.Max:
		return l.reach(row, w, row.Min)
	case own > 0 || sum < row.Min:
		return max(own+l.reach(row, w, row.Min), 0) - own
	case own < 0 || sum > row.Max:
		return min(own+l.reach(row, w, row.Max), 0) - own
	}
	return 0
}

// along returns the row's sum at w + λa, held within the bounds, and how fast it grows
// with λ.
func (l *limited) along(row Row, w []float64, lambda float64) (sum, slope float64) {
	for k, i := range row.Members {
		a := row.coefficient(k)
		switch v := w[i] + float64(lambda*a); {
		case v <= l.Lower[i]:
			sum += float64(a * l.Lower[i])
		case v >= l.Upper[i]:
			sum += float64(a * l.Upper[i])
		default:
			sum += float64(a * v)
			slope += float64(a * a)
		}
	}
	return sum, slope
}

// reach returns the λ at which the row's sum is limit. The sum grows with λ piecewise
// linearly: Newton's step is exact on each piece, and halving keeps it between the ends.
func (l *limited) reach(row Row, w []float64, limit float64) (lambda float64) {
	low, high := math.Inf(-1), math.Inf(1)
	for range 60 {
		sum, slope := l.along(row, w, lambda)
		gap := limit - sum
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
	return lambda
}
