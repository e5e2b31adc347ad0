package estimate

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	pairs "ballast/internal/products"
)

// products returns XX'/by. Each element is one dot product with the bits of gonum's, so it
// is that of dsyrk, and does not depend on the number of processors.
func products(x blas64.General, by float64) *mat.SymDense {
	n := x.Rows
	lower := make([]float64, n*n)
	pairs.Lower(lower, x.Data, x.Cols)
	c := mat.NewSymDense(n, nil)
	for i := range n {
		for j, v := range lower[i*n : i*n+i+1] {
			c.SetSym(j, i, v*(1/by))
		}
	}
	return c
}
