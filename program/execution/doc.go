// Package execution carries out runs: it resolves and pins the members of a
// universe, reads their bars, runs the script in a sandbox, stores the result, and
// publishes it in one transaction.
//
//	executor := execution.NewExecutor(execution.ExecutorConfig{Store: db, Sandbox: pool, …})
//	err := executor.Execute(ctx, runID)
//
// Execute may be called again for the same run, after a crash or beside another
// worker: publication happens once. A run that does the same as the one that its
// model serves goes on from the state that this one left (continuation). Verify
// carries out a complete run once more and compares the results; Shifts carries it
// out on other schedules.
package execution
