package program

import (
	"context"

	"ballast/internal/fault"
	"ballast/script"
)

// Linked reads models and runs by id for somebody to whom their owner has given a link,
// whatever account asks. What a stranger would not see of a public model stays hidden: the
// names and holdings of private members. Whoever uses it has checked the link.
type Linked struct {
	Models *Models
	Runs   *Runs
}

// Sheet reads a model; fault.NotFound.
func (l Linked) Sheet(ctx context.Context, _, modelID string) (*Sheet, error) {
	m, err := l.Models.sheet(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return Reader{l.Models.sharing, ""}.seesSheet(ctx, m)
}

// Served reads a model with only the run that it serves; fault.NotFound.
func (l Linked) Served(ctx context.Context, _, modelID string) (*Sheet, error) {
	m, err := l.Models.store.Served(ctx, modelID)
	if err != nil {
		return nil, err
	}
	m.Live, err = Reader{l.Models.sharing, ""}.seesOne(ctx, m.Live)
	return m, err
}

// Run reads a run; fault.NotFound.
func (l Linked) Run(ctx context.Context, _, runID string) (*Run, error) {
	r, err := l.Runs.store.Run(ctx, runID)
	if err != nil {
		return nil, fault.AsMissing(err, "run", runID)
	}
	return Reader{l.Runs.sharing, ""}.seesOne(ctx, r)
}

// RunScript returns the script of a run, or nil if it cannot be read.
func (l Linked) RunScript(ctx context.Context, _, runID string) (*script.Script, error) {
	r, err := l.Run(ctx, "", runID)
	if err != nil {
		return nil, err
	}
	return l.Runs.scriptOf(ctx, r)
}

// Stored returns a run as it is stored.
func (l Linked) Stored(ctx context.Context, run *Run) (*Run, error) { return l.Runs.Stored(ctx, run) }
