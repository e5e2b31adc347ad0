package syncing

import (
	"context"
	"time"
)

// Outcome is how the last load of an asset ended.
type Outcome string

// The outcomes.
const (
	NeverLoaded Outcome = ""
	Brought     Outcome = "loaded"    // the load has brought bars
	Unchanged   Outcome = "unchanged" // the provider has no bars that are not stored
	NotKnown    Outcome = "unknown"   // no provider has the symbol
	Failed      Outcome = "failed"
)

// State is the stored state of one asset's loads.
type State struct {
	Provider string        // that supplied all stored bars; "" if files did, or if there are none
	Leased   bool          // a load is in progress
	Outcome  Outcome       // of the last load
	Message  string        // why it brought nothing, for callers; may be ""
	Quiet    int           // consecutive loads that brought nothing
	AskIn    time.Duration // until the next load makes sense; 0 means now
	WholeAge time.Duration // since Provider last supplied the whole history
}

// End is what a load records when it ends.
type End struct {
	Outcome  Outcome
	Provider string // as in State
	Whole    bool   // the whole history was requested
	Message  string
	Quiet    int
	Wait     time.Duration // before the next load
	refused  bool          // failed because of the stored bars, not the provider
	from     string        // the provider that answered
}

// Store keeps the states of loads and their leases, on the clock of the database.
// Package postgres implements it.
type Store interface {
	// BeginLoad takes the lease of an asset's load. It reports false, with the
	// state, if another holder has the lease or, unless forced, if it is too early
	// for another load.
	BeginLoad(ctx context.Context, assetID, holder string, lease time.Duration, force bool) (State, bool, error)
	// RenewLoad prolongs a lease; it reports false if the lease was lost.
	RenewLoad(ctx context.Context, assetID, holder string, lease time.Duration) (bool, error)
	// EndLoad releases the lease and records how the load ended. It does nothing if the
	// lease was lost.
	EndLoad(ctx context.Context, assetID, holder string, e End) error
}
