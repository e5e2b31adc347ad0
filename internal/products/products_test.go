package products_test

import (
	"math/rand/v2"
	"testing"

	"ballast/internal/products"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

func random(rows, n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, rows*n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// Every product has the bits of gonum's, whatever the shape.
func TestLowerEqualsDot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows, n := rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(1, 50).Draw(t, "n")
		x := random(rows, n, rapid.Uint64().Draw(t, "seed"))
		dst := make([]float64, rows*rows)
		products.Lower(dst, x, n)
		for i := range rows {
			for j := range i + 1 {
				if want := floats.Dot(x[i*n:(i+1)*n], x[j*n:(j+1)*n]); dst[i*rows+j] != want {
					t.Fatalf("rows %d and %d of %d, %d values: %v, want %v", i, j, rows, n, dst[i*rows+j], want)
				}
			}
		}
	})
	products.Lower(nil, nil, 0)
}

func BenchmarkLower(b *testing.B) {
	const rows, n = 500, 5000
	x, dst := random(rows, n, 1), make([]float64, rows*rows)
	for b.Loop() {
		products.Lower(dst, x, n)
	}
}

// BenchmarkSyrk is gonum's kernel for the same products, which uses one processor.
func BenchmarkSyrk(b *testing.B) {
	const rows, n = 500, 5000
	x := blas64.General{Rows: rows, Cols: n, Stride: n, Data: random(rows, n, 1)}
	dst := blas64.Symmetric{N: rows, Stride: rows, Data: make([]float64, rows*rows), Uplo: blas.Lower}
	for b.Loop() {
		blas64.Syrk(blas.NoTrans, 1, x, 0, dst)
	}
}
