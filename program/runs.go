package program

import (
	"context"
	"log/slog"
	"time"

	"ballast/internal/fault"
	"ballast/internal/id"
)

// Runs reads the runs of models as callers may see them, starts them, and does
// what an owner may do with one.
type Runs struct {
	models   *Models // whose runs they are
	store    RunStore
	changes  RunChanges
	sharing  Sharing
	builds   BuildReader
	members  ModelFinder
	assets   Assets
	dailyCap int
	wait     time.Duration
	log      *slog.Logger
	now      func() time.Time
}

// RunStore reads runs.
type RunStore interface {
	// Run reads one by id, with the fields joined; fault.NotFound.
	Run(ctx context.Context, runID string) (*Run, error)
	// Runs lists a model's runs, newest first, without results.
	Runs(ctx context.Context, modelID string, f RunFilter) ([]*Run, int, error)
	// Finished returns a channel that is closed when the run has ended, or ctx is
	// done; the caller reads the run afterwards.
	Finished(ctx context.Context, runID string) (<-chan struct{}, error)
}

// RunChanges starts runs and changes them. Each method is one transaction, with
// the rows of the jobs that follow from it.
type RunChanges interface {
	// CreateRun adds a run and queues it; fault.RunConflict while a default run or
	// a rebuild of the model is in flight (a test excepted), fault.NotReady where
	// the model was never built, fault.DailyRunLimit past dailyLimit runs that
	// callers have started since midnight UTC. A publishing run sets the model
	// updating. r is then the run as the transaction has left it, with the fields
	// joined.
	CreateRun(ctx context.Context, r *Run, dailyLimit int) error
	// PatchRun relabels or shares a run; fault.NotFound.
	PatchRun(ctx context.Context, runID string, p RunPatch) error
	// DeleteRun removes an ended run. fault.RunInFlight before its end,
	// fault.RunLive where a model serves it, or serves what was computed on it.
	DeleteRun(ctx context.Context, runID string) error
	// Promote adds a build that follows from the one called base, and its run, to a
	// model that serves base, sets the model updating and queues the run.
	// fault.RunConflict while a default run or a build of the model is in flight,
	// fault.NotReady where it serves nothing, ErrBuildMoved where it serves another
	// build than base. r is then the run as the transaction has left it, with the
	// fields joined.
	Promote(ctx context.Context, b *Build, r *Run, base string) error
}

// RunFilter selects runs of a list.
type RunFilter struct {
	UpdatesOnly bool // routine refreshes alone
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

// Wait returns the run once it has ended, or as it is after the longest wait.
func (s *Runs) Wait(ctx context.Context, accountID, runID string) (*Run, error) {
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	// Listen first, look second: an end in between is then seen by the look.
	finished, err := s.store.Finished(waiting, runID)
	if err != nil {
		return nil, err
	}
	r, err := s.Run(ctx, accountID, runID)
	if err != nil || r.Status.Ended() {
		return r, err
	}
	<-finished
	return s.Run(ctx, accountID, runID)
}
