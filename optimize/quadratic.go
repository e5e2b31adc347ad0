package optimize

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// leastPivot is the smallest pivot of a factorisation, relative to the diagonal, at
	// which the members' risks are told apart. Below it the optimum is not unique.
	leastPivot = 1e-10
	// apart is how much larger variances count where risks cannot be told apart, as a
	// share of their mean.
	apart = 1e-6
	// tied is the multiplier of a bound, for variances of 1, below which the weight would
	// do as well off the bound.
	tied = 1e-8
	// lost is by how much a row may be broken before the weights are no answer.
	lost = 1e-7
	// steepest is how far elements of l may be apart, for variances of 1.
	steepest = 1e8
	// atOnce is how many weights are solved for together before the others are tried.
	atOnce = 64
)

var errLost = errors.New("the numbers differ too much in size to find weights that satisfy all limits")

// Quadratic returns the weights of least w'Σw/2 + l'w within the limits. Limits that
// contradict one another are a *Clash.
//
// Where the covariance does not determine the weights, as for two members that move
// alike, all variances count as larger by a millionth of their mean, which spreads the
// weight evenly among those that would do as well; Solution.Raised says by how much.
//
// The method is that of Goldfarb and Idnani over a working set of the members: those
// that the optimum is likely to hold are solved for, the others stay at their lower
// bounds, and members whose gradient says so join until none does. If that needs many
// members, as with tight upper bounds, block pivoting is tried before.
func Quadratic(p Problem) (Solution, error) {
	switch {
	case p.Tracking != nil:
		return tracked(p)
	case p.Turnover != nil:
		return traded(p)
	}
	return linear(p)
}

// linear solves a problem without limits of tracking and turnover.
func linear(p Problem) (Solution, error) {
	if len(p.Lower) == 0 {
		return Solution{Rows: make([]float64, len(p.Rows))}, nil
	}
	q, err := newQuadratic(p)
	if err != nil {
		return Solution{}, err
	}
	s, unique, err := q.solve()
	if err == nil && !unique {
		q.raised = apart
		s, _, err = q.solve()
	}
	if err != nil && p.Linear != nil {
		s, err = q.fromWithin()
	}
	if err == nil && q.broken(s.Weights) > lost {
		err = errLost
	}
	if err != nil {
		return Solution{}, err
	}
	return q.unscaled(s.Solution), nil
}

// newQuadratic scales a problem.
func newQuadratic(p Problem) (*quadratic, error) {
	q := &quadratic{Problem: p, n: len(p.Lower)}
	q.level = mat.Trace(p.Covariance) / float64(q.n)
	if !(q.level > 0) || math.IsInf(q.level, 1) {
		return nil, errNotConvex
	}
	q.linear = make([]float64, q.n)
	if p.Linear != nil {
		floats.ScaleTo(q.linear, 1/q.level, p.Linear)
		if !(floats.Max(q.linear)-floats.Min(q.linear) <= steepest) {
			return nil, errLost
		}
	}
	return q, nil
}

// unscaled returns the solution in the units of the problem.
func (q *quadratic) unscaled(s Solution) Solution {
	floats.Scale(q.level, s.Bounds)
	floats.Scale(q.level, s.Rows)
	s.Raised = q.raised * q.level
	return s
}

// quadratic is a problem whose variances have a mean of 1.
type quadratic struct {
	Problem
	n      int
	level  float64
	linear []float64
	raised float64
}

// at returns an element of the matrix.
func (q *quadratic) at(i, j int) float64 {
	v := q.Covariance.At(i, j) / q.level
	if i == j {
		v += q.raised
	}
	return v
}

// gradient returns Σw + l. Most weights are 0.
func (q *quadratic) gradient(w []float64) []float64 {
	out := slices.Clone(q.linear)
	raw := q.Covariance.RawSymmetric()
	for i, x := range w {
		if x == 0 {
			continue
		}
		x /= q.level
		// Only the upper triangle is defined.
		for j := range i {
			out[j] += float64(x * raw.Data[j*raw.Stride+i])
		}
		floats.AddScaled(out[i:], x, raw.Data[i*raw.Stride+i:i*raw.Stride+q.n])
		out[i] += float64(x * q.level * q.raised)
	}
	return out
}

// found is a solution with the weights that are not at a bound, and the rows that hold
// with equality.
type found struct {
	Solution
	free   []int
	active []equation
}

type equation struct {
	row   int
	limit float64
}

// solve returns an optimum, and whether it is the only one.
func (q *quadratic) solve() (found, bool, error) {
	set := q.first()
	best := math.Inf(1)
	for tried := false; ; {
		if !tried && len(set) > 2*atOnce {
			tried = true
			if s, ok := q.pivot(); ok {
				unique := q.settle(&s)
				return s, unique, nil
			}
		}
		s, err := q.over(set)
		var clash *Clash
		if errors.As(err, &clash) && len(set) < q.n {
			set = q.grown(set)
			continue
		}
		if err != nil {
			return found{}, false, err
		}
		joining := q.joining(s, set)
		if len(joining) == 0 {
			unique := q.settle(&s)
			return s, unique, nil
		}
		// A member may leave only while the objective falls, so that no set comes twice.
		if value := q.value(s.Weights); value < best {
			best = value
			set = slices.DeleteFunc(set, func(i int) bool { return s.Bounds[i] > tied && s.Weights[i] == q.Lower[i] })
		}
		set = append(set, joining...)
		slices.Sort(set)
	}
}

func (q *quadratic) value(w []float64) float64 {
	g := q.gradient(w)
	return (floats.Dot(g, w) + floats.Dot(q.linear, w)) / 2
}

// first returns the members to begin with: all, or those of the lowest gradient at equal
// weights.
func (q *quadratic) first() []int {
	all := make([]int, q.n)
	for i := range all {
		all[i] = i
	}
	if q.n <= atOnce {
		return all
	}
	equal := make([]float64, q.n)
	floats.AddConst(1/float64(q.n), equal)
	g := q.gradient(equal)
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(g[a], g[b]) })
	all = all[:atOnce]
	slices.Sort(all)
	return all
}

// grown returns a set twice as large, for limits that the set alone cannot satisfy.
func (q *quadratic) grown(set []int) []int {
	size := min(2*len(set), q.n)
	inside := make([]bool, q.n)
	for _, i := range set {
		inside[i] = true
	}
	stride := max(1, (q.n-len(set))/max(1, size-len(set)))
	for i, seen := 0, 0; i < q.n; i++ {
		if !inside[i] {
			if seen%stride == 0 {
				set = append(set, i)
			}
			seen++
		}
	}
	slices.Sort(set)
	return set
}

// joining returns the members outside the set whose gradient says that they should be
// held, or might be: at most half as many as the set has, the most urgent first.
func (q *quadratic) joining(s found, set []int) []int {
	inside := make([]bool, q.n)
	for _, i := range set {
		inside[i] = true
	}
	var out []int
	for i := range q.n {
		if !inside[i] && q.Lower[i] < q.Upper[i] && s.Bounds[i] < tied {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(s.Bounds[a], s.Bounds[b]) })
	return out[:min(len(out), max(16, len(set)/2))]
}

// over solves for the members of set, with the others at their lower bounds.
func (q *quadratic) over(set []int) (found, error) {
	k := len(set)
	w := slices.Clone(q.Lower)
	place := make([]int, q.n)
	for i := range place {
		place[i] = -1
	}
	for at, i := range set {
		w[i], place[i] = 0, at
	}
	outside := q.gradient(w)
	lower, upper, linear := make([]float64, k), make([]float64, k), make([]float64, k)
	g := mat.NewSymDense(k, nil)
	for a, i := range set {
		lower[a], upper[a], linear[a] = q.Lower[i], q.Upper[i], outside[i]
		for b, j := range set[:a+1] {
			g.SetSym(b, a, q.at(i, j))
		}
	}
	rows := make([]Row, len(q.Rows))
	for r, row := range q.Rows {
		fixed := row.Of(w)
		part := Row{Min: row.Min - fixed, Max: row.Max - fixed}
		for c, i := range row.Members {
			if place[i] >= 0 {
				part.Members = append(part.Members, place[i])
				part.Coefficients = append(part.Coefficients, row.coefficient(c))
			}
		}
		rows[r] = part
	}
	d, ok := newDual(g, linear, lower, upper, rows)
	if !ok {
		for a := range k {
			g.SetSym(a, a, g.At(a, a)+apart) // settling undoes what this changes
		}
		if d, ok = newDual(g, linear, lower, upper, rows); !ok {
			return found{}, errNotConvex
		}
	}
	if err := d.run(); err != nil {
		var clash *Clash
		if errors.As(err, &clash) {
			for at, l := range clash.Limits {
				if l.Row < 0 {
					clash.Limits[at].Weight = set[l.Weight]
				}
			}
		}
		return found{}, err
	}
	s := found{Solution: Solution{Weights: w, Rows: make([]float64, len(q.Rows))}}
	for a, i := range set {
		switch d.held[a] {
		case -1:
			s.Weights[i] = q.Lower[i]
		case 1:
			s.Weights[i] = q.Upper[i]
		default:
			s.Weights[i] = min(max(d.x[a], q.Lower[i]), q.Upper[i])
			s.free = append(s.free, i)
		}
	}
	for at, l := range d.active {
		if l.Row >= 0 {
			s.Rows[l.Row] = d.sign[at] * d.u[at]
			s.active = append(s.active, equation{l.Row, q.Rows[l.Row].side(l.Upper)})
		}
	}
	q.reduce(&s)
	return s, nil
}

// reduce sets the multipliers of the bounds to what the rows leave of the gradient, and
// those of free weights to 0. It returns what was left for the free weights.
func (q *quadratic) reduce(s *found) []float64 {
	s.Bounds = q.gradient(s.Weights)
	for r, row := range q.Rows {
		if s.Rows[r] != 0 {
			for c, i := range row.Members {
				s.Bounds[i] -= float64(row.coefficient(c) * s.Rows[r])
			}
		}
	}
	left := make([]float64, len(s.free))
	for at, i := range s.free {
		left[at], s.Bounds[i] = s.Bounds[i], 0
	}
	return left
}
