package billing

import (
	"context"
	"time"
)

// Kind is what a charge is for.
type Kind string

// The kinds of charges.
const (
	KindBuild      Kind = "build"
	KindRun        Kind = "run"
	KindTest       Kind = "test"  // a test of a draft
	KindQuery      Kind = "query" // an SQL statement
	KindCredit     Kind = "credit"
	KindAdjustment Kind = "adjustment" // credit that the operator takes back
)

// Charge is an item of an account's billing history. Units were computed from Base
// (units), Tokens and Seconds (of the sandbox).
type Charge struct {
	ID          string // charge_…
	At          time.Time
	Kind        Kind
	Activity    string // what was done, with the names of that time
	ProgramID   string // "" for credits
	RunID       string
	BuildID     string
	Units       int
	Base        int
	Tokens      int
	Seconds     int
	AmountCents int64 // positive if charged, negative if credited
	Cap         *Cap  // nil if none applied
	Billed      bool  // false if the usage is only listed, not charged
	Identified  bool  // false for older charges that do not say what they were for
}

// Cap is a rule that limited a charge, with the limit at that time.
type Cap struct {
	Rule  string
	Cents int64
}

// CapHold is the rule that a charge is never larger than its hold.
const CapHold = "hold"

// CapRemaining is the rule that an SQL statement, for which nothing is held, costs at
// most what remains.
const CapRemaining = "remaining"

// Filter selects charges by the time of their usage.
type Filter struct {
	Start  *time.Time // inclusive
	End    *time.Time // exclusive
	Limit  int
	Offset int
}

// Statement is what an account can spend.
type Statement struct {
	RemainingCents   int64
	HeldCents        int64 // held for work that has not ended
	SpentCents       int64
	SignupGrantCents int64 // what was granted when the balance was opened
}

// Credit is what an operator grants an account; a negative one takes credit back.
type Credit struct {
	Cents int64
	Note  string // the activity of its charge; "" for the default
	Key   string // a key is credited only once; "" is credited each time
}

// Store stores balances and charges.
type Store interface {
	// Statement reads an account's balance. The first call for an account opens the
	// balance with the plan's signup grant; concurrent first calls grant it once.
	// fault.NotFound.
	Statement(ctx context.Context, accountID string) (*Statement, error)
	// Charges lists an account's charges, newest first, and returns the total before
	// paging. Holds are not listed.
	Charges(ctx context.Context, accountID string, f Filter) ([]*Charge, int, error)
	// Credit grants an account credit or takes some back. fault.NotFound, and
	// fault.InvalidBody if it takes back more than remains.
	Credit(ctx context.Context, accountID string, c Credit) (*Statement, error)
	// Quotas returns how much of each quota an account has used. fault.NotFound.
	Quotas(ctx context.Context, accountID string) ([]Use, error)
}

// Finding is an inconsistency of the ledger.
type Finding struct {
	AccountID string
	Message   string
}
