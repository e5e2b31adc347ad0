package products

import (
	"runtime"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/floats"
)

// band is how many rows one worker takes at a time. It is large enough that
// memory keeps up with the kernel: each value that is read is used in that many products.
const band = 36

// Lower writes the dot products of the rows of x to the lower triangle of dst, the
// diagonal included. x has rows of length n, one after the other; dst has rows of the
// number of x's rows.
func Lower(dst, x []float64, n int) {
	if n == 0 {
		return
	}
	rows := len(x) / n
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	// Later bands have more pairs, so they come first.
	for first := (rows - 1) / band * band; first >= 0; first -= band {
		group.Go(func() error {
			lowerBand(dst, x, n, rows, first)
			return nil
		})
	}
	_ = group.Wait() // nothing fails
}

// lowerBand computes a band of rows. It may write above the diagonal.
func lowerBand(dst, x []float64, n, rows, first int) {
	last := min(first+band, rows)
	whole := first // the end of the whole tiles, in both directions
	if quickBand(dst, x, n, rows, first, last) {
		whole = last / tile * tile
	}
	for i := first; i < last; i++ {
		from := whole
		if i >= whole {
			from = 0
		}
		for j := from; j <= i; j++ {
			dst[i*rows+j] = floats.Dot(x[i*n:(i+1)*n], x[j*n:(j+1)*n])
		}
	}
}

// tile is the number of rows and columns of products that the kernel computes together.
// It divides band.
const tile = 3

// lowest is the first tile of a band that is not above the diagonal in column j of tiles.
func lowest(first, j int) int { return max(0, j-first/tile) }
