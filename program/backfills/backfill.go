package backfills

import (
	"time"

	"ballast/catalog/backfill"
	"ballast/program"
)

// Backfill is an account's rule for what stands before an asset's first bar, as
// one of its versions has it. A version never changes; its terms were fitted when
// it was made.
type Backfill struct {
	ID        string // backfill_…
	AccountID string
	AssetID   string
	Symbol    string // of the asset
	Version   int    // from 1
	Sources   []Source
	Spliced   []backfill.Splice // what the sources gave when the version was made
	CreatedAt time.Time
	UpdatedAt time.Time // of the version
}

// Source is one proxy, with its fitted terms. A model is read as the run
// that it served when the version was made.
type Source struct {
	Kind              program.MemberKind `json:"kind"`
	ID                string             `json:"id"`
	Symbol            string             `json:"symbol"`
	Name              string             `json:"name"`
	RunID             string             `json:"run_id,omitempty"` // of a model
	SevenDay          bool               `json:"seven_day,omitempty"`
	Method            backfill.Method    `json:"method"`
	ExpenseAdjust     bool               `json:"expense_adjust"`
	ExpenseDifference *float64           `json:"expense_difference"` // annual, as the caller gave it
	FinancingRate     *float64           `json:"financing_rate"`     // annual
	Scale             float64            `json:"scale"`
	Basis             backfill.Basis     `json:"basis"`
	Expense           float64            `json:"expense"` // annual, what is subtracted
	Drag              float64            `json:"drag"`    // a session, with financing
	Tracking          backfill.Tracking  `json:"tracking"`
}

// Graph is what an account's assets and models are made of: by the id of
// an asset the sources of its backfill, by that of a model what its live run holds.
type Graph map[string][]Node

// Node is an asset or a model in the graph.
type Node struct {
	ID, Symbol string
}
