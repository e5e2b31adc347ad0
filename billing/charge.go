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
	KindTest       Kind = "test"  // of a draft
	KindQuery      Kind = "query" // an SQL statement
	KindCredit     Kind = "credit"
	KindAdjustment Kind = "adjustment" // credit that the operator takes back
)

// Charge is an item of an account's billing history.
type Charge struct {
	ID          string // charge_…
	At          time.Time
	Kind        Kind
	Activity    string // what was done, as it was named then
	ProgramID   string // "" of credits
	RunID       string
	BuildID     string
	Units       int
	Base        int
	Tokens      int
	Seconds     int
	AmountCents int64 // positive charged, negative credited
	Cap         *Cap  // nil where none was applied
	Billed      bool  // false: used, and not charged
	Identified  bool  // false of older charges that do not say what they were for
}

// Cap is a rule that has kept a charge down, with its bound as it was then.
type Cap struct {
	Rule  string
	Cents int64
}

// CapHold is the rule that a charge is never larger than what was held for it.
const CapHold = "hold"

// CapRemaining is the rule that an SQL statement, for which nothing is held, costs at
// most what remains.
const CapRemaining = "remaining"

// Filter selects charges by the time of the usage.
type Filter struct {
	Start  *time.Time // inclusive
	End    *time.Time // exclusive
	Limit  int
	Offset int
}

// Statement is what an account can spend.
type Statement struct {
	RemainingCents   int64
	HeldCents        int64 // by work in flight
	SpentCents       int64
	SignupGrantCents int64 // as it was given
}

// Credit is what an operator gives an account, or takes back where it is negative.
type Credit struct {
	Cents int64
	Note  string // the activity of its charge, "" for a plain word
	Key   string // the same key is credited once; "" always
}

// Store keeps balances and charges.
type Store interface {
	// Statement reads an account's balance; the first of an account opens it with
	// the plan's signup grant, however many come at once. fault.NotFound.
	Statement(ctx context.Context, accountID string) (*Statement, error)
	// Charges lists an account's charges, the newest first, with the total before
	// paging. Holds are no charges.
	Charges(ctx context.Context, accountID string, f Filter) ([]*Charge, int, error)
	// Credit gives an account credit or takes some back; fault.NotFound,
	// fault.InvalidBody where less remains than is taken.
	Credit(ctx context.Context, accountID string, c Credit) (*Statement, error)
	// Quotas tells how much of each quota an account has used; fault.NotFound.
	Quotas(ctx context.Context, accountID string) ([]Use, error)
}

// Finding is something about the ledger that cannot be.
type Finding struct {
	AccountID string
	Message   string
}
