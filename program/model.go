package program

import (
	"time"

	"ballast/metrics"
	"ballast/timeseries"
)

// Status is the state of a model.
type Status string

// The states of a model.
const (
	StatusBuilding Status = "building" // its first build, or a rebuild of a failed model, is in flight
	StatusActive   Status = "active"   // serves its live run
	StatusUpdating Status = "updating" // serves its live run while a default run is in flight
	StatusPaused   Status = "paused"   // serves its live run; nightly refresh stopped after failures
	StatusFailed   Status = "failed"   // has no result to serve
)

// Statuses are all states of a model.
var Statuses = []Status{StatusBuilding, StatusActive, StatusUpdating, StatusPaused, StatusFailed}

// Model is a program that allocates among assets and other models.
type Model struct {
	ID          string // model_…
	Kind        string // KindModel
	AccountID   string
	Name        string
	Symbol      string // unique in the account
	Slug        string // unique in the service; the public address ends in it
	OwnName     bool   // the owner has given the name
	OwnSymbol   bool   // likewise the symbol
	Status      Status
	Warning     string // "" without
	Depth       int    // 0 holds assets alone
	AutoUpdate  bool
	NotifyEmail bool
	IsPublic    bool
	IsFavorite  *bool
	Labels      []string
	Description string
	Prompt      string
	Failure     *Failure // of a failed first build
	BuildID     string   // of the script being served; the latest build where none is yet
	LiveRunID   string   // "" before the first result
	RevisionID  string   // that it serves, "" before the first result
	Waits       bool     // for members to settle, or for the next try
	Failures    int      // refreshes that failed, in a row
	NextRetry   *time.Time
	LastRunAt   *time.Time // of the routine refreshes
	LastOutcome string     // updated, unchanged, failed or ""
	LastError   string
	// LastNotifiedAt is when an allocation mail was last sent, nil before the first.
	LastNotifiedAt *time.Time
	// RequestedSession is the latest that a recurring refresh asked for, NoDate before the first.
	RequestedSession timeseries.Date
	StartDate        timeseries.Date
	StartRule        string
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// MemberKind says what a member is.
type MemberKind string

// The kinds of members.
const (
	MemberAsset MemberKind = "asset"
	MemberModel MemberKind = "model"
)

// Member is one entry of a universe, resolved and pinned.
type Member struct {
	Key         string          `json:"key"` // as the script names it, and the result's columns
	Kind        MemberKind      `json:"kind"`
	ID          string          `json:"id"`
	Symbol      string          `json:"symbol"`
	Name        string          `json:"name"`
	RunID       string          `json:"run_id,omitempty"`       // the live run that was read, of a model
	BarsVersion int64           `json:"bars_version,omitempty"` // the version of the bars that was read, of an asset
	SevenDay    bool            `json:"seven_day,omitempty"`    // as it was when the run read it
	Delisted    bool            `json:"delisted,omitempty"`     // likewise
	First       timeseries.Date `json:"first"`                  // first bar or base
	Last        timeseries.Date `json:"last"`
	Depth       int             `json:"depth,omitempty"`    // of a model
	Backfill    *BackfillUse    `json:"backfill,omitempty"` // of an asset, what stands before its own bars

	// Private says that the reader may not see the member model: only key, kind and
	// dates are its own. It is never stored.
	Private bool `json:"-"`
}

// Identity tells members apart. A private one has no id that may be shown.
func (m Member) Identity() string {
	if m.Private {
		return m.Key + " (private)"
	}
	return m.ID
}

// Reference names a model in short.
type Reference struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Symbol string `json:"symbol"`
}

// Sheet is a model with all that its fact sheet tells, read at one moment.
type Sheet struct {
	Model
	Build    *Build           // of BuildID
	Live     *Run             // nil before the first result
	InFlight *Run             // the default run in flight, nil without
	View     *View            // nil where it is the whole history; of a single read alone
	Lags     []Lag            // how far the members of the live run go now; of a single read alone
	Figures  *metrics.Figures // of the live run; of lists that ask for them alone
	HeldBy   []Reference      // models whose live run holds this one
	Blocked  []Blocker        // members, at whatever depth, whose refreshes fail; of a single read alone
	// Namesakes are the ids of the account's models that have the name by which this
	// one was looked up, the oldest first; nil where it means one.
	Namesakes []string
}

// Structure is how many models and assets the model holds: by what its live run
// has read, and before there is one by what its script's universe means.
func (m *Sheet) Structure() (models, assets int) {
	switch {
	case m.Live != nil:
		return entriesOf(m.Live.Members).Count()
	case m.Build != nil:
		return m.Build.Entries.Count()
	}
	return 0, 0
}

// Blocker is a member that does not follow its own members or bars.
type Blocker struct {
	Reference
	Message string
}

// Finding is something about a model, build, run or revision that cannot be.
type Finding struct {
	ID      string // of what it is about
	Message string
}
