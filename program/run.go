package program

import (
	"encoding/json"
	"math"
	"time"

	"ballast/billing"
	"ballast/timeseries"
)

// RunStatus is the state of a run or a build.
type RunStatus string

// The states of a run.
const (
	RunQueued   RunStatus = "queued"
	RunRunning  RunStatus = "running"
	RunComplete RunStatus = "complete"
	RunFailed   RunStatus = "failed"
)

// RunStatuses are all states of a run.
var RunStatuses = []RunStatus{RunQueued, RunRunning, RunComplete, RunFailed}

// Ended reports whether no work is left.
func (s RunStatus) Ended() bool { return s == RunComplete || s == RunFailed }

// Source says what started a run.
type Source string

// The sources of runs.
const (
	SourceCreate    Source = "create"
	SourceRebuild   Source = "rebuild"
	SourceManual    Source = "manual"
	SourceRefresh   Source = "refresh"
	SourceCascade   Source = "cascade"
	SourcePromote   Source = "promote"
	SourceDraftTest Source = "draft_test"
	SourceApply     Source = "apply"
)

// Sources are all sources of runs.
var Sources = []Source{
	SourceCreate, SourceRebuild, SourceManual, SourceRefresh, SourceCascade, SourcePromote, SourceDraftTest, SourceApply,
}

// Builds reports whether the run tries an implementation that is not served yet.
func (s Source) Builds() bool {
	return s == SourceCreate || s == SourceRebuild || s == SourcePromote || s == SourceApply || s == SourceDraftTest
}

// Routine reports whether the service started the run of itself.
func (s Source) Routine() bool { return s == SourceRefresh || s == SourceCascade }

// Run is one execution of a program at given inputs.
type Run struct {
	ID             string // run_…
	AccountID      string
	ProgramID      string
	ProgramName    string // joined
	BuildID        string
	InputsSchema   json.RawMessage // joined from the build
	Status         RunStatus
	Live           bool // joined: the model serves it
	Publishes      bool // on the live path: its success becomes what the model serves
	Source         Source
	Intent         string // test, refresh or ""
	Label          string
	Shared         bool
	Inputs         json.RawMessage // every input with its value
	ScriptHash     string
	HarnessVersion string // it was queued under; where it is complete, that gave the result
	DataVersion    string // "" until it ran
	Members        []Member
	Summary        *Summary // of a model's run, nil until complete
	Answer         *Answer  // likewise, of programs that are no models
	Usage          *Usage
	ResultHash     string
	Tables         Tables          // nil until complete
	Base           timeseries.Date // NoDate until complete
	First          timeseries.Date // first date with a return
	Last           timeseries.Date
	Superseded     bool
	Progress       Progress
	Failure        *Failure
	CreatedAt      time.Time
	StartedAt      *time.Time
	FinishedAt     *time.Time
	Entries        Entries // what its universe means where that is not the script's own; nil otherwise
}

// Tables are the stored tables of a result, by name.
type Tables map[string]Object

// Object is a Parquet object in the bucket.
type Object struct {
	Key   string `json:"object"`
	Bytes int64  `json:"bytes"`
}

// Bytes is what all tables take.
func (t Tables) Bytes() (n int64) {
	for _, o := range t {
		n += o.Bytes
	}
	return n
}

// Progress says how far a run is.
type Progress struct {
	Step  string `json:"step"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// Usage is what work is metered by.
type Usage struct {
	Units   int  `json:"units"`
	Base    int  `json:"base"`
	Tokens  int  `json:"tokens"`
	Seconds int  `json:"seconds"` // sandbox seconds, rounded up
	Effort  *int `json:"effort"`
}

// Metered is the usage of one run: a base unit, a unit for each sandbox second,
// rounded up, and the units of tokens.
func Metered(prices billing.Prices, cpu time.Duration, tokens int) Usage {
	seconds := int(math.Ceil(cpu.Seconds()))
	return Usage{Units: 1 + seconds + prices.TokenUnits(tokens), Base: 1, Tokens: tokens, Seconds: seconds}
}

// The types of failures that are not the script's own.
const (
	FailureInternal = "internal"           // the service's
	FailureUnfunded = "insufficient_funds" // of a refresh that the account could not pay for
)

// Failure says why a build or a run failed.
type Failure struct {
	Type      string  `json:"type"`
	Message   string  `json:"message"`
	Line      *int    `json:"line"`
	Date      *string `json:"date"`
	Traceback *string `json:"traceback"`
}
