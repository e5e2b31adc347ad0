// Package program holds what users build: models with their builds and runs, and the
// rules by which these change state: creation, rebuilds, promotion, drafts and
// revisions, sharing, the Trash.
//
//	programs := program.New(program.Config{Stores: db.ProgramStores(), Assets: db, Sessions: results, …})
//	model, err := programs.Builder.Create(ctx, accountID, program.CreateRequest{Prompt: "60% SPY, 40% AGG"})
//
// A model is created with a build and a run, in one transaction with the job that
// works on them. Package execution carries the run out and publishes its result in
// one more transaction: run, live pointer, membership, events and the refreshes of
// the models that hold it. A result becomes visible with that commit or not at all.
// Package result stores the tables of runs, and package history reads them.
package program
