package child

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"ballast/query/engine"
)

func invalid(position int, message string) *engine.Failure {
	return &engine.Failure{Reason: engine.Invalid, Message: message, Position: position}
}

// duckError is an error of DuckDB in the form that errors_as_json gives it.
type duckError struct {
	Type     string `json:"exception_type"`
	Message  string `json:"exception_message"`
	Position string `json:"position"`
}

// failureOf turns an error of DuckDB into a failure.
func failureOf(err error) *engine.Failure {
	var failure *engine.Failure
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
	f := &engine.Failure{Reason: engine.Invalid, Message: clean(said.Message)}
	if n, err := strconv.Atoi(said.Position); err == nil {
		f.Position = n + 1
	}
	switch {
	case said.Type == "Out of Memory" || strings.Contains(said.Message, "Out of Memory"):
		f.Reason, f.Message, f.Position = engine.Memory, "", 0
	case said.Type == "Interrupt" || said.Type == "INTERRUPT" || strings.Contains(said.Message, "INTERRUPT"):
		f.Reason, f.Message, f.Position = engine.Time, "", 0
	}
	return f
}

// paths matches file names, which the caller has not written and must not see.
var paths = regexp.MustCompile(`(?:[A-Za-z]:)?(?:[./~]?/|\b(?:bars|runs|query|segments)/)[^\s"',;)]+`)

// clean shortens DuckDB's message to one or two sentences.
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
