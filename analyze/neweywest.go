package analyze

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// covariance returns the Newey–West covariance of the constant and the loadings on the
// original factors, for residuals of a target of unit length.
func (d *design) covariance(residuals []float64, lags int) *mat.SymDense {
	width := d.k + 1
	// half turns scores on W = [1/√n, Z], whose first column is orthogonal to the others,
	// into coefficients on [1, x].
	half := mat.NewDense(width, width, nil)
	half.Set(0, 0, 1/math.Sqrt(float64(d.n)))
	for i := range d.k {
		for j := range d.k {
			loading := d.inverse.At(i, j) / d.norm[i]
			half.Set(i+1, j+1, loading)
			half.Set(0, j+1, half.At(0, j+1)-d.means[i]*loading)
		}
	}
	var left, product mat.Dense
	left.Mul(half, d.meat(residuals, lags))
	product.Mul(&left, half.T())
	out := mat.NewSymDense(width, nil)
	for i := range width {
		for j := i; j < width; j++ {
			out.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
	}
	return out
}

// meat is the sum of the scores' autocovariances with Bartlett weights 1 − l/(lags+1).
// It equals 1/(lags+1) times the sum, over all windows of lags+1 rows that overlap the
// data, of the outer product of the window's sum. That takes one pass whatever the lags,
// and is never negative.
func (d *design) meat(residuals []float64, lags int) *mat.SymDense {
	width, span := d.k+1, lags+1
	sums := make([][]float64, width)
	scores := make([]float64, d.n)
	for j := range sums {
		if j == 0 {
			floats.ScaleTo(scores, 1/math.Sqrt(float64(d.n)), residuals)
		} else {
			floats.MulTo(scores, residuals, d.columns[j-1])
		}
		sums[j] = windowSums(scores, span)
	}
	out := mat.NewSymDense(width, nil)
	for i := range width {
		for j := i; j < width; j++ {
			out.SetSym(i, j, floats.Dot(sums[i], sums[j])/float64(span))
		}
	}
	return out
}

// windowSums returns the sums of all windows of span values that overlap x, len(x)+span−1
// of them. Values beyond the ends are 0.
func windowSums(x []float64, span int) []float64 {
	out := make([]float64, len(x)+span-1)
	sum := 0.0
	for t, v := range x[:min(span, len(x))] {
		sum += v
		out[t] = sum
	}
	for t := span; t < len(x); t++ {
		sum += x[t] - x[t-span]
		out[t] = sum
	}
	// Beyond the end only the last values are left, so their sums are added up again.
	sum = 0
	for t := len(out) - 1; t >= len(x); t-- {
		sum += x[t-span+1]
		out[t] = sum
	}
	return out
}
