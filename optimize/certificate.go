package optimize

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Certificate says how far a solution is from the conditions of Karush, Kuhn and
// Tucker, which are sufficient because the problem is convex.
type Certificate struct {
	// Infeasible is the most by which a bound or row is broken, in units of weight.
	Infeasible float64
	// Stationary is the largest element of Σw + l − bounds − Σ rows·a, Sign the largest
	// multiplier of the wrong sign, and Slack the largest product of a multiplier and the
	// distance from its limit. All three are relative to the largest Σⱼ|Σᵢⱼwⱼ| or |lᵢ|,
	// the size of the terms that cancel in the gradient.
	Stationary, Sign, Slack float64
}

// Residual returns the largest of the certificate's figures.
func (c Certificate) Residual() float64 {
	return max(c.Infeasible, c.Stationary, c.Sign, c.Slack)
}

// Certify checks a solution against the problem itself. It shares nothing with the
// solver but the problem's definition.
func (p Problem) Certify(s Solution) Certificate {
	n := len(s.Weights)
	w := mat.NewVecDense(n, s.Weights)
	gradient := mat.NewVecDense(n, nil)
	gradient.MulVec(p.Covariance, w)
	gradient.AddScaledVec(gradient, s.Raised, w)
	var scale float64
	for i := range n {
		var size float64
		for j, x := range s.Weights {
			size += math.Abs(p.Covariance.At(i, j) * x)
		}
		scale = max(scale, size)
		if p.Linear != nil {
			scale = max(scale, math.Abs(p.Linear[i]))
			gradient.SetVec(i, gradient.AtVec(i)+p.Linear[i])
		}
		gradient.SetVec(i, gradient.AtVec(i)-s.Bounds[i])
	}
	if scale == 0 {
		scale = 1
	}
	var c Certificate
	limit := func(value, low, high, multiplier float64) {
		c.Infeasible = max(c.Infeasible, low-value, value-high)
		switch {
		case multiplier > 0 && math.IsInf(low, -1), multiplier < 0 && math.IsInf(high, 1):
			c.Sign = max(c.Sign, math.Abs(multiplier)/scale)
		case multiplier > 0:
			c.Slack = max(c.Slack, multiplier*math.Abs(value-low)/scale)
		case multiplier < 0:
			c.Slack = max(c.Slack, -multiplier*math.Abs(high-value)/scale)
		}
	}
	for i, x := range s.Weights {
		limit(x, p.Lower[i], p.Upper[i], s.Bounds[i])
	}
	if p.Tracking != nil {
		p.certifyTracking(s, gradient, scale, &c)
	}
	if p.Turnover != nil {
		p.certifyTurnover(s, gradient, scale, &c)
	}
	for r, row := range p.Rows {
		limit(row.Of(s.Weights), row.Min, row.Max, s.Rows[r])
		for k, i := range row.Members {
			a := 1.0
			if row.Coefficients != nil {
				a = row.Coefficients[k]
			}
			gradient.SetVec(i, gradient.AtVec(i)-a*s.Rows[r])
		}
	}
	for i := range n {
		c.Stationary = max(c.Stationary, math.Abs(gradient.AtVec(i))/scale)
	}
	return c
}

// certifyTracking adds the tracking limit: what it contributes to the gradient, by how
// much it is broken (in units of weight, of a member with the mean variance), and its
// multiplier's sign and slack.
func (p Problem) certifyTracking(s Solution, gradient *mat.VecDense, scale float64, c *Certificate) {
	n := len(s.Weights)
	active, pull := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i, x := range s.Weights {
		active.SetVec(i, x-p.Tracking.Benchmark[i])
	}
	pull.MulVec(p.Covariance, active)
	gradient.AddScaledVec(gradient, s.Tracked, pull)
	variance := mat.Dot(active, pull)
	level := mat.Trace(p.Covariance) / float64(n)
	c.Infeasible = max(c.Infeasible, (math.Sqrt(max(0, variance))-math.Sqrt(p.Tracking.Variance))/math.Sqrt(level))
	c.Sign = max(c.Sign, -s.Tracked)
	c.Slack = max(c.Slack, s.Tracked*math.Abs(p.Tracking.Variance-variance)/scale)
}

// certifyTurnover adds the turnover limit. Its multiplier is the largest pull; the pull on
// a weight that is traded has that size, and points back to what is held.
func (p Problem) certifyTurnover(s Solution, gradient *mat.VecDense, scale float64, c *Certificate) {
	var multiplier, turnover float64
	for _, pull := range s.Traded {
		multiplier = max(multiplier, math.Abs(pull))
	}
	for i, x := range s.Weights {
		trade := x - p.Turnover.Current[i]
		turnover += math.Abs(trade)
		gradient.SetVec(i, gradient.AtVec(i)+s.Traded[i])
		c.Slack = max(c.Slack, (multiplier*math.Abs(trade)-s.Traded[i]*trade)/scale)
	}
	c.Infeasible = max(c.Infeasible, turnover-p.Turnover.Max)
	c.Slack = max(c.Slack, multiplier*math.Abs(p.Turnover.Max-turnover)/scale)
}

// CertifyParity returns by how much weights fail to be those of RiskParity: the largest
// of what a bound or the total is broken by, and of how far, as a fraction, the share of a
// weight is from that of the weights that are not at a bound. A weight at its upper bound
// may have less than its share, and one at its lower bound more.
func CertifyParity(covariance *mat.SymDense, budget, lower, upper []float64, total float64, w []float64) float64 {
	n := len(w)
	risk := mat.NewVecDense(n, nil)
	risk.MulVec(covariance, mat.NewVecDense(n, w))
	var worst, sum, least, most float64
	least = math.Inf(1)
	for i, x := range w {
		sum += x
		worst = max(worst, max(lower[i], 0)-x, x-upper[i])
		share := x * risk.AtVec(i) / budget[i]
		// Weights below their upper bound have at least the common share; those above
		// their lower bound have at most it.
		if x < upper[i] {
			least = min(least, share)
		}
		if x > lower[i] {
			most = max(most, share)
		}
	}
	worst = max(worst, math.Abs(sum-total))
	if most > 0 && !math.IsInf(least, 1) {
		worst = max(worst, (most-least)/most)
	}
	return worst
}
