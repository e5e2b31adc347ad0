// Package drift is the engine's inner loop: it lets holdings run through the
// returns of their columns and adds up what they are worth on each session.
//
//	panel := drift.NewPanel(columns)
//	clear(sum)
//	panel.Run(sum, hold, members, from, ahead)
//
// What it must give is written in plain Go, in plain.go. On amd64 with AVX2
// eight members at a time go through an assembly kernel with the same
// multiplications and additions in the same order, so a result has the same
// bits on every machine. Neither fuses a multiplication with an addition.
//
// The time goes to memory rather than to arithmetic: a segment between two
// trades is a few cache lines of every column, and the columns are far apart,
// which no hardware prefetcher foresees. The kernel asks for the stretches of
// the segment to come while it multiplies those of the present one.
package drift
