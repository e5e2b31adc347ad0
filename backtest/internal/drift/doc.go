// Package drift is the engine's inner loops: holdings run through the returns
// of their columns and add up, closes are reckoned of the sums, weights are taken
// of the holdings, and targets turn into holdings.
//
//	panel := drift.NewPanel(columns)
//	clear(sum)
//	panel.Run(sum, hold, members, from)
//	drift.Close(returns, equity, gross, cash, previous, highest)
//	drift.Weigh(weights, hold, 1/equity)
//	v := drift.Invest(target, weights, hold, longs, shorts, equity)
//
// What they must give is written in plain Go. On amd64 with AVX2 members go
// through assembly kernels, eight or four at a time, with the same
// multiplications and additions in the same order, so a result has the same
// bits on every machine. Neither fuses a multiplication with an addition.
//
// The time goes to memory rather than to arithmetic: a segment between two
// trades is a few cache lines of every column, and the columns are far apart,
// which no hardware prefetcher foresees. The kernel asks for the lines of the
// segment to come while it multiplies those of the present one.
package drift
