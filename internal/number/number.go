// Package number writes floating-point numbers as JSON: the shortest text that reads
// back as the same number, and null for NaN and infinities.
package number

import (
	"math"
	"strconv"
)

// Float is a float64 whose JSON is null when it is NaN or infinite.
type Float float64

// NaN returns the Float that is written as null.
func NaN() Float { return Float(math.NaN()) }

// MarshalJSON implements json.Marshaler.
func (f Float) MarshalJSON() ([]byte, error) { return Append(nil, float64(f)), nil }

// UnmarshalJSON reads null as NaN.
func (f *Float) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*f = NaN()
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	*f = Float(v)
	return err
}

// Floats is a vector that is written in one pass, with null for NaN and infinities.
type Floats []float64

// MarshalJSON implements json.Marshaler.
func (f Floats) MarshalJSON() ([]byte, error) {
	if f == nil {
		return []byte("[]"), nil
	}
	b := make([]byte, 0, 2+len(f)*22)
	b = append(b, '[')
	for i, v := range f {
		if i > 0 {
			b = append(b, ',')
		}
		b = Append(b, v)
	}
	return append(b, ']'), nil
}

// Append appends the JSON text of v to b.
func Append(b []byte, v float64) []byte {
	// As in encoding/json, only very small and very large numbers have exponents.
	if a := math.Abs(v); a >= 1e-6 && a < 1e21 {
		if v < 0 {
			b = append(b, '-')
		}
		digits, exponent := shortest(a)
		return appendFixed(b, digits, exponent)
	}
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, "null"...)
	case v == 0:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'e', -1, 64)
}
