package analyze

import (
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/floats"

	"ballast/internal/products"
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
	infinite := make([]int, len(columns))
	parallel(len(columns), func(i int) {
		gaps[i], infinite[i] = inspect(columns[i].Values)
	})
	for i, c := range columns {
		if len(c.Values) != len(columns[0].Values) {
			panic("analyze: columns differ in length")
		}
		if infinite[i] >= 0 {
			return nil, failed(c.Name, "%s has an infinite value in row %d", c.Name, infinite[i])
		}
		out.Names = append(out.Names, c.Name)
		out.Values[i], out.N[i] = make([]float64, len(columns)), make([]int, len(columns))
	}
	if len(columns) == 0 {
		return out, nil
	}
	whole := wholePairs(columns, gaps, method)
	for i := range columns {
		for j := range i + 1 {
			n, v := len(columns[0].Values), missing
			if gaps[i] || gaps[j] {
				n, v = pair(columns[i].Values, columns[j].Values, method)
				if i == j && !math.IsNaN(v) {
					v = 1
				}
			} else if n >= minPairs {
				v = whole(i, j)
			}
			out.Values[i][j], out.Values[j][i] = v, v
			out.N[i][j], out.N[j][i] = n, n
		}
	}
	return out, nil
}

// inspect reports whether values are missing, and the position of the first infinite one,
// or −1.
func inspect(values []float64) (gaps bool, infinite int) {
	if finite(floats.Sum(values)) {
		return false, -1
	}
	for row, v := range values {
		switch {
		case math.IsNaN(v):
			gaps = true
		case math.IsInf(v, 0):
			return gaps, row
		}
	}
	return gaps, -1
}

// parallel calls do for 0 to n − 1 on all processors.
func parallel(n int, do func(int)) {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() error {
			do(i)
			return nil
		})
	}
	_ = group.Wait() // nothing fails
}

// wholePairs returns a function for the correlation of two columns without gaps.
func wholePairs(columns []Column, gaps []bool, method Method) func(i, j int) float64 {
	n := len(columns[0].Values)
	at := make([]int, len(columns)) // row of each column in units
	var whole []int                 // columns without gaps
	for i := range columns {
		if !gaps[i] {
			at[i] = len(whole)
			whole = append(whole, i)
		}
	}
	units := make([]float64, len(whole)*n)
	constant := make([]bool, len(columns))
	parallel(len(whole), func(row int) {
		i := whole[row]
		unit := units[row*n : (row+1)*n]
		if method == Spearman {
			copy(unit, ranks(columns[i].Values))
		} else {
			copy(unit, columns[i].Values)
		}
		_, norm := center(unit)
		constant[i] = norm == 0
	})
	dots := make([]float64, len(whole)*len(whole))
	products.Lower(dots, units, n)
	return func(i, j int) float64 {
		switch {
		case constant[i] || constant[j]:
			return missing
		case i == j:
			return 1
		}
		return min(1, max(-1, dots[max(at[i], at[j])*len(whole)+min(at[i], at[j])]))
	}
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
