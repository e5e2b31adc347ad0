package engine

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// Reason says why a statement gave no answer.
type Reason string

// The reasons.
const (
	Invalid Reason = "invalid" // the statement is wrong, or wants what there is not
	Memory  Reason = "memory"  // it needs more memory or temporary files than it may have
	Time    Reason = "time"    // it takes longer than it may
	Rows    Reason = "rows"    // it gives more rows than it may
)

// Failure is why a statement gave no answer.
type Failure struct {
	Reason   Reason `json:"reason"`
	Message  string `json:"message"`
	Position int    `json:"position"` // character of the statement, from 1; 0 where it is not known
	Name     string `json:"name"`     // unknown table or function, "" otherwise
	Function bool   `json:"function"` // whether the name is a function's
}

// Error implements error.
func (f *Failure) Error() string { return f.Message }

func invalid(position int, message string) *Failure {
	return &Failure{Reason: Invalid, Message: message, Position: position}
}

// duckError is an error of DuckDB as errors_as_json gives it.
type duckError struct {
	Type     string `json:"exception_type"`
	Message  string `json:"exception_message"`
	Position string `json:"position"`
}

// failureOf makes a failure of what DuckDB says.
func failureOf(err error) *Failure {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure
	}
	said := duckError{Message: err.Error()}
	var e *duckdb.Error
	if errors.As(err, &e) {
		said.Message = e.Msg
	}
	if i := strings.IndexByte(said.Message, '{'); i >= 0 {
		var parsed duckError
		if json.Unmarshal([]byte(said.Message[i:]), &parsed) == nil && parsed.Message != "" {
			said = parsed
		}
	}
	f := &Failure{Reason: Invalid, Message: clean(said.Message)}
	if n, err := strconv.Atoi(said.Position); err == nil {
		f.Position = n + 1
	}
	switch {
	case said.Type == "Out of Memory" || strings.Contains(said.Message, "Out of Memory"):
		f.Reason, f.Message, f.Position = Memory, "", 0
	case said.Type == "Interrupt" || said.Type == "INTERRUPT" || strings.Contains(said.Message, "INTERRUPT"):
		f.Reason, f.Message, f.Position = Time, "", 0
	}
	return f
}

// paths are names of files, which the caller has not written and is not shown.
var paths = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[./~]?/|\b(?:bars|runs|query|segments)/)[^\s"',;)]+`)

// clean makes one or two sentences of what DuckDB says.
func clean(message string) string {
	if i := strings.Index(message, "\n\nLINE "); i >= 0 { // the position says the same
		message = message[:i]
	}
	message = paths.ReplaceAllString(message, "(a file)")
	message = strings.Join(strings.Fields(message), " ")
	const most = 600
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + " …"
	}
	return message
}
