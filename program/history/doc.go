// Package history reads the results of runs as callers ask for them: blocks of a
// window, such as returns, allocations, the tree of member models, fees, metrics
// and timing.
//
//	histories := history.New(history.Config{Models: models, Runs: runs, Results: results, …})
//	h, err := histories.History(ctx, accountID, "SIXTY40", history.Query{Returns: true, Metrics: true})
//
// A read passes once through these files, from top to bottom:
//
//	resolve.go  which run is meant, and where its default view starts
//	read.go     the order of the blocks, and nothing else
//	window.go   the run's daily table, and the rows that the query asks for
//	*.go        each block, in the file named after it, as a function of the window
//
// Blocks that see through member models (allocation, tree, latest) share one
// expansion (expand.go) of the runs that the run was pinned to (members.go). names.go
// assigns keys and labels. day_table.go converts a History to a table of days.
// Compare compares several runs on their common window, and Changes compares the
// target allocations of two runs.
package history
