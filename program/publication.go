package program

import (
	"encoding/json"
	"time"

	"ballast/backtest"
	"ballast/metrics"
	"ballast/timeseries"
)

// Publication is everything that a finished run makes visible.
type Publication struct {
	RunID          string
	HarnessVersion string // of the worker
	DataVersion    string
	Members        []Member
	Depth          int      // of the model, from its members
	Summary        *Summary // of a model's run, nil of others
	Answer         *Answer  // of a run of another kind
	Usage          Usage
	ResultHash     string
	Tables         Tables
	Base           timeseries.Date
	First          timeseries.Date // NoDate where the run has a base and no return yet
	Last           timeseries.Date
	FinishedAt     time.Time
	Causality      *backtest.Causality // nil where the build was checked before
	Identity       *Identity           // what the build makes of its model where it is served; nil of other runs
	Warning        string              // for who follows what is served, "" without
	Strategy       string              // that was tried at the run's inputs, see script.Script
	Figures        *metrics.Figures    // of a model's run over its whole history, nil of others
}

// Identity is what a build changes of its model besides the implementation.
type Identity struct {
	Name        string // "" keeps the model's own
	Symbol      string // likewise
	Description string
	Prompt      string // "" keeps the model's own
	StartRule   string // "" keeps the model's own
	Yields      bool   // to the name and the symbol that the owner has given
}

// Ending is how a run fails.
type Ending struct {
	Failure   Failure
	Usage     Usage
	Causality *backtest.Causality // nil where it was not checked
	NextRetry *time.Time          // of a refresh, nil where none is planned
}

// GeneratedScript is what a generator wrote for a build.
type GeneratedScript struct {
	BuildID      string
	Script       string
	ScriptHash   string
	InputsSchema json.RawMessage
	Validation   json.RawMessage
	Entries      Entries
	Generator    string
	Usage        Usage
	Inputs       json.RawMessage // the defaults, for the build's run
	Model        Identity        // of a model that serves nothing yet
}

// Membership is an edge of the graph of models.
type Membership struct {
	HolderID   string
	MemberID   string
	MemberName string
}
