package webhook

import (
	"encoding/json"
	"time"
)

// Status is the state of a delivery.
type Status string

// The states of a delivery.
const (
	Pending   Status = "pending"
	Delivered Status = "delivered"
	Failed    Status = "failed" // given up after Patience, or because the endpoint is gone
)

// Statuses lists all states of a delivery.
var Statuses = []Status{Pending, Delivered, Failed}

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID          string // delivery_…
	WebhookID   string
	AccountID   string
	EventID     string
	Kind        Kind
	ProgramID   string
	RunID       string          // only for allocation.changed: the run that is served now
	FormerRunID string          // only for allocation.changed: the run that was served before
	Payload     json.RawMessage // nil for an allocation.changed until its turn comes
	Status      Status
	Attempts    int
	NextAttempt *time.Time // nil if none is planned
	LastStatus  *int       // HTTP status of the last response, or nil
	LastError   string
	CreatedAt   time.Time // when the event happened or its redelivery was requested
	EndedAt     *time.Time
}

// Outcome is the result of one attempt.
type Outcome struct {
	Status   *int          // HTTP status of the response, or nil without one
	Error    string        // "" if the event was delivered
	Gone     bool          // the endpoint responded with 410 Gone
	Retry    time.Duration // wait that the endpoint asked for, or 0
	Finished time.Time
}

const (
	// Patience is how long a delivery is retried before it is given up and its
	// endpoint is switched off.
	Patience = 3 * 24 * time.Hour
	// Keep is how long ended deliveries are kept in the list.
	Keep = 30 * 24 * time.Hour
	// lease is how long one attempt may take before another worker repeats it.
	lease = time.Minute
)

// waits are the waits before the second attempt and the ones after it. The last wait
// repeats.
var waits = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour,
}

// wait returns the time from the n-th attempt, which failed, to the next one. The
// endpoint may ask for a longer wait, up to the longest of waits.
func wait(n int, asked time.Duration) time.Duration {
	planned := waits[min(max(n, 1), len(waits))-1]
	return max(planned, min(asked, waits[len(waits)-1]))
}
