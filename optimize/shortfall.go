package optimize

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

var (
	errShortfallTracking = errors.New("least expected shortfall takes no limit of tracking error")
	errShortfallLong     = errors.New("the search for the least expected shortfall did not end")
)

// Tail is a set of scenarios and the share of them that counts as the tail.
type Tail struct {
	Returns [][]float64 // per weight, of the same length, at least one
	Share   float64     // above 0 and below 1: 0.05 for a level of 95 %
}

// ceiling is the most that one scenario may count in the mean of the tail.
func (t Tail) ceiling() float64 { return 1 / (t.Share * float64(len(t.Returns[0]))) }

// ShortfallSolution is an optimum with the multipliers that prove it.
type ShortfallSolution struct {
	Weights []float64
	// Scenarios says how much each scenario counts in the mean of the tail. They add up
	// to 1.
	Scenarios []float64
	// Rows has a multiplier per row, as in Solution. Traded is that of the turnover
	// limit, at least 0.
	Rows   []float64
	Traded float64
}

// LeastShortfall returns the weights within the limits whose expected shortfall (CVaR) is
// least: the mean loss of the worst share of the scenarios, of which the last may count in
// part. If the tail is less than one scenario, it is the worst loss. The covariance is
// that of the weights to begin with; a linear part has no effect. Limits that contradict
// one another are a *Clash.
//
// Rockafellar and Uryasev (2000) write it as the least of α + Σ max(0, loss − α)/(share·T)
// over the weights and α, which is piecewise linear. The method moves along edges, on
// which all but one of the planes that meet in a point stay met, through as many kinks as
// the objective falls (Bartels, Conn and Sinclair 1978; as the dual simplex method with
// long steps). It begins at the weights of least variance and leaves them only where the
// objective falls. So if several weights are best, the same input always gives the same
// ones, and members that move alike keep their shares of the weights of least variance as
// far as the limits allow.
func LeastShortfall(p Problem, tail Tail) (ShortfallSolution, error) {
	if p.Tracking != nil {
		return ShortfallSolution{}, errShortfallTracking
	}
	if len(p.Lower) == 0 {
		return ShortfallSolution{Rows: make([]float64, len(p.Rows)), Scenarios: even(tail)}, nil
	}
	p.Linear = nil
	start, err := Quadratic(p)
	if err != nil {
		return ShortfallSolution{}, err
	}
	e := newEdges(p, tail, start)
	if err := e.run(); err != nil {
		return ShortfallSolution{}, err
	}
	return e.solution(), nil
}

// even returns the same share for all scenarios.
func even(tail Tail) []float64 {
	out := make([]float64, len(tail.Returns[0]))
	floats.AddConst(1/float64(len(out)), out)
	return out
}

// Shortfall returns the expected shortfall of weights.
func (t Tail) Shortfall(w []float64) float64 {
	losses := make([]float64, len(t.Returns[0]))
	for i, column := range t.Returns {
		if w[i] != 0 {
			floats.AddScaled(losses, -w[i], column)
		}
	}
	slices.SortFunc(losses, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	left := 1.0
	var mean float64
	for _, loss := range losses {
		part := min(left, t.ceiling())
		mean += float64(part * loss)
		if left -= part; left <= 0 {
			break
		}
	}
	return mean
}

// CertifyShortfall returns how far a solution is from proven: the most by which a limit is
// broken, or the gap between its expected shortfall and the least that any weights can
// have, relative to the mean size of the members' returns in the tail. Scenarios that each count at most 1/(share·T) and add up to 1 have a mean loss of at most the
// shortfall, whatever the weights; its least over the bounds, with multipliers for the
// other limits, is the bound from below (weak duality).
func (p Problem) CertifyShortfall(tail Tail, s ShortfallSolution) float64 {
	worst := math.Abs(floats.Sum(s.Scenarios) - 1)
	var scale float64
	price := make([]float64, len(s.Weights)) // of each weight, in the mean of the tail
	for t, share := range s.Scenarios {
		worst = max(worst, -share, share-tail.ceiling())
		for i, column := range tail.Returns {
			price[i] -= float64(share * column[t])
			scale += math.Abs(share*column[t]) / float64(len(s.Weights))
		}
	}
	if scale == 0 {
		scale = 1
	}
	var least float64
	for r, row := range p.Rows {
		value, multiplier := 0.0, s.Rows[r]
		for k, i := range row.Members {
			a := 1.0
			if row.Coefficients != nil {
				a = row.Coefficients[k]
			}
			value += float64(a * s.Weights[i])
			price[i] -= float64(a * multiplier)
		}
		worst = max(worst, row.Min-value, value-row.Max)
		switch {
		case multiplier > 0:
			least += float64(multiplier * row.Min)
		case multiplier < 0:
			least += float64(multiplier * row.Max)
		}
	}
	var turnover float64
	for i, w := range s.Weights {
		low, high := p.Lower[i], p.Upper[i]
		worst = max(worst, low-w, w-high)
		if p.Turnover == nil {
			least += min(price[i]*low, price[i]*high)
			continue
		}
		held := p.Turnover.Current[i]
		turnover += math.Abs(w - held)
		cheapest := math.Inf(1)
		for _, at := range []float64{low, high, min(max(held, low), high)} {
			cheapest = min(cheapest, float64(price[i]*at)+float64(s.Traded*math.Abs(at-held)))
		}
		least += cheapest
	}
	if p.Turnover != nil {
		worst = max(worst, turnover-p.Turnover.Max, -s.Traded)
		least -= float64(s.Traded * p.Turnover.Max)
	}
	return max(worst, math.Abs(tail.Shortfall(s.Weights)-least)/scale)
}
