package estimate

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// tile is how many rows of each side are multiplied while they are in the cache. Of 500
// columns of 2,520 bars, two tiles take 650 kB.
const tile = 16

// products returns XX'/by. Each element is one product of two rows, so the result does not
// depend on the tiles or on how many processors work on them. It is that of dsyrk, which
// reads all rows again for each row and uses one processor.
func products(x blas64.General, by float64) *mat.SymDense {
	c := mat.NewSymDense(x.Rows, nil)
	raw, scale := c.RawSymmetric(), 1/by
	tiles := (x.Rows + tile - 1) / tile
	var next atomic.Int64
	work := func() {
		for {
			at := int(next.Add(1)) - 1 // a row of tiles
			if at >= tiles {
				return
			}
			for across := at; across < tiles; across++ {
				for i := at * tile; i < min((at+1)*tile, x.Rows); i++ {
					row := rowOf(x, i)
					for j := max(i, across*tile); j < min((across+1)*tile, x.Rows); j++ {
						raw.Data[i*raw.Stride+j] = scale * floats.Dot(row, rowOf(x, j))
					}
				}
			}
		}
	}
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), tiles) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	return c
}
