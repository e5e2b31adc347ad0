package analyze

import (
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Coefficient is the estimate for one factor, or for the constant.
type Coefficient struct {
	Name              string  // of the factor; Alpha for the constant
	Loading           float64 // of the series on the factor; for the constant, a fraction per row
	StdError          float64 // Newey–West
	T, P              float64 // the loading in standard errors, and its two-sided normal probability; NaN if the fit is exact
	Low, High         float64 // the 95 % interval
	VarianceInflation float64 // 1/(1 − R²) of the factor on the others; NaN for the constant
}

// Alpha is the name of the constant.
const Alpha = "alpha"

// Regression is a linear model of one series by others.
type Regression struct {
	Coefficients     []Coefficient // the constant first, then the factors in their order
	Covariance       *mat.SymDense // Newey–West, of the coefficients in their order; 0 if the fit is exact
	Residuals        []float64     // of the complete rows
	RSquared         float64
	AdjustedRSquared float64
	DurbinWatson     float64 // NaN if the fit is exact
	BreuschPagan     float64 // n·R² of the squared residuals on the factors (Koenker 1981); NaN if the fit is exact
	BreuschPaganP    float64 // its probability under χ² with as many degrees as factors
	N                int     // complete rows
	Lags             int     // of the Newey–West errors
}

// AutomaticLags asks Regress for ⌊4(n/100)^(2/9)⌋ lags (Newey and West 1994).
const AutomaticLags = -1

// collinear is the part of a factor that the others must leave unexplained, as a
// fraction of its deviation: with less, its loading is rounding.
const collinear = 1e-7

// exact is the residual deviation, as a fraction of the series' deviation, below which
// a fit counts as exact.
const exact = 1e-12

// Regress fits y = α + Σ βⱼxⱼ by least squares over the complete rows. Standard errors
// are those of Newey and West (1987) with the Bartlett kernel, lags lags and no
// correction for small samples. It returns a *DataError if a series is constant, if
// factors are collinear, or if there are fewer complete rows than factors + 2.
func Regress(y Column, x []Column, lags int) (*Regression, error) {
	rows, _, err := complete(append([]Column{y}, x...))
	if err != nil {
		return nil, err
	}
	n, k := len(rows[0].Values), len(x)
	switch {
	case k == 0:
		return nil, failed("", "a regression needs at least one factor")
	case n < k+2:
		return nil, failed(y.Name, "%s and its %d factors have %d rows in common; a regression on %d factors needs at least %d", y.Name, k, n, k, k+2)
	}
	if lags == AutomaticLags {
		lags = int(math.Floor(4 * math.Pow(float64(n)/100, 2.0/9)))
	}
	if lags < 0 || lags >= n {
		return nil, failed("", "lags is %d; with %d rows it must be from 0 to %d", lags, n, n-1)
	}
	d, err := newDesign(rows[1:])
	if err != nil {
		return nil, err
	}
	target := rows[0].Values
	meanY, normY := center(target)
	if normY == 0 {
		return nil, failed(y.Name, "%s is constant over the %d rows that it has in common with its factors, so nothing explains its changes", y.Name, n)
	}
	return d.fit(meanY, normY, target, lags), nil
}

// design is a matrix of factors, centred and of unit length, with its decomposition.
// The constant is orthogonal to all its columns.
type design struct {
	names       []string
	n, k        int
	means, norm []float64
	columns     [][]float64
	q           [][]float64   // orthonormal columns with the same span
	inverse     *mat.SymDense // (ZᵀZ)⁻¹
	r           *mat.TriDense
}

// newDesign takes over the values of columns.
func newDesign(columns []Column) (*design, error) {
	n, k := len(columns[0].Values), len(columns)
	d := &design{n: n, k: k, means: make([]float64, k), norm: make([]float64, k), r: mat.NewTriDense(k, mat.Upper, nil)}
	for j, c := range columns {
		d.names = append(d.names, c.Name)
		d.means[j], d.norm[j] = center(c.Values)
		if d.norm[j] == 0 {
			return nil, failed(c.Name, "%s is constant over the %d rows in common, so its loading cannot be told from the constant", c.Name, n)
		}
		d.columns = append(d.columns, c.Values)
		q := slices.Clone(c.Values)
		left := d.orthogonalize(q, j)
		if left < mostlyNew {
			// Much of the column cancelled. A second pass makes it orthogonal to
			// rounding, however close to collinear it is (Giraud and others 2005).
			left = d.orthogonalize(q, j)
		}
		if left < collinear {
			return nil, d.culprits(j)
		}
		d.r.SetTri(j, j, left)
		floats.Scale(1/left, q)
		d.q = append(d.q, q)
	}
	var inverse mat.TriDense
	if err := inverse.InverseTri(d.r); err != nil && !isCondition(err) {
		return nil, err
	}
	d.inverse = mat.NewSymDense(k, nil)
	d.inverse.SymOuterK(1, &inverse)
	return d, nil
}

// mostlyNew is the length that a column of unit length keeps if it loses less than a
// digit to the columns before it.
const mostlyNew = 0.5

// orthogonalize removes from q its parts along the columns before j, adds them to the
// decomposition, and returns the length of what is left.
func (d *design) orthogonalize(q []float64, j int) float64 {
	for i := range j {
		part := floats.Dot(d.q[i], q)
		d.r.SetTri(i, j, d.r.At(i, j)+part)
		floats.AddScaled(q, -part, d.q[i])
	}
	return math.Sqrt(floats.Dot(q, q))
}

// isCondition reports whether an error only warns of a large condition number.
func isCondition(err error) bool {
	var condition mat.Condition
	return errors.As(err, &condition)
}

// culprits names the columns before j that make up column j.
func (d *design) culprits(j int) error {
	parts := make([]float64, j)
	for i := j - 1; i >= 0; i-- {
		sum := d.r.At(i, j)
		for m := i + 1; m < j; m++ {
			sum -= d.r.At(i, m) * parts[m]
		}
		parts[i] = sum / d.r.At(i, i)
	}
	var names []string
	for i, v := range parts {
		if math.Abs(v) > 1e-6 {
			names = append(names, d.names[i])
		}
	}
	return failed(d.names[j], "%s is a combination of %s, so their loadings cannot be told apart: leave one of them out", d.names[j], strings.Join(names, ", "))
}

// solve returns the coefficients of a centred target on the columns.
func (d *design) solve(target []float64) []float64 {
	out := make([]float64, d.k)
	for i := d.k - 1; i >= 0; i-- {
		sum := floats.Dot(d.q[i], target)
		for m := i + 1; m < d.k; m++ {
			sum -= d.r.At(i, m) * out[m]
		}
		out[i] = sum / d.r.At(i, i)
	}
	return out
}

// residuals returns what the coefficients leave of a target.
func (d *design) residuals(target, coefficients []float64) []float64 {
	out := slices.Clone(target)
	for j, c := range coefficients {
		floats.AddScaled(out, -c, d.columns[j])
	}
	return out
}

// fit regresses a target of unit length, which had the mean and norm given.
func (d *design) fit(meanY, normY float64, target []float64, lags int) *Regression {
	unit := d.solve(target)
	residuals := d.residuals(target, unit)
	unexplained := floats.Dot(residuals, residuals)
	degrees := float64(d.n - d.k - 1)
	out := &Regression{N: d.n, Lags: lags, RSquared: 1 - unexplained, DurbinWatson: missing, BreuschPagan: missing, BreuschPaganP: missing}
	out.AdjustedRSquared = 1 - unexplained*float64(d.n-1)/degrees
	out.Covariance = mat.NewSymDense(d.k+1, nil)
	perfect := math.Sqrt(unexplained) < exact
	if perfect {
		out.RSquared, out.AdjustedRSquared = 1, 1
	} else {
		out.Covariance.ScaleSym(normY*normY, d.covariance(residuals, lags))
		changes := floats.Distance(residuals[1:], residuals[:d.n-1], 2)
		out.DurbinWatson = changes * changes / unexplained
		out.BreuschPagan, out.BreuschPaganP = d.breuschPagan(residuals)
	}
	constant := meanY
	loadings := make([]float64, d.k)
	for j := range loadings {
		loadings[j] = unit[j] * normY / d.norm[j]
		constant -= loadings[j] * d.means[j]
	}
	out.Coefficients = append(out.Coefficients, coefficient(Alpha, constant, out.stdError(0), missing))
	for j, loading := range loadings {
		out.Coefficients = append(out.Coefficients, coefficient(d.names[j], loading, out.stdError(j+1), d.inverse.At(j, j)))
	}
	for t := range residuals {
		residuals[t] *= normY
	}
	out.Residuals = residuals
	return out
}

func (r *Regression) stdError(j int) float64 { return math.Sqrt(max(0, r.Covariance.At(j, j))) }

func coefficient(name string, loading, stdError, inflation float64) Coefficient {
	c := Coefficient{Name: name, Loading: loading, StdError: stdError, T: missing, P: missing, VarianceInflation: inflation}
	width := distuv.UnitNormal.Quantile(0.975) * stdError
	c.Low, c.High = loading-width, loading+width
	if stdError > 0 {
		c.T = loading / stdError
		c.P = math.Erfc(math.Abs(c.T) / math.Sqrt2)
	}
	return c
}

// breuschPagan returns Koenker's statistic and its probability, or NaN if the squared
// residuals are all equal.
func (d *design) breuschPagan(residuals []float64) (statistic, p float64) {
	squares := make([]float64, d.n)
	for t, v := range residuals {
		squares[t] = v * v
	}
	if _, norm := center(squares); norm == 0 {
		return missing, missing
	}
	left := d.residuals(squares, d.solve(squares))
	statistic = float64(d.n) * (1 - floats.Dot(left, left))
	return statistic, distuv.ChiSquared{K: float64(d.k)}.Survival(statistic)
}
