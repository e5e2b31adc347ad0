// Package harness is what scripts import: the field's tools over vectors.
//
//	from harness import momentum, top, equal_weight
//
// A function is one file and one line in the table below. Each takes vectors
// (or lists of numbers) and dictionaries by symbol, computes in Go and gives a
// number, a vector or a dictionary; none keeps state, reads a clock or depends
// on the order of a Go map. What cannot be said (too few values, a division by
// zero) is an error that names the function and what it needs, never NaN, since
// comparisons with NaN differ between Python and here. Ties keep the order in
// which symbols were given. Sums go from the first value to the last.
package harness
