package program

import (
	"context"
	"time"
)

// Report is a timing report of an account. It is metered like one run.
type Report struct {
	ID        string
	AccountID string // the account that asked for it and pays
	Run       *Run   // the run whose schedule is shifted
	Seconds   int    // projected sandbox seconds
}

// Reports meters timing reports.
type Reports interface {
	// BeginReport takes the hold for a report and counts it as one of the account's
	// manual runs of the day; fault.InsufficientFunds, fault.DailyRunLimit.
	BeginReport(ctx context.Context, r *Report, dailyLimit int) error
	// EndReport turns the hold into a charge for what was used, or releases it if
	// nothing was used.
	EndReport(ctx context.Context, reportID string, usage Usage) error
}

// EndPatience limits the time for recording the end of a report, even if nobody waits
// for the report any more.
const EndPatience = 10 * time.Second
