package program

import (
	"encoding/json"

	"ballast/script"
)

// Answer is what a run of a program other than a model returns besides its tables.
type Answer struct {
	Universe       []string                `json:"universe"`
	MemberSources  map[string]MemberSource `json:"member_sources"`
	SeriesSources  map[string]SeriesSource `json:"series_sources,omitempty"`
	Inputs         json.RawMessage         `json:"inputs"`
	HarnessVersion string                  `json:"harness_version"`
	Steps          uint64                  `json:"steps"` // interpreter steps of the script
	Scalars        []script.Scalar         `json:"scalars"`
	Figures        []script.Figure         `json:"figures"`
	Log            []string                `json:"log"`
	Drawn          *Drawn                  `json:"drawn"` // nil if no window of data was chosen
	Kept           []KeptPoint             `json:"kept,omitempty"`
}

// KeptPoint is a point of a sweep that was kept as a snapshot of its model.
type KeptPoint struct {
	Model string `json:"model"` // as the universe names it
	Point int    `json:"point"` // from 1
	RunID string `json:"run_id"`
}

// Drawn describes from which data a result was computed, and how its random numbers were
// drawn.
type Drawn struct {
	Seed   uint64 `json:"seed"`
	Method string `json:"method"` // "" without random numbers
	First  string `json:"first"`  // the window of the data
	Last   string `json:"last"`
}
