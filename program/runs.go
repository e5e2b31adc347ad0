package program

import (
	"context"
	"log/slog"
	"time"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/script"
)

// Runs reads the runs of models as callers may see them, starts runs, and makes the
// changes that an owner may make.
type Runs struct {
	models   *Models      // the models that the runs belong to
	known    script.Kinds // kinds of the scripts that runs may have
	store    RunStore
	changes  RunChanges
	sharing  Sharing
	builds   BuildReader
	members  ModelFinder
	assets   Assets
	dailyCap int
	wait     time.Duration
	stopping <-chan struct{}
	log      *slog.Logger
	now      func() time.Time
}

// RunStore reads runs.
type RunStore interface {
	// Run reads a run by id, with the joined fields; fault.NotFound.
	Run(ctx context.Context, runID string) (*Run, error)
	// Runs lists a model's runs, newest first, without results.
	Runs(ctx context.Context, modelID string, f RunFilter) ([]*Run, int, error)
	// Finished returns a channel that is closed when the run has ended or ctx is
	// done. The caller reads the run afterwards.
	Finished(ctx context.Context, runID string) (<-chan struct{}, error)
}

// RunChanges starts runs and changes them. Each method is one transaction that also
// queues the resulting jobs.
type RunChanges interface {
	// CreateRun adds a run and queues it. It returns fault.RunConflict while a
	// default run or a rebuild of the model is in progress (except for a test),
	// fault.NotReady if the model was never built, and fault.DailyRunLimit after
	// dailyLimit runs that callers have started since midnight UTC. A publishing run
	// sets the model updating. Afterwards r is the run as the transaction left it,
	// with the joined fields.
	CreateRun(ctx context.Context, r *Run, dailyLimit int) error
	// PatchRun relabels or shares a run; fault.NotFound.
	PatchRun(ctx context.Context, runID string, p RunPatch) error
	// DeleteRun deletes a run that has ended, or stops and deletes a snapshot run of a
	// simulation. It returns fault.RunInFlight before the end of other runs, and
	// fault.RunLive if a model serves the run or serves a result computed from it.
	DeleteRun(ctx context.Context, runID string) error
	// Promote adds to a model that serves the build base another build and its run,
	// sets the model updating and queues the run. It returns fault.RunConflict while
	// a default run or a build of the model is in progress, fault.NotReady if the
	// model serves nothing, and ErrBuildMoved if it serves another build than base.
	// Afterwards r is the run as the transaction left it, with the joined fields.
	Promote(ctx context.Context, b *Build, r *Run, base string) error
}

// RunFilter selects runs for a list.
type RunFilter struct {
	UpdatesOnly bool // only routine refreshes
	Limit       int
	Offset      int
}

// Runs lists the runs of one of the caller's models.
func (s *Runs) Runs(ctx context.Context, accountID, ref string, f RunFilter) ([]*Run, int, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Runs(ctx, m.ID, f)
}

// Run reads a run that the caller owns or that its owner shares.
func (s *Runs) Run(ctx context.Context, accountID, ref string) (*Run, error) {
	runID, ok := id.Parse(id.Run, ref)
	if !ok {
		return nil, fault.Missing("run", ref)
	}
	r, err := s.store.Run(ctx, runID)
	if err != nil {
		return nil, fault.AsMissing(err, "run", ref)
	}
	if r.AccountID != accountID && !r.Shared {
		return nil, fault.Missing("run", ref)
	}
	return Reader{s.sharing, accountID}.seesOne(ctx, r)
}

// Wait returns the run once it has ended, or its current state after the longest
// wait or when the service stops.
func (s *Runs) Wait(ctx context.Context, accountID, runID string) (*Run, error) {
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	// Listen first, then read: if the run ends in between, the read sees it.
	finished, err := s.store.Finished(waiting, runID)
	if err != nil {
		return nil, err
	}
	r, err := s.Run(ctx, accountID, runID)
	if err != nil || r.Status.Ended() {
		return r, err
	}
	select {
	case <-finished:
	case <-s.stopping:
	}
	return s.Run(ctx, accountID, runID)
}
