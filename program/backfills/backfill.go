package backfills

import (
	"time"

	"ballast/catalog/backfill"
	"ballast/program"
)

// Backfill is one version of an account's rule for what comes before an asset's first
// bar. A version never changes; its terms were fitted when it was made.
type Backfill struct {
	ID        string // backfill_…
	AccountID string
	AssetID   string
	Symbol    string // the asset's symbol
	Version   int    // from 1
	Sources   []Source
	Spliced   []backfill.Splice // the spans that the sources provided when the version was made
	CreatedAt time.Time
	UpdatedAt time.Time // when the version was made
}

// Source is one proxy with its fitted terms. A model is read at the run that it
// served when the version was made.
type Source struct {
	Kind              program.MemberKind `json:"kind"`
	ID                string             `json:"id"`
	Symbol            string             `json:"symbol"`
	Name              string             `json:"name"`
	RunID             string             `json:"run_id,omitempty"` // for a model
	SevenDay          bool               `json:"seven_day,omitempty"`
	Method            backfill.Method    `json:"method"`
	ExpenseAdjust     bool               `json:"expense_adjust"`
	ExpenseDifference *float64           `json:"expense_difference"` // annual fraction, as the caller gave it
	FinancingRate     *float64           `json:"financing_rate"`     // annual rate, as a fraction
	Scale             float64            `json:"scale"`
	Basis             backfill.Basis     `json:"basis"`
	Expense           float64            `json:"expense"` // annual fraction that is subtracted
	Drag              float64            `json:"drag"`    // fraction subtracted per session, including financing
	Tracking          backfill.Tracking  `json:"tracking"`
}

// Graph is what an account's assets and models consist of: for an asset's id the
// sources of its backfill, for a model's id what its live run holds.
type Graph map[string][]Node

// Node is an asset or a model in the graph.
type Node struct {
	ID, Symbol string
}
