package history

import (
	"context"

	"ballast/program"
	"ballast/program/result"
)

// Models reads models as a caller may see them. *program.Models is one.
type Models interface {
	// Served reads a model that the caller owns or that its owner shares, with the
	// run that it serves; fault.NotFound.
	Served(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// Runs reads runs as a caller may see them. *program.Runs is one.
type Runs interface {
	// Run reads a run that the caller owns or that its owner shares; fault.NotFound.
	Run(ctx context.Context, accountID, ref string) (*program.Run, error)
	// Stored is a run as it is stored, whatever of it the caller may see.
	Stored(ctx context.Context, run *program.Run) (*program.Run, error)
}

// Store reads what results were computed from.
type Store interface {
	program.Sharing
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

// Service reads histories. Its methods may be called by several goroutines.
type Service struct {
	c Config
}

// Config is what a Service is made of.
type Config struct {
	Models     Models
	Runs       Runs
	Store      Store
	Trials     Trials
	Assets     program.Assets
	Benchmarks Benchmarks
	Results    *result.Store
	Shifts     Shifter // runs shifted schedules; nil where the process has no sandbox
}

// New makes a Service.
func New(c Config) *Service { return &Service{c: c} }
