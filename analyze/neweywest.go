package analyze

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// standardErrors returns the Newey–West errors of the constant and the loadings on the
// original factors, for residuals of a target of unit length.
func (d *design) standardErrors(residuals []float64, lags int) []float64 {
	width := d.k + 1
	// bread is (WᵀW)⁻¹ for W = [1/√n, Z], whose first column is orthogonal to the others.
	bread := mat.NewDense(width, width, nil)
	bread.Set(0, 0, 1)
	for i := range d.k {
		for j := range d.k {
			bread.Set(i+1, j+1, d.inverse.At(i, j))
		}
	}
	// original turns coefficients on W into those on [1, x].
	original := mat.NewDense(width, width, nil)
	original.Set(0, 0, 1/math.Sqrt(float64(d.n)))
	for j := range d.k {
		original.Set(0, j+1, -d.means[j]/d.norm[j])
		original.Set(j+1, j+1, 1/d.norm[j])
	}
	var outer, half, covariance mat.Dense
	outer.Mul(original, bread)
	half.Mul(&outer, d.meat(residuals, lags))
	covariance.Mul(&half, outer.T())
	errors := make([]float64, width)
	for j := range errors {
		errors[j] = math.Sqrt(max(0, covariance.At(j, j)))
	}
	return errors
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
		for t, e := range residuals {
			if j == 0 {
				scores[t] = e / math.Sqrt(float64(d.n))
			} else {
				scores[t] = e * d.columns[j-1][t]
			}
		}
		sums[j] = windowSums(scores, span)
	}
	out := mat.NewSymDense(width, nil)
	for i := range width {
		for j := i; j < width; j++ {
			out.SetSym(i, j, dot(sums[i], sums[j])/float64(span))
		}
	}
	return out
}

// windowSums returns the sums of all windows of span values that overlap x, len(x)+span−1
// of them. Values beyond the ends are 0.
func windowSums(x []float64, span int) []float64 {
	out := make([]float64, len(x)+span-1)
	sum := 0.0
	for t := range out {
		if t < len(x) {
			sum += x[t]
		}
		if t >= span {
			sum -= x[t-span]
		}
		out[t] = sum
	}
	return out
}
