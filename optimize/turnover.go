package optimize

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var errTurnover = errors.New("no weights within the turnover limit were found")

// traded solves a problem with a turnover limit. If each weight is known to rise or to
// fall, turnover is a sum, and the limit a row. The weights that the optimum for one such
// choice leaves untraded, and that would rather go the other way, change sides. The
// objective falls with each change, so the search ends.
func traded(p Problem) (Solution, error) {
	limit := p.Turnover
	p.Turnover = nil
	n := len(p.Lower)
	s, err := linear(p)
	if err != nil {
		return Solution{}, err
	}
	if limit.Of(s.Weights) <= limit.Max {
		s.Traded = make([]float64, n)
		return s, nil
	}
	rises := sides(p, limit, s.Weights)
	for k, reachable := 0, false; k < 100+10*n; k++ {
		s, err := linear(p.oneSided(limit, rises))
		var clash *Clash
		switch {
		case errors.As(err, &clash) && !reachable:
			near, err := reach(p, limit)
			if err != nil {
				return Solution{}, err
			}
			reachable, rises = true, sides(p, limit, near)
			continue
		case err != nil:
			return Solution{}, err
		}
		if s = p.divide(limit, s, rises); !p.turn(limit, s, rises) {
			return s, nil
		}
	}
	return Solution{}, errTurnover
}

// sides returns which weights rise on the way from what is held to w.
func sides(p Problem, limit *Turnover, w []float64) []bool {
	rises := make([]bool, len(w))
	for i, held := range limit.Current {
		rises[i] = w[i] >= held && held < p.Upper[i] || held < p.Lower[i]
	}
	return rises
}

// oneSided returns the problem in which some weights rise and the others fall.
func (p Problem) oneSided(limit *Turnover, rises []bool) Problem {
	p.Lower, p.Upper = slices.Clone(p.Lower), slices.Clone(p.Upper)
	row := Total(len(rises), limit.Max)
	row.Min = math.Inf(-1)
	row.Coefficients = make([]float64, len(rises))
	for i, held := range limit.Current {
		row.Coefficients[i] = -1
		if rises[i] {
			row.Coefficients[i] = 1
			p.Lower[i] = max(p.Lower[i], held)
		} else {
			p.Upper[i] = min(p.Upper[i], held)
		}
		row.Max += row.Coefficients[i] * held
	}
	p.Rows = append(slices.Clone(p.Rows), row)
	return p
}

// divide turns a solution of a one-sided problem into one of the problem: the multiplier
// of the row, and those of the bounds at what is held, become the pulls of the turnover
// limit. What does not fit into them stays with the bounds.
func (p Problem) divide(limit *Turnover, s Solution, rises []bool) Solution {
	multiplier := -s.Rows[len(p.Rows)]
	s.Rows = s.Rows[:len(p.Rows)]
	s.Traded = make([]float64, len(s.Weights))
	for i, w := range s.Weights {
		pull := -multiplier
		if rises[i] {
			pull = multiplier
		}
		if w == limit.Current[i] {
			rest := s.Bounds[i] - pull // the gradient without bounds and turnover
			pull = min(max(-rest, -multiplier), multiplier)
			s.Bounds[i] = rest + pull
		}
		s.Traded[i] = pull
	}
	return s
}

// turn changes the side of the weights whose bounds have a multiplier where there is no
// bound, and reports whether there were any.
func (p Problem) turn(limit *Turnover, s Solution, rises []bool) (turned bool) {
	level := mat.Trace(p.Covariance) / float64(len(rises))
	for i, w := range s.Weights {
		excess := s.Bounds[i]
		if w != limit.Current[i] || excess > 0 && w == p.Lower[i] || excess < 0 && w == p.Upper[i] {
			continue
		}
		if excess > tied*level && rises[i] || excess < -tied*level && !rises[i] {
			rises[i], turned = !rises[i], true
		}
	}
	return turned
}

// reach returns weights within all limits, or a *Clash in which the turnover limit is the
// row after the last. It asks for the weights nearest to what is held, and adds the sum
// that the turnover is at those weights as a limit until they satisfy it.
func reach(p Problem, limit *Turnover) ([]float64, error) {
	n := len(p.Lower)
	q := Problem{Covariance: mat.NewSymDense(n, nil), Linear: make([]float64, n), Lower: p.Lower, Upper: p.Upper, Rows: slices.Clone(p.Rows)}
	for i := range n {
		q.Covariance.SetSym(i, i, 1)
	}
	floats.Sub(q.Linear, limit.Current)
	for range 200 {
		s, err := linear(q)
		var clash *Clash
		if errors.As(err, &clash) {
			return nil, clash.merged(len(p.Rows))
		}
		if err != nil {
			return nil, err
		}
		if limit.Of(s.Weights) <= limit.Max+1e-11 {
			return s.Weights, nil
		}
		cut := Total(n, limit.Max)
		cut.Min, cut.Coefficients = math.Inf(-1), make([]float64, n)
		for i, w := range s.Weights {
			switch held := limit.Current[i]; {
			case w > held:
				cut.Coefficients[i] = 1
			case w < held:
				cut.Coefficients[i] = -1
			}
			cut.Max += cut.Coefficients[i] * limit.Current[i]
		}
		q.Rows = append(q.Rows, cut)
	}
	return nil, errTurnover
}

// merged returns the clash with all rows from one on as that one.
func (c *Clash) merged(row int) *Clash {
	out := &Clash{}
	seen := false
	for _, l := range c.Limits {
		if l.Row >= row {
			if seen {
				continue
			}
			seen, l = true, Limit{Row: row, Upper: true}
		}
		out.Limits = append(out.Limits, l)
	}
	return out
}
