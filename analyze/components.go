package analyze

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Component is a direction in which series move together.
type Component struct {
	Eigenvalue float64   // of the correlation matrix
	Share      float64   // of the total variance of the standardized series
	Loadings   []float64 // by series, of length 1; the largest is positive
}

// Components returns the principal components of the correlation of the columns over
// their complete rows, largest first. Their eigenvalues add up to the number of columns.
// It returns a *DataError if a column is constant, or if there are fewer complete rows
// than columns + 1.
func Components(columns []Column) ([]Component, error) {
	if len(columns) < 2 {
		return nil, failed("", "components need at least two series")
	}
	rows, _, err := complete(columns)
	if err != nil {
		return nil, err
	}
	k, n := len(rows), len(rows[0].Values)
	if n < k+1 {
		return nil, failed("", "%d series have %d rows in common; their components need at least %d", k, n, k+1)
	}
	c, err := Correlate(rows, Pearson)
	if err != nil {
		return nil, err
	}
	matrix := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			if math.IsNaN(c.Values[i][j]) {
				name := rows[i].Name
				if !math.IsNaN(c.Values[j][j]) {
					return nil, failed(name, "%s is constant over the %d rows in common, so it has no correlation", name, n)
				}
				name = rows[j].Name
				return nil, failed(name, "%s is constant over the %d rows in common, so it has no correlation", name, n)
			}
			matrix.SetSym(i, j, c.Values[i][j])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(matrix, true) {
		return nil, failed("", "the eigenvalues of the correlation did not converge")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	out := make([]Component, k)
	for i, value := range eigen.Values(nil) {
		loadings := mat.Col(nil, i, &vectors)
		orient(loadings)
		out[k-1-i] = Component{Eigenvalue: value, Share: value / float64(k), Loadings: loadings}
	}
	return out, nil
}

// orient makes the entry with the largest magnitude positive, since the sign of an
// eigenvector is arbitrary.
func orient(v []float64) {
	at := 0
	for i := range v {
		if math.Abs(v[i]) > math.Abs(v[at])*(1+1e-9) {
			at = i
		}
	}
	if v[at] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
}
