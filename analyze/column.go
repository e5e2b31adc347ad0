package analyze

import (
	"fmt"
	"math"
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

// complete returns the rows in which all columns have a value, as new columns. Infinite
// values are refused.
func complete(columns []Column) ([]Column, error) {
	out := make([]Column, len(columns))
	for i, c := range columns {
		if len(c.Values) != len(columns[0].Values) {
			panic("analyze: columns differ in length")
		}
		out[i] = Column{Name: c.Name, Values: make([]float64, 0, len(c.Values))}
	}
rows:
	for row := range columns[0].Values {
		for _, c := range columns {
			switch v := c.Values[row]; {
			case math.IsNaN(v):
				continue rows
			case math.IsInf(v, 0):
				return nil, failed(c.Name, "%s has an infinite value in row %d", c.Name, row)
			}
		}
		for i, c := range columns {
			out[i].Values = append(out[i].Values, c.Values[row])
		}
	}
	return out, nil
}

// center subtracts the mean of x and divides by the root of the sum of squares around
// it, in place, and returns both. The norm is 0 if the values differ only by rounding;
// x is then not divided.
func center(x []float64) (mean, norm float64) {
	if len(x) == 0 {
		return missing, 0
	}
	largest := 0.0
	for _, v := range x {
		mean += v
		largest = max(largest, math.Abs(v))
	}
	mean /= float64(len(x))
	// A second pass removes what rounding left in the mean.
	rest := 0.0
	for _, v := range x {
		rest += v - mean
	}
	mean += rest / float64(len(x))
	squares := 0.0
	for i, v := range x {
		x[i] = v - mean
		squares += x[i] * x[i]
	}
	norm = math.Sqrt(squares)
	if norm <= flat*largest*math.Sqrt(float64(len(x))) {
		return mean, 0
	}
	for i := range x {
		x[i] /= norm
	}
	return mean, norm
}

// flat is the deviation, as a fraction of the largest value, below which a series counts
// as constant: it is then rounding alone.
const flat = 1e-13
