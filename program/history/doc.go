// Package history reads the results of runs as callers ask for them: blocks of a
// window, such as returns, allocations, the tree of member models, fees, metrics
// and timing.
//
//	histories := history.New(history.Config{Models: models, Runs: runs, Results: results, …})
//	h, err := histories.History(ctx, accountID, "SIXTY40", history.Query{Returns: true, Metrics: true})
//
// A read goes down once through these files:
//
//	resolve.go  which run is meant, and from which date its default view begins
//	read.go     the order of the blocks, and nothing else
//	window.go   the run's daily table, and the rows that the query asks for
//	*.go        each block, in the file of its name, as a function of the window
//
// Blocks that see through member models (allocation, tree, latest) share one
// expansion (expand.go) of the runs that the run was pinned to (members.go). Keys
// and labels are given in names.go. A History becomes a table of days in
// day_table.go. Compare lays several runs beside each other on their common window,
// and Changes compares the allocations that two runs aim at.
package history
