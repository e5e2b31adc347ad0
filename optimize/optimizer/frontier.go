package optimizer

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ballast/optimize"
)

// Point is an efficient portfolio. Its figures are annual.
type Point struct {
	Weights      []float64
	Return, Risk float64
}

// Line is the efficient frontier of some members, with what it was computed from.
type Line struct {
	Points     []Point // from the least risk to the highest return, equally far apart in return
	Tangency   *Point  // the highest ratio of return above the riskless one to risk; nil if no return is above it
	Covariance *mat.SymDense
	Expected   []float64 // per bar
	Residual   float64   // the largest of the certificates
}

// Frontier returns n efficient portfolios within the bounds and the groups. The definition
// must have been checked, and the input bounded. expected are returns per bar; nil
// estimates them as the definition says. Errors are those of Solve.
func (d *Definition) Frontier(in Input, n int, expected []float64) (*Line, error) {
	a, err := d.estimates(in)
	if err != nil {
		return nil, err
	}
	if expected != nil {
		a.Expected = slices.Clone(expected)
	}
	s := solving{Definition: d, in: in, answer: a}
	if err := s.limited(); err != nil {
		return nil, err
	}
	f, err := optimize.NewFrontier(s.problem, a.Expected)
	if err != nil {
		return nil, s.named(err)
	}
	line := &Line{Covariance: a.Covariance, Expected: a.Expected}
	add := func(c optimize.Corner) (Point, error) {
		p := s.problem
		p.Linear = slices.Clone(a.Expected)
		floats.Scale(-c.Lambda, p.Linear)
		residual := p.Certify(c.Solution).Residual()
		if line.Residual = max(line.Residual, residual); !(residual <= MostResidual) {
			return Point{}, errorf("a portfolio of the frontier is not exact enough (residual %.2g, at most %.0e is accepted); the numbers differ too much in size", residual, MostResidual)
		}
		bars := float64(in.BarsPerYear)
		return Point{Weights: c.Weights, Return: c.Gain * bars, Risk: c.Risk * math.Sqrt(bars)}, nil
	}
	for _, c := range f.ByGain(n) {
		p, err := add(c)
		if err != nil {
			return nil, err
		}
		line.Points = append(line.Points, p)
	}
	if c, err := f.Tangency(d.Riskless / float64(in.BarsPerYear)); err == nil {
		p, err := add(c)
		if err != nil {
			return nil, err
		}
		line.Tangency = &p
	}
	return line, nil
}
