package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ballast/internal/moments"
)

// Estimator names a way to estimate a covariance matrix.
type Estimator string

// Estimators of a covariance matrix.
const (
	// Sample is Σ(x−x̄)(y−ȳ)/(T−1).
	Sample Estimator = "sample"
	// LedoitWolf shrinks the sample covariance towards a multiple of the identity, by the
	// estimate of Ledoit and Wolf (2004), section 3.2.
	LedoitWolf Estimator = "ledoit_wolf"
	// OAS shrinks it likewise, by the estimate of Chen, Wiesel, Eldar and Hero (2010),
	// equation 23, in the form of scikit-learn, which leaves out a factor of 2/n.
	OAS Estimator = "oas"
	// Exponential weighs each bar twice as much as the one a half-life before it. The
	// weights are reliability weights: the estimate is divided by 1 − Σw².
	Exponential Estimator = "exponential"
	// SingleIndex is that of Sharpe (1963): members move together only by their betas to
	// the mean of all members.
	SingleIndex Estimator = "single_index"
)

// Estimators are all of them, the default first.
var Estimators = []Estimator{LedoitWolf, Sample, OAS, Exponential, SingleIndex}

// Covariance estimates the covariance matrix per bar of columns of the same length, of at
// least two bars. halflife is in bars, for Exponential.
func Covariance(columns [][]float64, by Estimator, halflife float64) (*mat.SymDense, error) {
	x := centred(columns)
	switch by {
	case Sample:
		return products(x, float64(x.Cols-1)), nil
	case LedoitWolf, OAS:
		c := products(x, float64(x.Cols))
		delta := shrinkage(x, c, by)
		c.ScaleSym(float64(x.Cols)/float64(x.Cols-1), c)
		shrink(c, delta)
		return c, nil
	case Exponential:
		return exponential(columns, halflife), nil
	case SingleIndex:
		return singleIndex(x), nil
	}
	return nil, fmt.Errorf("%q is not an estimator of a covariance", by)
}

// Shrinkage returns the intensity, from 0 to 1, with which LedoitWolf or OAS shrinks.
func Shrinkage(columns [][]float64, by Estimator) float64 {
	x := centred(columns)
	return shrinkage(x, products(x, float64(x.Cols)), by)
}

// shrinkage returns the intensity for the centred returns X and S = XX'/T.
func shrinkage(x blas64.General, s *mat.SymDense, by Estimator) float64 {
	if by == OAS {
		return oas(s, x.Cols)
	}
	return ledoitWolf(x, s)
}

// centred returns the columns minus their means, one per row. Constant columns are
// exactly 0, even if their mean is rounded.
func centred(columns [][]float64) blas64.General {
	bars := len(columns[0])
	x := blas64.General{Rows: len(columns), Cols: bars, Stride: bars, Data: make([]float64, len(columns)*bars)}
	for i, column := range columns {
		if floats.Max(column) == floats.Min(column) {
			continue
		}
		row := rowOf(x, i)
		copy(row, column)
		floats.AddConst(-moments.Mean(column), row)
	}
	return x
}

func rowOf(x blas64.General, i int) []float64 { return x.Data[i*x.Stride : i*x.Stride+x.Cols] }

// squares returns the sum of all squared elements of a symmetric matrix.
func squares(c *mat.SymDense) (sum float64) {
	n := c.SymmetricDim()
	for i := range n {
		for j := range i {
			sum += 2 * c.At(i, j) * c.At(i, j)
		}
		sum += c.At(i, i) * c.At(i, i)
	}
	return sum
}

// ledoitWolf returns b²/d² with μ = tr(S)/n, d² = ‖S − μI‖² and
// b² = min(d², Σ_t(Σ_i x_ti²)²/T² − ‖S‖²/T); 0 if d² is 0.
func ledoitWolf(x blas64.General, s *mat.SymDense) float64 {
	bars := float64(x.Cols)
	size := squares(s)
	level := mat.Trace(s) / float64(x.Rows)
	var distance float64
	for i := range x.Rows {
		for j := range i {
			distance += 2 * s.At(i, j) * s.At(i, j)
		}
		distance += (s.At(i, i) - level) * (s.At(i, i) - level)
	}
	if distance == 0 {
		return 0
	}
	of := make([]float64, x.Cols) // Σ_i x_ti²
	own := make([]float64, x.Cols)
	for i := range x.Rows {
		floats.Add(of, floats.MulTo(own, rowOf(x, i), rowOf(x, i)))
	}
	return max(0, min(distance, floats.Dot(of, of)/(bars*bars)-size/bars)) / distance
}

// oas returns (α + μ²)/((T + 1)(α − μ²/n)), at most 1, with the mean α of the squared
// elements of S and μ = tr(S)/n.
func oas(s *mat.SymDense, bars int) float64 {
	n := float64(s.SymmetricDim())
	level := mat.Trace(s) / n
	alpha := squares(s) / (n * n)
	under := (float64(bars) + 1) * (alpha - level*level/n)
	if under <= 0 {
		return 1
	}
	return min((alpha+level*level)/under, 1)
}

// shrink turns c into (1 − δ)·c + δ·level·I, where level is the mean of the diagonal.
func shrink(c *mat.SymDense, delta float64) {
	n := c.SymmetricDim()
	level := mat.Trace(c) / float64(n)
	c.ScaleSym(1-delta, c)
	for i := range n {
		c.SetSym(i, i, c.At(i, i)+delta*level)
	}
}

func exponential(columns [][]float64, halflife float64) *mat.SymDense {
	weights := fading(len(columns[0]), halflife)
	bars := len(weights)
	x := blas64.General{Rows: len(columns), Cols: bars, Stride: bars, Data: make([]float64, len(columns)*bars)}
	for i, column := range columns {
		if floats.Max(column) == floats.Min(column) {
			continue
		}
		mean := floats.Dot(weights, column)
		row := rowOf(x, i)
		for t, v := range column {
			row[t] = math.Sqrt(weights[t]) * (v - mean)
		}
	}
	return products(x, 1-floats.Dot(weights, weights))
}

// fading returns weights that add up to 1 and halve with each half-life back in time.
func fading(bars int, halflife float64) []float64 {
	w := make([]float64, bars)
	for t := range w {
		w[t] = math.Exp2(-float64(bars-1-t) / halflife)
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

// singleIndex returns βᵢβⱼ·var(m) off the diagonal, where m is the mean of all members,
// and the sample variances on it.
func singleIndex(x blas64.General) *mat.SymDense {
	market := make([]float64, x.Cols)
	for i := range x.Rows {
		floats.AddScaled(market, 1/float64(x.Rows), rowOf(x, i))
	}
	by := float64(x.Cols - 1)
	variance := floats.Dot(market, market) / by
	c := mat.NewSymDense(x.Rows, nil)
	with := make([]float64, x.Rows) // covariances with the market
	for i := range x.Rows {
		row := rowOf(x, i)
		with[i] = floats.Dot(row, market) / by
		for j := range i {
			if variance > 0 {
				c.SetSym(j, i, with[i]*with[j]/variance)
			}
		}
		c.SetSym(i, i, floats.Dot(row, row)/by)
	}
	return c
}

// Mean returns the mean of each column.
func Mean(columns [][]float64) []float64 {
	out := make([]float64, len(columns))
	for i, column := range columns {
		out[i] = moments.Mean(column)
	}
	return out
}

// FadingMean returns the mean of each column, in which bars weigh half as much with each
// half-life back in time.
func FadingMean(columns [][]float64, halflife float64) []float64 {
	weights := fading(len(columns[0]), halflife)
	out := make([]float64, len(columns))
	for i, column := range columns {
		out[i] = floats.Dot(weights, column)
	}
	return out
}

// Implied returns the expected returns above the riskless one for which the market's
// weights are optimal at a risk aversion: aversion·Σw (Sharpe 1974).
func Implied(c *mat.SymDense, market []float64, aversion float64) []float64 {
	v := mat.NewVecDense(len(market), nil)
	v.MulVec(c, mat.NewVecDense(len(market), market))
	v.ScaleVec(aversion, v)
	return v.RawVector().Data
}
