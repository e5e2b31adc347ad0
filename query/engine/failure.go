package engine

// Reason says why a statement has no answer.
type Reason string

// The reasons. Damaged and Guards are the service's fault, the others the caller's.
const (
	Invalid Reason = "invalid" // the statement is wrong, or wants what there is not
	Memory  Reason = "memory"  // it needs more memory or temporary files than it may have
	Time    Reason = "time"    // it takes longer than it may
	Rows    Reason = "rows"    // it gives more rows than it may
	Damaged Reason = "damaged" // a file or table that it was given cannot be read
	Guards  Reason = "guards"  // the process lacks a guard that the order requires
)

// Failure says why a statement has no answer.
type Failure struct {
	Reason   Reason `json:"reason"`
	Message  string `json:"message"`
	Position int    `json:"position"` // in characters of the statement, from 1; 0 if unknown
	Name     string `json:"name"`     // unknown table or function, "" otherwise
	Function bool   `json:"function"` // whether the name is a function's
}

// Error implements error.
func (f *Failure) Error() string { return f.Message }
