package program

import (
	"time"

	"ballast/catalog/backfill"
	"ballast/timeseries"
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
	Sources   []BackfillSource
	Spliced   []backfill.Splice // what the sources gave when the version was made
	CreatedAt time.Time
	UpdatedAt time.Time // of the version
}

// BackfillSource is one proxy, with its fitted terms. A model is read as the run
// that it served when the version was made.
type BackfillSource struct {
	Kind              MemberKind        `json:"kind"`
	ID                string            `json:"id"`
	Symbol            string            `json:"symbol"`
	Name              string            `json:"name"`
	RunID             string            `json:"run_id,omitempty"` // of a model
	SevenDay          bool              `json:"seven_day,omitempty"`
	Method            backfill.Method   `json:"method"`
	ExpenseAdjust     bool              `json:"expense_adjust"`
	ExpenseDifference *float64          `json:"expense_difference"` // annual, as the caller gave it
	FinancingRate     *float64          `json:"financing_rate"`     // annual
	Scale             float64           `json:"scale"`
	Basis             backfill.Basis    `json:"basis"`
	Expense           float64           `json:"expense"` // annual, what is subtracted
	Drag              float64           `json:"drag"`    // a session, with financing
	Tracking          backfill.Tracking `json:"tracking"`
}

// BackfillUse is what a run has read of a backfill.
type BackfillUse struct {
	ID      string            `json:"id"`
	Version int               `json:"version"`
	First   timeseries.Date   `json:"first"`   // first bar of the asset's own
	Spliced []backfill.Splice `json:"spliced"` // the days that proxies give, the earliest first
	Bars    []PinnedBars      `json:"bars"`    // the version at which the bars of each proxy were read
}

// LatestBars is the latest version of the proxies' bars that was read.
func (u *BackfillUse) LatestBars() int64 {
	version := int64(0)
	if u == nil {
		return version
	}
	for _, p := range u.Bars {
		version = max(version, p.BarsVersion)
	}
	return version
}

// Splices are the stretches of a use, nil without one.
func (u *BackfillUse) Splices() []backfill.Splice {
	if u == nil {
		return nil
	}
	return u.Spliced
}

// PinnedBars is an asset at a version of its bars.
type PinnedBars struct {
	ID          string `json:"id"`
	BarsVersion int64  `json:"bars_version"`
}

// BackfillGraph is what an account's assets and models are made of: by the id of
// an asset the sources of its backfill, by that of a model what its live run holds.
type BackfillGraph map[string][]BackfillNode

// BackfillNode is an asset or a model in the graph.
type BackfillNode struct {
	ID, Symbol string
}
