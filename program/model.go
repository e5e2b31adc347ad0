package program

import (
	"time"

	"ballast/metrics"
	"ballast/timeseries"
)

// Status is the state of a model.
type Status string

// States of a model.
const (
	StatusBuilding Status = "building" // its first build, or a rebuild of a failed model, is in progress
	StatusActive   Status = "active"   // serves its live run
	StatusUpdating Status = "updating" // serves its live run while a default run is in progress
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
	OwnName     bool   // the owner chose the name
	OwnSymbol   bool   // the owner chose the symbol
	Status      Status
	Warning     string // "" if there is none
	Depth       int    // 0: all members are assets
	AutoUpdate  bool
	NotifyEmail bool
	IsPublic    bool
	IsFavorite  *bool
	Labels      []string
	Description string
	Prompt      string
	Failure     *Failure // set after a failed first build
	BuildID     string   // the build of the script that is served; the latest build if none is served
	LiveRunID   string   // "" before the first result
	RevisionID  string   // the revision that it serves; "" before the first result
	Waits       bool     // waits for its members, or for the next try
	Failures    int      // consecutive failed refreshes
	NextRetry   *time.Time
	LastRunAt   *time.Time // the last routine refresh
	LastOutcome string     // updated, unchanged, failed or ""
	LastError   string
	// LastNotifiedAt is when an allocation mail was last sent; nil if never.
	LastNotifiedAt *time.Time
	// RequestedSession is the latest session that a recurring refresh asked for;
	// NoDate if none did.
	RequestedSession timeseries.Date
	StartDate        timeseries.Date
	StartRule        string
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// MemberKind is the kind of a member.
type MemberKind string

// Kinds of members.
const (
	MemberAsset MemberKind = "asset"
	MemberModel MemberKind = "model"
)

// Member is an entry of a universe, resolved and pinned.
type Member struct {
	Key         string          `json:"key"` // the name in the script and in the result's columns
	Kind        MemberKind      `json:"kind"`
	ID          string          `json:"id"`
	Symbol      string          `json:"symbol"`
	Name        string          `json:"name"`
	RunID       string          `json:"run_id,omitempty"`       // for a model: the live run that was read
	BarsVersion int64           `json:"bars_version,omitempty"` // for an asset: the version of the bars that was read
	SevenDay    bool            `json:"seven_day,omitempty"`    // when the run read it
	Delisted    bool            `json:"delisted,omitempty"`     // when the run read it
	First       timeseries.Date `json:"first"`                  // first bar or base
	Last        timeseries.Date `json:"last"`
	Depth       int             `json:"depth,omitempty"`    // for a model
	Backfill    *BackfillUse    `json:"backfill,omitempty"` // for an asset: what a backfill put before its own bars

	// Private says that the reader may not see the member model: only its key, kind
	// and dates are shown. It is never stored.
	Private bool `json:"-"`
}

// Identity distinguishes members. A private member's id must not be shown, so its key
// is used.
func (m Member) Identity() string {
	if m.Private {
		return m.Key + " (private)"
	}
	return m.ID
}

// Reference identifies a model by id, name and symbol.
type Reference struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Symbol string `json:"symbol"`
}

// Sheet is a model with everything on its fact sheet, read at one moment.
type Sheet struct {
	Model
	Build    *Build           // the build BuildID
	Live     *Run             // nil before the first result
	InFlight *Run             // the default run in progress; nil if there is none
	View     *View            // nil: the whole history; only when a single model is read
	Lags     []Lag            // last dates of the live run's members; only when a single model is read
	Figures  *metrics.Figures // of the live run; only in lists that ask for figures
	HeldBy   []Reference      // models whose live runs hold this one
	Blocked  []Blocker        // members at any depth whose refreshes fail; only when a single model is read
	Lost     []LostSeries     // deleted series that the live run has read; only when a single model is read
	// Namesakes are the ids of the account's models that have the name by which this
	// one was looked up, oldest first; nil if the name is unique.
	Namesakes []string
}

// Structure returns how many models and assets the model holds: the members of its
// live run or, before the first result, the universe of its script.
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

// LostSeries is a series that a live run has read and that was deleted since.
type LostSeries struct {
	ID   string
	Name string
}

// Finding describes an inconsistency of a model, build, run or revision.
type Finding struct {
	ID      string // id of the model, build, run or revision
	Message string
}
