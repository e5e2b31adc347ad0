package webhook

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ballast/internal/id"
)

// Kind is the kind of an event.
type Kind string

// The kinds of events.
const (
	ModelActive       Kind = "model.active"
	ModelFailed       Kind = "model.failed"
	AllocationChanged Kind = "allocation.changed"
	RunComplete       Kind = "run.complete"
	RunFailed         Kind = "run.failed"
	RevisionCompleted Kind = "revision.completed"
	AssetRestated     Kind = "asset.restated"
	BillingLow        Kind = "billing.low"

	// Test is only sent on request; endpoints cannot subscribe to it.
	Test Kind = "webhook.test"
)

// Kinds lists the kinds that an endpoint may subscribe to.
var Kinds = []Kind{
	ModelActive, ModelFailed, AllocationChanged, RunComplete, RunFailed, RevisionCompleted, AssetRestated, BillingLow,
}

// Known reports whether endpoints may subscribe to the kind.
func (k Kind) Known() bool { return slices.Contains(Kinds, k) }

// Event is one thing that has happened.
type Event struct {
	ID        string // event_…, the same in every delivery
	AccountID string
	Kind      Kind
	ProgramID string // the model whose events keep their order, or "" for events without a model
	At        time.Time
	Data      any // encodes to a JSON object
	// Only for allocation.changed: the run that is served now, and the former one. Its
	// Data is computed when its turn comes.
	RunID, FormerRunID string
}

// NewEvent creates an event with a new id.
func NewEvent(accountID string, kind Kind, programID string, at time.Time, data any) Event {
	return Event{ID: id.New(id.Event), AccountID: accountID, Kind: kind, ProgramID: programID, At: at, Data: data}
}

// Payload returns the body of an event in the format of Standard Webhooks.
func Payload(kind Kind, at time.Time, data any) (json.RawMessage, error) {
	body, err := json.Marshal(struct {
		Type      Kind      `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{kind, at.UTC(), data})
	if err != nil {
		return nil, fmt.Errorf("encode a %s event: %w", kind, err)
	}
	return body, nil
}

// Model names a model in an event.
type Model struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Symbol string `json:"symbol"`
}

// RunEnded is the data of run.complete and run.failed.
type RunEnded struct {
	Model      Model    `json:"model"`
	RunID      string   `json:"run_id"`
	Source     string   `json:"source"`
	Label      *string  `json:"label"`
	Status     string   `json:"status"`
	Live       bool     `json:"live"`       // the model serves the result
	Superseded bool     `json:"superseded"` // its members or its implementation changed while it ran
	StartDate  *string  `json:"start_date"` // first date of the result
	EndDate    *string  `json:"end_date"`
	FinalValue *float64 `json:"final_value"`
	Error      *Problem `json:"error"`
}

// Problem says why something failed.
type Problem struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// ModelBuilt is the data of model.active and model.failed.
type ModelBuilt struct {
	Model   Model    `json:"model"`
	BuildID string   `json:"build_id"`
	Kind    string   `json:"kind"` // create, rebuild, revision
	RunID   string   `json:"run_id"`
	Error   *Problem `json:"error"`
}

// RevisionEnded is the data of revision.completed.
type RevisionEnded struct {
	Model      Model    `json:"model"`
	RevisionID string   `json:"revision_id"`
	RunID      string   `json:"run_id"`
	Status     string   `json:"status"` // completed or failed
	Error      *Problem `json:"error"`
}

// Restated is the data of asset.restated: stored bars of an asset that models of
// the account hold have changed.
type Restated struct {
	AssetID     string  `json:"asset_id"`
	Symbol      string  `json:"symbol"`
	From        string  `json:"from"` // first date that changed
	DataVersion int64   `json:"data_version"`
	Models      []Model `json:"models"`
}

// Low is the data of billing.low.
type Low struct {
	RemainingCents int64 `json:"remaining_cents"`
	ThresholdCents int64 `json:"threshold_cents"`
}
