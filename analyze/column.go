package analyze

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"ballast/internal/moments"
)

// Column is a named series. NaN is a missing value.
type Column struct {
	Name   string
	Values []float64
}

// DataError says why series cannot be analyzed.
type DataError struct {
	Series  string // the series at fault, or "" if it is all of them
	Message string // a sentence without its full stop
}

func (e *DataError) Error() string { return e.Message }

func failed(series, format string, args ...any) error {
	return &DataError{Series: series, Message: fmt.Sprintf(format, args...)}
}

var missing = math.NaN()

// complete returns the rows in which all columns have a value, as new columns, and the
// positions of those rows. Infinite values are refused.
func complete(columns []Column) (out []Column, kept []int, err error) {
	kept = completeRows(columns)
	for _, c := range columns {
		values := make([]float64, len(kept))
		for i, row := range kept {
			values[i] = c.Values[row]
			if math.IsInf(values[i], 0) {
				return nil, nil, failed(c.Name, "%s has an infinite value in row %d", c.Name, row)
			}
		}
		out = append(out, Column{Name: c.Name, Values: values})
	}
	return out, kept, nil
}

// completeRows are the positions of the rows in which all columns have a value.
func completeRows(columns []Column) []int {
	gap := make([]bool, len(columns[0].Values))
	for _, c := range columns {
		if len(c.Values) != len(gap) {
			panic("analyze: columns differ in length")
		}
		for row, v := range c.Values {
			if math.IsNaN(v) {
				gap[row] = true
			}
		}
	}
	out := make([]int, 0, len(gap))
	for row, absent := range gap {
		if !absent {
			out = append(out, row)
		}
	}
	return out
}

// center subtracts the mean of x and divides by the root of the sum of squares around
// it, in place, and returns both. The norm is 0 if the values differ only by rounding;
// x is then not divided.
func center(x []float64) (mean, norm float64) {
	if len(x) == 0 {
		return missing, 0
	}
	n := float64(len(x))
	mean = moments.Mean(x)
	rest, squares := 0.0, 0.0
	for i, v := range x {
		v -= mean
		x[i] = v
		rest += v
		squares += v * v
	}
	rest /= n // what rounding left in the mean
	mean += rest
	norm = math.Sqrt(max(0, squares-n*rest*rest))
	if norm <= flat*math.Abs(mean)*math.Sqrt(n) {
		floats.AddConst(-rest, x)
		return mean, 0
	}
	for i, v := range x {
		x[i] = (v - rest) / norm
	}
	return mean, norm
}

// flat is the deviation, as a fraction of the mean, below which a series counts as
// constant: it is then rounding alone.
const flat = 1e-13
