package analyze

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Correlations are the correlations of all pairs of series.
type Correlations struct {
	Names  []string
	Values [][]float64 // symmetric; NaN if a series is constant over the pair's rows, or with fewer than 3 rows
	N      [][]int     // rows that both series have
}

// Method is a kind of correlation.
type Method string

// The methods.
const (
	Pearson  Method = "pearson"
	Spearman Method = "spearman" // Pearson's correlation of ranks; equal values share their mean rank
)

// minPairs is the least number of rows for a correlation: two points always lie on a
// line.
const minPairs = 3

// Correlate returns the correlations of columns. Each pair uses all rows that both of
// its series have, so a matrix of series with gaps need not be positive definite. A
// *DataError names a series with an infinite value.
func Correlate(columns []Column, method Method) (*Correlations, error) {
	out := &Correlations{Values: make([][]float64, len(columns)), N: make([][]int, len(columns))}
	gaps := make([]bool, len(columns))
	for i, c := range columns {
		if len(c.Values) != len(columns[0].Values) {
			panic("analyze: columns differ in length")
		}
		for row, v := range c.Values {
			if math.IsInf(v, 0) {
				return nil, failed(c.Name, "%s has an infinite value in row %d", c.Name, row)
			}
			gaps[i] = gaps[i] || math.IsNaN(v)
		}
		out.Names = append(out.Names, c.Name)
		out.Values[i], out.N[i] = make([]float64, len(columns)), make([]int, len(columns))
	}
	if len(columns) == 0 {
		return out, nil
	}
	whole := out.wholePairs(columns, gaps, method)
	for i := range columns {
		for j := range i + 1 {
			n, v := len(columns[0].Values), missing
			if gaps[i] || gaps[j] {
				n, v = pair(columns[i].Values, columns[j].Values, method)
			} else if n >= minPairs {
				v = whole(i, j)
			}
			out.Values[i][j], out.Values[j][i] = v, v
			out.N[i][j], out.N[j][i] = n, n
		}
	}
	return out, nil
}

// wholePairs returns a function for the correlation of two columns without gaps.
func (*Correlations) wholePairs(columns []Column, gaps []bool, method Method) func(i, j int) float64 {
	n := len(columns[0].Values)
	var at []int // row of each column in units, or −1
	units := blas64.General{Cols: n, Stride: n, Data: make([]float64, 0, n*len(columns))}
	constant := make([]bool, len(columns))
	for i, c := range columns {
		if gaps[i] {
			at = append(at, -1)
			continue
		}
		x := c.Values
		if method == Spearman {
			x = ranks(x)
		}
		units.Data = append(units.Data, x...)
		_, norm := center(units.Data[len(units.Data)-n:])
		constant[i] = norm == 0
		at = append(at, units.Rows)
		units.Rows++
	}
	m := units.Rows
	products := blas64.General{Rows: m, Cols: m, Stride: max(1, m), Data: make([]float64, m*m)}
	lowerProducts(units, products)
	return func(i, j int) float64 {
		switch {
		case constant[i] || constant[j]:
			return missing
		case i == j:
			return 1
		}
		return min(1, max(-1, products.Data[max(at[i], at[j])*products.Stride+min(at[i], at[j])]))
	}
}

// band is how many rows of the product one call of the kernel computes.
const band = 64

// lowerProducts writes the lower triangle of x·xᵀ in bands of rows, on all processors.
func lowerProducts(x, dst blas64.General) {
	if x.Rows == 0 || x.Cols == 0 {
		return
	}
	var group sync.WaitGroup
	for first := 0; first < x.Rows; first += band {
		last := min(first+band, x.Rows)
		rows := blas64.General{Rows: last - first, Cols: x.Cols, Stride: x.Stride, Data: x.Data[first*x.Stride : last*x.Stride]}
		before := blas64.General{Rows: last, Cols: x.Cols, Stride: x.Stride, Data: x.Data[:last*x.Stride]}
		to := blas64.General{Rows: last - first, Cols: last, Stride: dst.Stride, Data: dst.Data[first*dst.Stride : last*dst.Stride]}
		group.Go(func() { blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows, before, 0, to) })
	}
	group.Wait()
}

// pair returns the rows that two series have in common and their correlation.
func pair(a, b []float64, method Method) (n int, value float64) {
	x, y := make([]float64, 0, len(a)), make([]float64, 0, len(a))
	for row, v := range a {
		if w := b[row]; !math.IsNaN(v) && !math.IsNaN(w) {
			x, y = append(x, v), append(y, w)
		}
	}
	if len(x) < minPairs {
		return len(x), missing
	}
	if method == Spearman {
		x, y = ranks(x), ranks(y)
	}
	_, normX := center(x)
	_, normY := center(y)
	if normX == 0 || normY == 0 {
		return len(x), missing
	}
	return len(x), min(1, max(-1, floats.Dot(x, y)))
}

// ranks returns the rank of each value, from 1; equal values get the mean of theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return a - b
	})
	out := make([]float64, len(x))
	for first := 0; first < len(order); {
		last := first + 1
		for last < len(order) && x[order[last]] == x[order[first]] {
			last++
		}
		for _, i := range order[first:last] {
			out[i] = float64(first+last+1) / 2
		}
		first = last
	}
	return out
}
