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

// States of a run.
const (
	RunQueued   RunStatus = "queued"
	RunRunning  RunStatus = "running"
	RunComplete RunStatus = "complete"
	RunFailed   RunStatus = "failed"
)

// RunStatuses are all states of a run.
var RunStatuses = []RunStatus{RunQueued, RunRunning, RunComplete, RunFailed}

// Ended reports whether the run is complete or has failed.
func (s RunStatus) Ended() bool { return s == RunComplete || s == RunFailed }

// Source is what started a run.
type Source string

// Sources of runs.
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

// Routine reports whether the service started the run on its own.
func (s Source) Routine() bool { return s == SourceRefresh || s == SourceCascade }

// Class is how urgent a run is.
type Class string

// Classes of runs, from the most urgent.
const (
	ClassInteractive Class = "interactive" // somebody started the run and waits for it
	ClassBuild       Class = "build"       // somebody waits for a model, but not for one run
	ClassCascade     Class = "cascade"     // a member has changed
	ClassNightly     Class = "nightly"     // the recurring refresh
)

// Classes are all classes, from the most urgent.
var Classes = []Class{ClassInteractive, ClassBuild, ClassCascade, ClassNightly}

// Class returns the class of the source's runs.
func (s Source) Class() Class {
	switch s {
	case SourceCreate, SourceRebuild, SourceApply:
		return ClassBuild
	case SourceCascade:
		return ClassCascade
	case SourceRefresh:
		return ClassNightly
	default:
		return ClassInteractive
	}
}

// Weight returns the share of turns that an account's waiting runs of the class get,
// relative to those of other classes: twice as many as the next.
func (c Class) Weight() float64 {
	switch c {
	case ClassInteractive:
		return 8
	case ClassBuild:
		return 4
	case ClassCascade:
		return 2
	default:
		return 1
	}
}

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
	Publishes      bool // if it succeeds, the model serves its result
	Source         Source
	Intent         string // test, refresh or ""
	Label          string
	Shared         bool
	Inputs         json.RawMessage // every input with its value
	ScriptHash     string
	HarnessVersion string // version that it was queued under or, once complete, that computed the result
	DataVersion    string // "" until it has run
	Members        []Member
	Summary        *Summary // for a model's run; nil until complete
	Answer         *Answer  // for programs other than models; nil until complete
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
	Entries        Entries // what its universe means, if that is not the script's own universe
}

// Tables are the stored tables of a result, by name.
type Tables map[string]Object

// Object is a Parquet object in the bucket.
type Object struct {
	Key   string `json:"object"`
	Bytes int64  `json:"bytes"`
}

// Bytes returns the size of all tables.
func (t Tables) Bytes() (n int64) {
	for _, o := range t {
		n += o.Bytes
	}
	return n
}

// Progress is how far a run has come.
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

// Metered returns the usage of one run: a base unit, one unit per sandbox second,
// rounded up, and the units for tokens.
func Metered(prices billing.Prices, cpu time.Duration, tokens int) Usage {
	seconds := int(math.Ceil(cpu.Seconds()))
	return Usage{Units: 1 + seconds + prices.TokenUnits(tokens), Base: 1, Tokens: tokens, Seconds: seconds}
}

// Types of failures that are not the script's fault.
const (
	FailureInternal = "internal"           // the service failed
	FailureUnfunded = "insufficient_funds" // the account could not pay for a refresh
)

// Failure says why a build or a run failed.
type Failure struct {
	Type      string  `json:"type"`
	Message   string  `json:"message"`
	Line      *int    `json:"line"`
	Date      *string `json:"date"`
	Traceback *string `json:"traceback"`
}
