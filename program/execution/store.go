package execution

import (
	"context"
	"encoding/json"

	"ballast/program"
	"ballast/program/backfills"
	"ballast/program/optimizers"
)

// Store stores the states of runs. Every method that changes one is one transaction
// that also queues the resulting jobs.
type Store interface {
	// StartRun sets a queued run (or, after a crash, a running one) running and
	// returns it with its build and model. It returns nil, nil, nil if the run has
	// ended or was deleted. It returns program.ErrAccountBusy while the account has
	// as many running runs as its plan allows, and fault.InsufficientFunds if nothing
	// is held for the run yet and less remains than it would hold.
	StartRun(ctx context.Context, runID string) (*program.Run, *program.Build, *program.Model, error)
	// YieldRun sets a running run that will be started again back to queued, so that
	// other runs of its account may start while it waits.
	YieldRun(ctx context.Context, runID string) error
	// SetProgress records how far a run has come. It returns false if the run has ended
	// or was deleted, so that nobody wants its result any more.
	SetProgress(ctx context.Context, runID string, p program.Progress) (wanted bool, err error)
	// Publish makes a result visible in one transaction: run, build, live pointer,
	// model state, membership, and the queued refreshes of the models that hold it.
	// Publishing a run that has ended changes nothing. If a member model serves
	// another run than the one that was pinned, a publishing run is superseded: the
	// live pointer stays, and a new run is queued. A default run of an implementation
	// that is no longer served is superseded too. It returns program.ErrCycle if the
	// members have come to hold the model.
	Publish(ctx context.Context, p *program.Publication) error
	// FailRun ends a run, and its build and model if they depend on it. A run that
	// has ended does not change.
	FailRun(ctx context.Context, runID string, e program.Ending) error
}

// Programs reads runs to carry out or continue, and their builds.
type Programs interface {
	// Run reads a run by id, with the joined fields; fault.NotFound.
	Run(ctx context.Context, runID string) (*program.Run, error)
	// RunWith returns the newest run of a build with these inputs that has not failed, or
	// "".
	RunWith(ctx context.Context, buildID string, inputs json.RawMessage) (runID string, err error)
	// Build reads a build by id; fault.NotFound.
	Build(ctx context.Context, buildID string) (*program.Build, error)
}

// Snapshots queues runs of models as their owners do, within their limits.
type Snapshots interface {
	// StartRun queues a run of one of an account's models. A *fault.Error says why the
	// account may not.
	StartRun(ctx context.Context, accountID, ref string, req program.RunRequest) (*program.Run, error)
}

// Members finds what universes mean, and whether their models are about to change.
type Members interface {
	program.ModelFinder
	// Moving reports whether one of the models is about to serve another run: a
	// publishing run of it is in progress, or it waits for its own members.
	Moving(ctx context.Context, modelIDs []string) (bool, error)
	// KeepEntries stores the meanings of a script's universe with its build. If the
	// build already has some, nothing changes.
	KeepEntries(ctx context.Context, buildID string, e program.Entries) error
}

// Optimizers reads the optimizers that scripts name.
type Optimizers interface {
	// OptimizersByName reads current versions by upper-case name.
	OptimizersByName(ctx context.Context, accountID string, names []string) (map[string]*optimizers.Optimizer, error)
	// OptimizerVersion reads one version, even of a deleted optimizer; fault.NotFound.
	OptimizerVersion(ctx context.Context, optimizerID string, version int) (*optimizers.Optimizer, error)
}

// Backfills reads what comes before the bars of assets.
type Backfills interface {
	backfills.Reader
	// BackfillVersion reads one version, even of a deleted backfill; fault.NotFound.
	BackfillVersion(ctx context.Context, backfillID string, version int) (*backfills.Backfill, error)
}
