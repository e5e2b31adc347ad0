package mail

import (
	"context"
	"time"
)

// Notice is a message about the run that a model has come to serve.
type Notice struct {
	RunID       string
	FormerRunID string // which the model served before
	AccountID   string
	To          string // address of the account
	ModelName   string
	ModelSymbol string
	Slug        string
	Wanted      bool // the owner wants notices still
	Attempts    int
	CreatedAt   time.Time
}

// Change is what a notice tells.
type Change struct {
	AsOf    string // the result's last session, YYYY-MM-DD
	Decided string // the decision's date
	Rows    []Row  // those that changed first, by how much
}

// Row is one holding, as fractions of the equity.
type Row struct {
	Key    string // ticker, or CASH
	Name   string
	Before float64
	After  float64
}

// Changes tells how the allocation has changed from one run to another, nil
// where it has not.
type Changes func(ctx context.Context, formerRunID, runID string) (*Change, error)

// Ending is how a notice ends.
type Ending string

// The ways a notice ends.
const (
	Sent      Ending = "sent"
	Unchanged Ending = "unchanged" // there was nothing to tell, or nobody to tell it
	Failed    Ending = "failed"
)

// Store keeps notices.
type Store interface {
	// Notice reads a pending notice, nil where there is none.
	Notice(ctx context.Context, runID string) (*Notice, error)
	// EndNotice records how the delivery of a mail ended. Sending is noted at its model.
	EndNotice(ctx context.Context, runID string, how Ending, why string, at time.Time) error
	// RetryNotice records a failed attempt.
	RetryNotice(ctx context.Context, runID string, why string) error
}
