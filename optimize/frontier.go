package optimize

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var (
	errFrontierLimits = errors.New("a frontier takes bounds and rows, but no limits of turnover or tracking error")
	errFrontierLong   = errors.New("the frontier has too many corner portfolios")
)

// Corner is an efficient portfolio: the weights of least w'Σw/2 − Lambda·gain'w. Its
// Solution has the multipliers that prove it, for the problem with that linear part.
type Corner struct {
	Solution
	Lambda float64
	Gain   float64 // gain'w
	Risk   float64 // √(w'Σw)
}

// Frontier is the efficient frontier: the weights of least risk at each gain from that
// of least risk to the highest.
type Frontier struct {
	// Corners are the portfolios at which a limit begins or ceases to hold, in the order
	// of their gains. Between two of them weights, multipliers and Lambda are linear. The
	// first has the least risk, the last the highest gain. A frontier of one portfolio
	// has one corner.
	Corners []Corner

	covariance *mat.SymDense
	gain       []float64
}

// NewFrontier computes the frontier of a problem without a linear part, for expected
// returns gain. Limits that contradict one another are a *Clash. If the covariance does
// not determine all weights, variances count as larger by a millionth of their mean.
//
// The method is the critical line of Markowitz (1956), as Bailey and López de Prado
// (2013) describe it, with rows: while the same weights are between their bounds and the
// same rows hold with equality, the solution is linear in λ, and the least λ at which
// that changes is the next corner. There, each solution is computed anew, so errors do
// not add up. Where so many limits change at once that exchanging them one at a time gets
// nowhere, the path continues from the optimum at a slightly larger λ.
//
// Gains that differ by less than about 1e-8 of what risk would have to fall by for them
// are not told apart.
func NewFrontier(p Problem, gain []float64) (*Frontier, error) {
	if p.Tracking != nil || p.Turnover != nil {
		return nil, errFrontierLimits
	}
	p.Linear = nil
	f := &Frontier{covariance: p.Covariance, gain: slices.Clone(gain)}
	q, err := newQuadratic(p)
	if err != nil {
		return nil, err
	}
	if !determined(p.Covariance) {
		q.raised = apart
	}
	size := floats.Norm(gain, math.Inf(1))
	if size == 0 {
		size = 1
	}
	line := &critical{quadratic: q, gain: make([]float64, q.n)}
	floats.ScaleTo(line.gain, 1/size, gain)
	err = line.trace(func(s Solution, theta float64) {
		s.Weights, s.Bounds, s.Rows = slices.Clone(s.Weights), slices.Clone(s.Bounds), slices.Clone(s.Rows)
		f.add(q.unscaled(s), theta*q.level/size)
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// determined reports whether the covariance alone determines all weights.
func determined(c *mat.SymDense) bool {
	var factor mat.Cholesky
	if !factor.Factorize(c) {
		return false
	}
	u := factor.RawU()
	for i := range c.SymmetricDim() {
		if p := u.At(i, i); p*p < leastPivot*c.At(i, i) {
			return false
		}
	}
	return true
}

// add appends a corner, or replaces the last one if only its multipliers differ: the
// portfolio then is efficient at all λ between them.
func (f *Frontier) add(s Solution, lambda float64) {
	f.Corners = append(f.Corners, f.corner(s, lambda))
	k := len(f.Corners)
	same := func(a, b Corner) bool { return floats.Distance(a.Weights, b.Weights, math.Inf(1)) < atBound }
	if k > 2 && same(f.Corners[k-1], f.Corners[k-2]) && same(f.Corners[k-2], f.Corners[k-3]) {
		f.Corners = slices.Delete(f.Corners, k-2, k-1)
	}
}

func (f *Frontier) corner(s Solution, lambda float64) Corner {
	return Corner{
		Solution: s, Lambda: lambda,
		Gain: floats.Dot(f.gain, s.Weights), Risk: math.Sqrt(max(0, variance(f.covariance, s.Weights))),
	}
}

// critical is the solution of w'Σw/2 − θ·gain'w at one θ after another, for gains of at
// most 1.
type critical struct {
	*quadratic
	gain  []float64
	theta float64
	at    found
}

// event is the next change of the active limits: at weight or row, it is reached or
// leaves.
type event struct {
	after  float64 // in θ
	weight int     // or −1
	row    int     // or −1
	limit  float64 // that is reached
	leaves bool
}

// trace calls see with the solution at θ = 0 and at each corner.
func (c *critical) trace(see func(s Solution, theta float64)) error {
	if err := c.solveAt(0); err != nil {
		return err
	}
	see(c.at.Solution, 0)
	still := 0 // changes in a row without a step
	for range 20*(c.n+len(c.Rows)) + 100 {
		next, ok := c.step()
		switch {
		case !ok:
			still = math.MaxInt
		case math.IsInf(next.after, 1) || c.theta+next.after > steepest:
			return nil
		case next.after > 1e-13*c.theta+1e-15:
			still = 0
			see(c.at.Solution, c.theta)
		default:
			still++
		}
		if still > 10+len(c.at.free) {
			if err := c.jump(); err != nil {
				return err
			}
			still = 0
			see(c.at.Solution, c.theta)
		}
	}
	return errFrontierLong
}

// solveAt finds the solution at θ without the one before it.
func (c *critical) solveAt(theta float64) (err error) {
	c.theta = theta
	floats.ScaleTo(c.linear, -theta, c.gain)
	if c.at, _, err = c.solve(); err == nil && c.broken(c.at.Weights) > lost {
		err = errLost
	}
	return err
}

// jump continues at a θ that is larger by so much that the limits can be told apart.
func (c *critical) jump() error { return c.solveAt(c.theta + 1e-7*(c.theta+0.01)) }

// step moves to the next change and makes it. It reports false if the equations of the
// active limits cannot be solved. If nothing changes any more, the change is at infinity.
func (c *critical) step() (event, bool) {
	k := c.factorise(c.at.free, c.at.active)
	weights, rows := make([]float64, c.n), make([]float64, len(c.Rows))
	if len(c.at.free) > 0 {
		if k == nil {
			return event{}, false
		}
		right := mat.NewVecDense(len(c.at.free), nil)
		for a, i := range c.at.free {
			right.SetVec(a, c.gain[i])
		}
		change := k.solve(right, nil)
		for a, i := range c.at.free {
			weights[i] = right.AtVec(a)
		}
		for a, e := range c.at.active {
			rows[e.row] = change[a]
		}
	}
	bounds := c.slope(weights, rows)
	next := c.next(weights, rows, bounds)
	if math.IsInf(next.after, 1) || c.theta+next.after > steepest {
		return next, true
	}
	c.theta += next.after
	floats.ScaleTo(c.linear, -c.theta, c.gain)
	floats.AddScaled(c.at.Weights, next.after, weights)
	floats.AddScaled(c.at.Rows, next.after, rows)
	c.change(next)
	if len(c.at.free) > 0 {
		if k = c.factorise(c.at.free, c.at.active); k == nil {
			return event{}, false
		}
		for range 2 {
			c.improve(&c.at, k)
		}
		for _, i := range c.at.free {
			w := c.at.Weights[i]
			if w < c.Lower[i]-strayed || w > c.Upper[i]+strayed {
				return event{}, false
			}
			c.at.Weights[i] = min(max(w, c.Lower[i]), c.Upper[i])
		}
		if c.broken(c.at.Weights) > strayed {
			return event{}, false // rounding let go of a row too early
		}
	}
	c.reduce(&c.at)
	return next, true
}

// slope returns how fast the multipliers of the bounds change with θ.
func (c *critical) slope(weights, rows []float64) []float64 {
	out := c.gradient(weights)
	floats.Sub(out, c.linear) // Σ·weights alone
	floats.Sub(out, c.gain)
	for r, row := range c.Rows {
		if rows[r] != 0 {
			for k, i := range row.Members {
				out[i] -= float64(row.coefficient(k) * rows[r])
			}
		}
	}
	return out
}

// slow is a rate of change that rounding alone may leave.
const slow = 1e-11

// next returns the first change.
func (c *critical) next(weights, rows, bounds []float64) event {
	first := event{after: math.Inf(1)}
	see := func(e event, distance, rate float64) {
		if rate > slow {
			if e.after = max(0, distance) / rate; e.after < first.after {
				first = e
			}
		}
	}
	free := make([]bool, c.n)
	for _, i := range c.at.free {
		free[i] = true
	}
	for i, w := range c.at.Weights {
		switch {
		case free[i]:
			see(event{weight: i, row: -1, limit: c.Lower[i]}, w-c.Lower[i], -weights[i])
			see(event{weight: i, row: -1, limit: c.Upper[i]}, c.Upper[i]-w, weights[i])
		case c.Lower[i] == c.Upper[i]:
		case w == c.Lower[i]:
			see(event{weight: i, row: -1, leaves: true}, c.at.Bounds[i], -bounds[i])
		default:
			see(event{weight: i, row: -1, leaves: true}, -c.at.Bounds[i], bounds[i])
		}
	}
	active := make([]bool, len(c.Rows))
	for _, e := range c.at.active {
		active[e.row] = true
		row := c.Rows[e.row]
		switch {
		case row.Min == row.Max:
		case e.limit == row.Min:
			see(event{weight: -1, row: e.row, leaves: true}, c.at.Rows[e.row], -rows[e.row])
		default:
			see(event{weight: -1, row: e.row, leaves: true}, -c.at.Rows[e.row], rows[e.row])
		}
	}
	for r, row := range c.Rows {
		if !active[r] && row.Min != row.Max {
			v, rate := row.Of(c.at.Weights), row.Of(weights)
			see(event{weight: -1, row: r, limit: row.Min}, v-row.Min, -rate)
			see(event{weight: -1, row: r, limit: row.Max}, row.Max-v, rate)
		}
	}
	return first
}

// change makes the limit of an event active, or inactive.
func (c *critical) change(e event) {
	switch {
	case e.row >= 0 && e.leaves:
		c.at.Rows[e.row] = 0
		c.at.active = slices.DeleteFunc(c.at.active, func(a equation) bool { return a.row == e.row })
	case e.row >= 0:
		c.at.active = append(c.at.active, equation{e.row, e.limit})
	case e.leaves:
		c.at.free = append(c.at.free, e.weight)
		slices.Sort(c.at.free)
	default:
		c.at.Weights[e.weight] = e.limit
		c.at.free = slices.DeleteFunc(c.at.free, func(i int) bool { return i == e.weight })
	}
}
