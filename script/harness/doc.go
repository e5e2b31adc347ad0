// Package harness holds the functions that scripts import: the usual tools of
// asset allocation, over vectors.
//
//	from harness import momentum, top, equal_weight
//
// Each function, or family of functions, has its own file and one line in the
// table. The table's signature serves the calls, the static checks and
// docs/script-contract.md. A function takes vectors (or lists of numbers),
// dictionaries by symbol and matrices, computes in Go, and returns a number, a
// vector, a dictionary or a matrix. No function keeps state, reads a clock or
// depends on the order of a Go map.
//
// An undefined result (too few values, a division by zero) is an error that names
// the function and what it needs. It is never NaN, since comparisons with NaN
// differ between Python and the interpreter. Ties keep the order in which the
// symbols were given. Sums run from the first value to the last.
package harness
