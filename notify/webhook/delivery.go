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
	Failed    Status = "failed" // given up
)

// Statuses are all states of a delivery.
var Statuses = []Status{Pending, Delivered, Failed}

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID          string // delivery_…
	WebhookID   string
	AccountID   string
	EventID     string
	Kind        Kind
	ProgramID   string
	RunID       string // of an allocation.changed
	FormerRunID string
	Payload     json.RawMessage // nil of an allocation.changed until it is its turn
	Status      Status
	Attempts    int
	NextAttempt *time.Time // nil where none is planned
	LastStatus  *int       // HTTP status of the last answer, nil without one
	LastError   string
	CreatedAt   time.Time // when the event happened, or was told again
	EndedAt     *time.Time
}

// Outcome is what became of one attempt.
type Outcome struct {
	Status   *int   // of the answer, nil without one
	Error    string // "" where it was delivered
	Gone     bool   // the endpoint says that it is no more
	Retry    time.Duration
	Finished time.Time
}

const (
	// Patience is how long a delivery is tried again before it is given up, and
	// its endpoint switched off.
	Patience = 3 * 24 * time.Hour
	// Keep is how long ended deliveries are listed.
	Keep = 30 * 24 * time.Hour
	// lease is how long one attempt may take before another worker takes it for lost.
	lease = time.Minute
)

// waits are those before the second attempt and the ones after it; the last
// repeats.
var waits = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour,
}

// wait is the time from an attempt that failed, the n-th, to the next one. An
// endpoint may ask for a longer one.
func wait(n int, asked time.Duration) time.Duration {
	planned := waits[min(max(n, 1), len(waits))-1]
	return max(planned, min(asked, waits[len(waits)-1]))
}
