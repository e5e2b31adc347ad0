package program

import (
	"encoding/json"

	"ballast/script"
)

// Answer is what a run of a program other than a model returns besides its tables.
type Answer struct {
	Universe       []string                `json:"universe"`
	MemberSources  map[string]MemberSource `json:"member_sources"`
	Inputs         json.RawMessage         `json:"inputs"`
	HarnessVersion string                  `json:"harness_version"`
	Steps          uint64                  `json:"steps"` // interpreter steps of the script
	Scalars        []script.Scalar         `json:"scalars"`
	Figures        []script.Figure         `json:"figures"`
	Log            []string                `json:"log"`
	Drawn          *Drawn                  `json:"drawn"` // nil unless the result rests on random numbers
}

// Drawn describes how a result's random numbers were drawn, and from which data.
type Drawn struct {
	Seed   uint64 `json:"seed"`
	Method string `json:"method"`
	First  string `json:"first"` // the window of the data
	Last   string `json:"last"`
}
