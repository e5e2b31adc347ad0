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
