// Package drift has the engine's inner loops. They compound holdings over the returns
// of their columns and add them up, compute the daily closes from the sums, compute
// weights from holdings, and turn targets into holdings.
//
//	panel := drift.NewPanel(columns)
//	clear(sum)
//	panel.Run(sum, hold, members, from)
//	drift.Close(returns, equity, gross, cash, previous, highest)
//	drift.Weigh(weights, hold, 1/equity)
//	v := drift.Invest(target, weights, hold, longs, shorts, equity)
//
// The plain Go code defines the results. On amd64 with AVX2 assembly kernels handle
// eight or four members at a time with the same multiplications and additions in the
// same order, so a result has the same bits on every machine. Neither fuses a
// multiplication with an addition.
//
// The loops are limited by memory, not by arithmetic. A segment between two trades
// is a few cache lines of each column, and the columns are far apart, so hardware
// prefetchers do not help. The kernel prefetches the lines of the next segment while
// it processes the current one.
package drift
