// Package analysis runs scripts that analyze: it calls analyze(ctx) once, computes with
// package analyze, and returns tables, scalars and figures.
//
//	Kind        what an analysis' script may contain
//	Execute     one run; Family hands it to the sandbox
//	operations  the functions of the harness: what each accepts, reads and writes
//	SourceOf    the script that calls one function, from a body without code
//	window      the members' returns as columns with the same rows, by day or by month
//	sheet       the tables, scalars and figures so far
//
// A member is an asset, a model, a run of a model, or a column of a series from outside.
// Its column has NaN on days without a bar of its own; each function uses the rows that
// it needs, and says how many there were.
package analysis
