package export

import (
	"time"

	"ballast/catalog"
	"ballast/program"
	"ballast/timeseries"
)

// Query selects rows of one table. Fields of other tables are not looked at.
type Query struct {
	Table Table

	// Of assets, as in their list.
	Assets catalog.Filter // Sort, Limit and Offset are not looked at

	// Of bars.
	Symbols []string // in any case; none are all

	// Of results, and Models of runs too.
	Models []string // references; none are all of the account's own
	RunIDs []string // besides the live runs of Models

	// Of runs.
	Status program.RunStatus // "" any
	Source program.Source    // "" any

	UpdatesOnly bool // routine refreshes alone

	// Of bars and results.
	Start, End timeseries.Date // inclusive, NoDate where open
}

// RunFilter selects runs of an account.
type RunFilter struct {
	ProgramIDs []string // none are all
	Status     program.RunStatus
	Source     program.Source

	UpdatesOnly bool // routine refreshes alone
}

// RunMark is the place of a run in the order of newest first.
type RunMark struct {
	CreatedAt time.Time
	ID        string
}

// BarAsset is an asset with stored bars.
type BarAsset struct {
	ID     string
	Symbol string
	Rows   int64 // bars, at the latest version
}

// LiveRun is the run that a model serves.
type LiveRun struct {
	ProgramID string
	RunID     string
	Symbol    string // the model's
	Name      string
}
