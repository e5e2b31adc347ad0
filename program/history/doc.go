// Package history reads the results of runs as callers ask for them: blocks of a
// window, such as returns, allocations, the tree of member models, fees, metrics
// and timing.
//
//	histories := history.New(history.Config{Models: models, Runs: runs, Results: results, …})
//	h, err := histories.History(ctx, accountID, "SIXTY40", history.Query{Returns: true, Metrics: true})
//
// A read goes down once: the model and its run (Service.History), the daily table
// and the rows of the window, then each block from these rows: what sees
// through member models (expansion), what stands in the table by key, what is
// computed (metrics, fees, timing). Compare puts several runs on their common
// window, and Changes compares the allocations that two runs aim at.
package history
