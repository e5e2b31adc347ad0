// Package execution carries out runs: it resolves and pins the members of a
// universe, reads their bars, runs the script in a sandbox, stores the result, and
// publishes it in one transaction.
//
//	executor := execution.NewExecutor(execution.ExecutorConfig{Store: db, Sandbox: pool, …})
//	err := executor.Execute(ctx, runID)
//
// Execute may be called again for the same run, after a crash or at the same time as
// another worker: the result is published once. A run that repeats the one that its
// model serves, over newer bars, continues from the state that that run left
// (continuation.go). Verify carries out a complete run again and compares the
// results. Shifts carries it out on other schedules.
package execution
