package execution

import (
	"context"

	"ballast/program"
	"ballast/program/backfills"
)

// Store keeps the states of runs. Every method that changes one is one
// transaction, with the rows of the jobs that follow from it.
type Store interface {
	// StartRun sets a queued (or already running, after a crash) run running and
	// returns it with its build and model; it returns nil, nil, nil where the run
	// has ended or is gone. program.ErrAccountBusy while as many runs of the account are
	// running as its plan has; fault.InsufficientFunds where nothing is held for
	// the run yet and less remains than it would hold.
	StartRun(ctx context.Context, runID string) (*program.Run, *program.Build, *program.Model, error)
	// YieldRun sets a running run queued that will be started again: while it
	// waits, others of its account may run.
	YieldRun(ctx context.Context, runID string) error
	// SetProgress notes how far a run is.
	SetProgress(ctx context.Context, runID string, p program.Progress) error
	// Publish makes a result visible: run, build, live pointer, model state,
	// membership, and the queued refreshes of holders, in one transaction.
	// Publishing an ended run again changes nothing. Where a member model's live
	// run has moved on from the one that was pinned, a publishing run is marked
	// superseded, the live pointer stays, and a fresh run is queued; a default run
	// of an implementation that is no longer served is superseded, too. program.ErrCycle
	// where the members have come to hold the model.
	Publish(ctx context.Context, p *program.Publication) error
	// FailRun ends a run, and its build and model where they depend on it.
	// A run that has ended stays as it is.
	FailRun(ctx context.Context, runID string, e program.Ending) error
}

// Programs reads what runs carry out and go on from.
type Programs interface {
	// Run reads one by id, with the fields joined; fault.NotFound.
	Run(ctx context.Context, runID string) (*program.Run, error)
	// Build reads one by id; fault.NotFound.
	Build(ctx context.Context, buildID string) (*program.Build, error)
}

// Members finds what universes mean, and whether that is at rest.
type Members interface {
	program.ModelFinder
	// Moving reports whether one of the models is about to serve another run: a
	// publishing run of it is in flight, or it waits for its own members.
	Moving(ctx context.Context, modelIDs []string) (bool, error)
	// KeepEntries gives a build the meanings of its script's universe, once: with
	// some there already it changes nothing.
	KeepEntries(ctx context.Context, buildID string, e program.Entries) error
}

// Backfills reads what stands before the bars of assets.
type Backfills interface {
	backfills.Reader
	// BackfillVersion reads one version, of a deleted backfill too; fault.NotFound.
	BackfillVersion(ctx context.Context, backfillID string, version int) (*backfills.Backfill, error)
}
