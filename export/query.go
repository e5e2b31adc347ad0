package export

import (
	"time"

	"ballast/catalog"
	"ballast/program"
	"ballast/timeseries"
)

// Query selects rows of one table. Fields that belong to other tables are ignored.
type Query struct {
	Table Table

	// For assets, as in their list.
	Assets catalog.Filter // Sort, Limit and Offset are ignored

	// For bars.
	Symbols []string // in upper or lower case; empty means all

	// For results; Models also for runs.
	Models []string // references; empty means all of the account's own models
	RunIDs []string // in addition to the live runs of Models or Programs

	// For results of simulations and analyses.
	Programs []string // references to those of the table's kind; empty means all of the account's own

	// For runs.
	Status program.RunStatus // "" means any
	Source program.Source    // "" means any

	UpdatesOnly bool // only routine refreshes

	// For bars and results.
	Start, End timeseries.Date // inclusive; NoDate means no limit
}

// RunFilter selects runs of an account.
type RunFilter struct {
	ProgramIDs []string // empty means all
	Status     program.RunStatus
	Source     program.Source

	UpdatesOnly bool // only routine refreshes
}

// RunMark is the position of a run in the order from newest to oldest.
type RunMark struct {
	CreatedAt time.Time
	ID        string
}

// BarAsset is an asset with stored bars.
type BarAsset struct {
	ID     string
	Symbol string
	Rows   int64 // number of bars in the latest version
}

// LiveRun is the run that a model serves.
type LiveRun struct {
	ProgramID string
	RunID     string
	Symbol    string // of the model
	Name      string // of the model
}
