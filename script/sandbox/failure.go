package sandbox

import (
	"strings"
	"time"

	"ballast/script"
)

// failure is an error of the script or an exceeded limit, as the child sends
// it.
type failure struct {
	Type      script.RunErrorType `cbor:"type"`
	Message   string              `cbor:"message"`
	Line      int                 `cbor:"line"`
	Date      string              `cbor:"date"`
	Traceback string              `cbor:"traceback"`
}

func (f *failure) Error() string { return string(f.Type) + ": " + f.Message }

// failureOf converts an error of the script package or the engine.
func failureOf(err error) *failure {
	e := script.AsRunError(err)
	return &failure{Type: e.Type, Message: e.Message, Line: e.Line, Date: e.Date, Traceback: e.Traceback}
}

// runError converts the failure for callers.
func (f *failure) runError(cpu time.Duration) *script.RunError {
	return &script.RunError{Type: f.Type, Message: f.Message, Line: f.Line, Date: f.Date, Traceback: f.Traceback, CPU: cpu}
}

const (
	maxMessage   = 16 << 10
	maxTraceback = 64 << 10
)

// tidy limits the length of the script's texts and makes them valid UTF-8.
func (f *failure) tidy() *failure {
	t := *f
	t.Message = clip(t.Message, maxMessage)
	t.Date = clip(t.Date, len("2006-01-02"))
	t.Traceback = clip(t.Traceback, maxTraceback)
	return &t
}

// clip returns the first n bytes of s as valid UTF-8.
func clip(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
