package sandbox

import "strings"

// failure is the end of a run by the script's fault or a broken limit, as it
// crosses from the child.
type failure struct {
	Type      string `cbor:"type"`
	Message   string `cbor:"message"`
	Line      int    `cbor:"line"`
	Date      string `cbor:"date"`
	Traceback string `cbor:"traceback"`
}

func (f *failure) Error() string { return f.Type + ": " + f.Message }

// The types of failures.
const (
	scriptError = "script_error"
	memoryLimit = "memory_limit"
	timeLimit   = "time_limit"
	stepLimit   = "step_limit"
	dataError   = "data_error"
	internal    = "internal"
)

const (
	maxMessage   = 16 << 10
	maxTraceback = 64 << 10
)

// tidy makes texts of the script's fit to be sent.
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
