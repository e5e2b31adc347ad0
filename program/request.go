package program

import (
	"encoding/json"

	"ballast/script/dialect"
)

// CreateRequest asks for a new model.
type CreateRequest struct {
	Prompt      string
	Script      string
	Name        string   // "": the script's
	Symbol      string   // "": the script's
	Labels      []string // nil: none
	AutoUpdate  *bool
	NotifyEmail *bool
}

// RebuildRequest asks for another implementation of a model. If both fields are
// empty, its stored prompt is built again.
type RebuildRequest struct {
	Prompt string
	Script string
}

// RunRequest asks for a run of a model.
type RunRequest struct {
	Inputs    map[string]any // nil: the defaults
	FromRunID string
	Label     string
	Intent    string // test, refresh or ""
}

// Validation is the result of the static checks of a script.
type Validation struct {
	Kind           string          `json:"-"` // of the script; "" if it is not valid
	Valid          bool            `json:"valid"`
	InputsSchema   json.RawMessage `json:"inputs_schema,omitempty"`
	HarnessVersion string          `json:"harness_version"`
	Optimizers     []string        `json:"optimizers,omitempty"` // that the script names
	Errors         []Problem       `json:"errors,omitempty"`
}

// Problem is one problem of a script.
type Problem = dialect.Problem
