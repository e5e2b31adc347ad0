package program

import (
	"encoding/json"
	"time"

	"ballast/backtest"
	"ballast/catalog/series"
	"ballast/metrics"
	"ballast/timeseries"
)

// Publication is everything that a finished run makes visible.
type Publication struct {
	RunID          string
	HarnessVersion string // harness of the worker
	DataVersion    string
	Members        []Member
	Series         []series.Read // what it has read of series from outside
	Depth          int           // nesting depth of the model, from its members
	Summary        *Summary      // for a model's run; nil for other kinds
	Answer         *Answer       // for a run of another kind; nil for models
	Usage          Usage
	ResultHash     string
	Tables         Tables
	Base           timeseries.Date
	First          timeseries.Date // NoDate if the run has a base but no returns yet
	Last           timeseries.Date
	FinishedAt     time.Time
	Causality      *backtest.Causality // nil if the build was already checked
	Identity       *Identity           // what the build changes about its model when it is served; nil for other runs
	Warning        string              // for readers of what the model serves; "" if there is none
	Strategy       string              // identifies the strategy and inputs that were tried, see script.Script
	Figures        *metrics.Figures    // of a model's run over its whole history; nil for other runs
	Trials         []Trial             // of the models whose inputs the run has swept
}

// Identity is what a build changes about its model in addition to the script.
type Identity struct {
	Name        string // "" keeps the model's own
	Symbol      string // "" keeps the model's own
	Description string
	Prompt      string // "" keeps the model's own
	StartRule   string // "" keeps the model's own
	Yields      bool   // the name and the symbol that the owner chose take precedence
}

// Ending describes how a run failed.
type Ending struct {
	Failure   Failure
	Usage     Usage
	Causality *backtest.Causality // nil if it was not checked
	NextRetry *time.Time          // for a refresh; nil if none is planned
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
	Model        Identity        // applied if the model serves nothing yet
}

// Membership is an edge in the graph of models: one model holds another.
type Membership struct {
	HolderID   string
	MemberID   string
	MemberName string
}
