package harness

import "math"

// sum adds from the first value to the last.
func sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}

func product(v []float64) float64 {
	p := 1.0
	for _, x := range v {
		p *= x
	}
	return p
}

func mean(v []float64) float64 { return sum(v) / float64(len(v)) }

// covarianceOf is Σ(x−x̄)(y−ȳ)/(n−1).
func covarianceOf(x, y []float64) float64 {
	mx, my := mean(x), mean(y)
	var s float64
	for i := range x {
		s += float64((x[i] - mx) * (y[i] - my))
	}
	return s / float64(len(x)-1)
}

// std is the sample standard deviation, √(Σ(x−x̄)²/(n−1)).
func std(v []float64) float64 { return math.Sqrt(covarianceOf(v, v)) }
