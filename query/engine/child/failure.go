package child

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
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

// undecoded matches the errors of DuckDB's Parquet reader that do not name the file.
var undecoded = regexp.MustCompile(`^(?:TProtocolException: .*|don't know what type: .*|invalid TType|Out of buffer|Page size mismatch)\s*$`)

// parseDuckError parses the error that DuckDB reported.
func parseDuckError(err error) duckError {
	e := duckError{Message: err.Error()}
	var raw *duckdb.Error
	if errors.As(err, &raw) {
		e.Message = raw.Msg
	}
	if i := strings.IndexByte(e.Message, '{'); i >= 0 {
		var parsed duckError
		if json.Unmarshal([]byte(e.Message[i:]), &parsed) == nil && parsed.Message != "" {
			return parsed
		}
	}
	return e
}

// damage turns an error in preparing a table into a failure. The caller's statement has
// not run yet, so it is not the cause.
func damage(table string, err error) error {
	f := failureOf(err, nil)
	if f.Reason == engine.Invalid {
		return &engine.Failure{Reason: engine.Damaged, Message: "prepare table " + table + ": " + parseDuckError(err).Message}
	}
	return f
}

// failureOf turns an error of DuckDB into a failure. given are the files of the order. The
// caller does not know their names, so an error that has one is about that file.
func failureOf(err error, given []string) *engine.Failure {
	var failure *engine.Failure
	if errors.As(err, &failure) {
		return failure
	}
	said := parseDuckError(err)
	f := &engine.Failure{Reason: engine.Invalid, Message: clean(said.Message)}
	if n, err := strconv.Atoi(said.Position); err == nil {
		f.Position = n + 1
	}
	switch {
	case said.Type == "Out of Memory" || strings.Contains(said.Message, "Out of Memory"):
		f.Reason, f.Message, f.Position = engine.Memory, "", 0
	case slices.ContainsFunc(given, func(path string) bool { return strings.Contains(said.Message, path) }),
		len(given) > 0 && undecoded.MatchString(said.Message):
		f.Reason, f.Message, f.Position = engine.Damaged, said.Message, 0
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
