// Package program holds what users build: models, their builds and runs, and the
// rules by which these change state: creation, rebuilds, promotion, drafts and
// revisions, sharing, the Trash.
//
//	programs := program.New(program.Config{Stores: db.ProgramStores(), Assets: db, Sessions: results, …})
//	run, err := models.Create(ctx, accountID, program.CreateRequest{Prompt: "60% SPY, 40% AGG"})
//
// A model is created with a build and a run, in one transaction with the job that
// works on them. Package execution carries the run out and publishes its result in
// one more transaction: run, live pointer, membership, events and the refreshes of
// the models that hold it. A result is visible after that commit or not at all.
// Package result keeps the tables of runs, package history reads them.
package program
