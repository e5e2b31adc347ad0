package estimate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// The products are those of dsyrk to the last bit, however many rows there are.
func TestProductsAreThoseOfDsyrk(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{1, 2, 15, 16, 17, 50, 100} {
		x := blas64.General{Rows: rows, Cols: 301, Stride: 301, Data: make([]float64, rows*301)}
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		want := mat.NewSymDense(rows, nil)
		blas64.Syrk(blas.NoTrans, 1/float64(301), x, 0, want.RawSymmetric())
		if got := products(x, 301); !slices.Equal(got.RawSymmetric().Data, want.RawSymmetric().Data) {
			t.Errorf("%d rows give other products", rows)
		}
	}
}
