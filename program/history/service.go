package history

import (
	"context"

	"ballast/program"
	"ballast/program/result"
)

// Models reads models as a caller may see them. *program.Models implements it.
type Models interface {
	// Served reads a model that the caller owns or that its owner shares, with the
	// run that it serves; fault.NotFound.
	Served(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// Runs reads runs as a caller may see them. *program.Runs implements it.
type Runs interface {
	// Run reads a run that the caller owns or that its owner shares; fault.NotFound.
	Run(ctx context.Context, accountID, ref string) (*program.Run, error)
	// Stored returns a run as it is stored, whatever the caller may see of it.
	Stored(ctx context.Context, run *program.Run) (*program.Run, error)
}

// Store reads what results were computed from.
type Store interface {
	program.Sharing
	program.ModelFinder
}

// Trials reads what was tried on a model.
type Trials interface {
	// Trials returns the annual Sharpe ratio of each trial of a model, NaN if it has
	// none. Each combination of a strategy and inputs that complete runs have used is
	// one trial. Refreshes are not new trials, initial_cash does not count as an
	// input, and trials of deleted runs still count.
	Trials(ctx context.Context, modelID string) ([]float64, error)
}

// Service reads histories. Its methods are safe for concurrent use.
type Service struct {
	c Config
}

// Config holds what New needs.
type Config struct {
	Models     Models
	Runs       Runs
	Store      Store
	Trials     Trials
	Assets     program.Assets
	Benchmarks Benchmarks
	Results    *result.Store
	Shifts     Shifter // runs shifted schedules; nil if the process has no sandbox
}

// New creates a Service.
func New(c Config) *Service { return &Service{c: c} }
