package program

import "encoding/json"

// CreateRequest asks for a new model.
type CreateRequest struct {
	Prompt      string
	Script      string
	AutoUpdate  *bool
	NotifyEmail *bool
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
type Problem struct {
	Rule       string   `json:"rule" enum:"syntax,constant_missing,constant_invalid,entry_point,import_not_allowed,harness_name,nondeterministic,inputs,universe,too_large"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Message    string   `json:"message"`
	Text       string   `json:"text,omitempty"`
	Accepted   []string `json:"accepted,omitempty"`
	Suggestion string   `json:"suggestion,omitempty"`
}
