package program

import (
	"encoding/json"

	"ballast/script/dialect"
)

// CreateRequest asks for a new model.
type CreateRequest struct {
	Prompt      string
	Script      string
	Name        string   // "" for the script's
	Symbol      string   // likewise
	Labels      []string // nil for none
	AutoUpdate  *bool
	NotifyEmail *bool
}

// RebuildRequest asks for another implementation of a model; with neither of
// both its stored prompt is built again.
type RebuildRequest struct {
	Prompt string
	Script string
}

// RunRequest asks for a run of a model.
type RunRequest struct {
	Inputs    map[string]any // nil for the defaults
	FromRunID string
	Label     string
	Intent    string // test, refresh or ""
}

// Validation is the verdict of the static checks of a script.
type Validation struct {
	Valid          bool            `json:"valid"`
	InputsSchema   json.RawMessage `json:"inputs_schema,omitempty"`
	HarnessVersion string          `json:"harness_version"`
	Errors         []Problem       `json:"errors,omitempty"`
}

// Problem is one thing that is wrong with a script.
type Problem = dialect.Problem
