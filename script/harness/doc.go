// Package harness is what scripts import: the field's tools over vectors.
//
//	from harness import momentum, top, equal_weight
//
// A function, or a family of them, is one file, and one line in the table, which
// holds what it takes for its calls, the static checks and the contract's page.
// Each takes vectors (or lists of numbers), dictionaries by symbol and matrices,
// computes in Go and gives a number, a vector, a dictionary or a matrix; none
// keeps state, reads a clock or depends on the order of a Go map. What cannot be
// said (too few values, a division by zero) is an error that names the function
// and what it needs, never NaN, since comparisons with NaN differ between Python
// and here. Ties keep the order in which symbols were given. Sums go from the
// first value to the last.
package harness
