package loading

import (
	"context"
	"time"
)

// Outcome is how the last load of an asset ended.
type Outcome string

// The outcomes.
const (
	NeverLoaded Outcome = ""
	Brought     Outcome = "loaded"    // bars have come
	Unchanged   Outcome = "unchanged" // the provider has nothing that is not stored
	NotKnown    Outcome = "unknown"   // no provider has the symbol
	Failed      Outcome = "failed"
)

// State is what is known of the loads of one asset.
type State struct {
	Provider string        // that gave the whole of the stored bars; "" where files did, or nothing
	Leased   bool          // somebody loads it
	Outcome  Outcome       // of the last load
	Message  string        // why it has brought nothing, for callers; "" without
	Quiet    int           // loads in a row that have brought nothing
	AskIn    time.Duration // until it makes sense to ask again; 0 for now
	WholeAge time.Duration // since Provider last gave the whole history
}

// End is what a load leaves behind.
type End struct {
	Outcome  Outcome
	Provider string // as in State
	Whole    bool   // the whole history was asked for
	Message  string
	Quiet    int
	Wait     time.Duration // before the next load
	refused  bool          // failed for what is stored, not for the provider
	from     string        // the provider that has answered
}

// Store keeps the loads of assets and their leases, by the clock of the
// database. The store in postgres implements it.
type Store interface {
	// BeginLoad takes the lease of an asset's load, and reports false, with the
	// state, where another holder has it or, unless forced, it is too early to ask
	// again.
	BeginLoad(ctx context.Context, assetID, holder string, lease time.Duration, force bool) (State, bool, error)
	// RenewLoad prolongs a lease; it reports false where it was lost.
	RenewLoad(ctx context.Context, assetID, holder string, lease time.Duration) (bool, error)
	// EndLoad gives the lease back and keeps how the load ended. Where the lease
	// was lost nothing happens.
	EndLoad(ctx context.Context, assetID, holder string, e End) error
}
