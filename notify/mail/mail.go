package mail

import (
	"context"
	"time"
)

// Notice is a pending message about a run that a model has begun to serve.
type Notice struct {
	RunID       string
	FormerRunID string // the run that the model served before
	AccountID   string
	To          string // address of the account
	ModelName   string
	ModelSymbol string
	Slug        string
	Wanted      bool // the owner still wants notices
	Attempts    int
	CreatedAt   time.Time
}

// Change is a changed allocation.
type Change struct {
	AsOf    string // the result's last session, YYYY-MM-DD
	Decided string // the decision's date
	Rows    []Row  // ordered by the size of their change, the largest first
}

// Row is one holding. Before and After are fractions of the equity.
type Row struct {
	Key    string // ticker, or CASH
	Name   string
	Before float64
	After  float64
}

// Changes compares the allocations of two runs. It returns nil if they are the same.
type Changes func(ctx context.Context, formerRunID, runID string) (*Change, error)

// Ending is how a notice ends.
type Ending string

// The endings of a notice.
const (
	Sent      Ending = "sent"
	Unchanged Ending = "unchanged" // the allocation has not changed, or the owner does not want mails
	Failed    Ending = "failed"
)

// Store keeps notices.
type Store interface {
	// Notice reads the pending notice of a run, or returns nil if there is none.
	Notice(ctx context.Context, runID string) (*Notice, error)
	// EndNotice records how a notice ended. If it was sent, the model records the time.
	EndNotice(ctx context.Context, runID string, how Ending, why string, at time.Time) error
	// RetryNotice records a failed attempt.
	RetryNotice(ctx context.Context, runID string, why string) error
}
