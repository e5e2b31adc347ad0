package letter

import (
	"context"
	"time"
)

// Letter is a message about the run that a model has come to serve.
type Letter struct {
	RunID       string
	FormerRunID string // which the model served before
	AccountID   string
	To          string // address of the account
	ModelName   string
	ModelSymbol string
	Slug        string
	Wanted      bool // the owner wants letters still
	Attempts    int
	CreatedAt   time.Time
}

// Change is what a letter tells.
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

// Ending is how a letter ends.
type Ending string

// The ways a letter ends.
const (
	Sent      Ending = "sent"
	Unchanged Ending = "unchanged" // there was nothing to tell, or nobody to tell it
	Failed    Ending = "failed"
)

// Store keeps letters.
type Store interface {
	// Letter reads a pending letter, nil where there is none.
	Letter(ctx context.Context, runID string) (*Letter, error)
	// EndLetter records how the delivery of a mail ended. Sending is noted at its model.
	EndLetter(ctx context.Context, runID string, how Ending, why string, at time.Time) error
	// RetryLetter records a failed attempt.
	RetryLetter(ctx context.Context, runID string, why string) error
}
