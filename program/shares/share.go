package shares

import (
	"slices"
	"time"
)

// Panels are the parts of a result page that a share can show, in the page's order.
var Panels = []string{
	"growth", "figures", "months", "rolling", "drawdowns", "allocation", "parts", "trades", "contributions",
	"costs", "compare", "answer", "downloads", "inputs", "run",
}

// Limits of shares.
const (
	MostShares  = 1000 // of an account
	LongestName = 100  // characters
)

// Share is a link to a result.
type Share struct {
	ID          string // share_…
	AccountID   string
	ProgramID   string
	ProgramName string
	Kind        string // of the program
	RunID       string // "" for the run that the model serves
	Name        string // for its owner; "" if it has none
	Panels      []string
	ShowScript  bool // the script and its inputs are shown
	ShowAmounts bool // amounts of money are shown
	Paused      bool
	ExpiresAt   *time.Time
	Views       int64
	LastViewed  *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// State says whether a share can be viewed.
type State string

// The states of a share.
const (
	Open    State = "open"
	Paused  State = "paused"
	Expired State = "expired"
)

// State returns the state at a time.
func (s *Share) State(now time.Time) State {
	switch {
	case s.Paused:
		return Paused
	case s.ExpiresAt != nil && !s.ExpiresAt.After(now):
		return Expired
	}
	return Open
}

// Shows reports whether a part of the page is shown.
func (s *Share) Shows(panel string) bool {
	switch {
	case !slices.Contains(Panels, panel), len(s.Panels) > 0 && !slices.Contains(s.Panels, panel):
		return false
	case panel == "inputs":
		return s.ShowScript
	}
	return true
}
