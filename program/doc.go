// Package program holds what users build: models, their builds and runs, and the
// rules by which these change state.
//
// A model is created with a build and a run, in one transaction with the job
// that works on them. The job executes the run in the sandbox, writes its result
// as two immutable Parquet objects, and publishes it in one more transaction:
// run, live pointer, membership, events and the refreshes of the models that
// hold it. A result is visible after that commit or not at all.
package program
