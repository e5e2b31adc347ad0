package history

import (
	"context"

	"ballast/program"
	"ballast/program/result"
)

// Programs reads runs and models as a caller may see them. *program.Service is one.
type Programs interface {
	// Run reads a run that the caller owns or that its owner shares; fault.NotFound.
	Run(ctx context.Context, accountID, ref string) (*program.Run, error)
	// Served reads a model that the caller owns or that its owner shares, with the
	// run that it serves; fault.NotFound.
	Served(ctx context.Context, accountID, ref string) (*program.Sheet, error)
	// Stored is a run as it is stored, whatever of it the caller may see.
	Stored(ctx context.Context, run *program.Run) (*program.Run, error)
}

// HistoryStore reads what results were computed from.
type Store interface {
	program.RunReader
	program.ModelFinder
}

// Trials tells what was tried on a model.
type Trials interface {
	// Trials are the annual Sharpe ratios, NaN where there is none, of what complete
	// runs of a model have tried: distinct strategies at distinct inputs. Refreshes
	// of one are one, initial_cash is no input here, and what was tried by runs that
	// are deleted stays tried.
	Trials(ctx context.Context, modelID string) ([]float64, error)
}

// HistoryService reads histories. Its methods may be called by several goroutines.
type Service struct {
	c Config
}

// HistoryConfig is what a HistoryService is made of.
type Config struct {
	Programs   Programs
	Store      Store
	Trials     Trials
	Assets     program.Assets
	Benchmarks Benchmarks
	Results    *result.Store
	Shifts     Shifter // runs shifted schedules; nil where the process has no sandbox
}

// NewHistoryService makes a HistoryService.
func New(c Config) *Service { return &Service{c: c} }
