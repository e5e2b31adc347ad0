package products

import "golang.org/x/sys/cpu"

var hasKernel = cpu.X86.HasAVX2

// lanes are the sums of a tile of pairs. Lane l of a pair adds up the products at the
// positions 4t + l, which is the order of gonum's floats.Dot on amd64.
type lanes [tile * tile][4]float64

// chunk is how many quads of a band stay in a processor's caches while all rows pass by.
const chunk = 320

// quickBand computes the whole tiles of a band of rows, and reports whether it can.
func quickBand(dst, x []float64, n, rows, first, last int) bool {
	quads := n / 4
	if !hasKernel || quads == 0 {
		return false
	}
	tall, wide := (last-first)/tile, last/tile
	sums := make([]lanes, tall*wide)
	for done := 0; done < quads; done += chunk {
		for j := range wide {
			for i := lowest(first, j); i < tall; i++ {
				tileQuads(&sums[i*wide+j], &x[(first+i*tile)*n+4*done], &x[j*tile*n+4*done], 8*n, min(chunk, quads-done))
			}
		}
	}
	for j := range wide {
		for i := lowest(first, j); i < tall; i++ {
			sums[i*wide+j].finish(dst, x, n, rows, first+i*tile, j*tile)
		}
	}
	return true
}

// finish adds the positions after the last quad and writes the products of rows i and
// after with rows j and after.
func (s *lanes) finish(dst, x []float64, n, rows, i, j int) {
	for a := range tile {
		for b := range tile {
			sum := &s[a*tile+b]
			for t := n &^ 3; t < n; t++ {
				sum[0] += float64(x[(i+a)*n+t] * x[(j+b)*n+t]) // never fused
			}
			dst[(i+a)*rows+j+b] = (sum[0] + sum[2]) + (sum[1] + sum[3])
		}
	}
}

// tileQuads adds the products of three rows at a with three rows at b, each row stride
// bytes after the one before.
//
//go:noescape
func tileQuads(sums *lanes, a, b *float64, stride, quads int)
