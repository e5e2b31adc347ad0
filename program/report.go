package program

import (
	"context"
	"time"
)

// Report is a timing report that an account has made: work that is metered as one
// run.
type Report struct {
	ID        string
	AccountID string // who asked for it, and pays
	Run       *Run   // whose schedule is shifted
	Seconds   int    // that it is projected to take in the sandbox
}

// Reports meters timing reports.
type Reports interface {
	// BeginReport takes the hold of a report and counts it among the account's manual
	// runs of the day; fault.InsufficientFunds, fault.DailyRunLimit.
	BeginReport(ctx context.Context, r *Report, dailyLimit int) error
	// EndReport makes the hold a charge for what was used; without any use it
	// releases it.
	EndReport(ctx context.Context, reportID string, usage Usage) error
}

// EndPatience bounds how long the end of a report is tried to be noted, also when
// nobody waits for the report any more.
const EndPatience = 10 * time.Second
