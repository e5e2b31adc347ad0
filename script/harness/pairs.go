package harness

import (
	"math"

	"go.starlark.net/starlark"
)

// pair reads two vectors of the same length, two values or more.
func (c call) pair(first, second string) (x, y []float64, err error) {
	var a, b starlark.Value
	if err := c.unpack(first, &a, second, &b); err != nil {
		return nil, nil, err
	}
	return c.pairOf(first, second, a, b)
}

func (c call) pairOf(first, second string, a, b starlark.Value) (x, y []float64, err error) {
	if x, err = c.floats(first, a, 2); err != nil {
		return nil, nil, err
	}
	if y, err = c.floats(second, b, 2); err != nil {
		return nil, nil, err
	}
	if len(x) != len(y) {
		return nil, nil, c.errorf("%s has %d values and %s %d; take the last n of each: v[-n:]", first, len(x), second, len(y))
	}
	return x, y, nil
}

// beta(returns, benchmark) is cov(returns, benchmark)/var(benchmark), 0 where
// the benchmark does not move. It needs two returns of each.
func beta(c call) (starlark.Value, error) {
	x, y, err := c.pair("returns", "benchmark")
	if err != nil {
		return nil, err
	}
	if constant(y) {
		return starlark.Float(0), nil
	}
	return c.number(covarianceOf(x, y) / covarianceOf(y, y))
}

// correlation(x, y) is Pearson's, from −1 to 1, 0 where either does not move;
// correlation(panel) the matrix of all pairs. It needs two values.
func correlation(c call) (starlark.Value, error) {
	return c.pairOrPanel(correlationOf)
}

// covariance(x, y) is the sample covariance, Σ(x−x̄)(y−ȳ)/(n−1), a bar;
// covariance(panel) the matrix of all pairs. It needs two values.
func covariance(c call) (starlark.Value, error) {
	return c.pairOrPanel(covarianceOf)
}

func correlationOf(x, y []float64) float64 {
	if constant(x) || constant(y) {
		return 0
	}
	r := covarianceOf(x, y) / (math.Sqrt(covarianceOf(x, x)) * math.Sqrt(covarianceOf(y, y)))
	return max(-1, min(1, r))
}

func (c call) pairOrPanel(f func(x, y []float64) float64) (starlark.Value, error) {
	var a, b starlark.Value
	if err := c.unpack("x", &a, "y?", &b); err != nil {
		return nil, err
	}
	if b == nil {
		p, err := c.panel("x", a)
		if err != nil {
			return nil, err
		}
		return p.matrix(f), nil
	}
	x, y, err := c.pairOf("x", "y", a, b)
	if err != nil {
		return nil, err
	}
	return c.number(f(x, y))
}
