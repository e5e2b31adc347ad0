package provider

import (
	"errors"
	"fmt"
	"time"
)

// Kind says why a provider returned no bars.
type Kind string

// The kinds of error.
const (
	Unknown     Kind = "unknown"     // the provider does not have the symbol
	Denied      Kind = "denied"      // the key is missing or wrong, or its plan is too small
	Throttled   Kind = "throttled"   // too many requests for now
	Unavailable Kind = "unavailable" // the service fails or cannot be reached
	Malformed   Kind = "malformed"   // the answer is not in the documented format
)

// Error is why a provider returned no bars. Its text contains neither a key nor a
// URL.
type Error struct {
	Provider string
	Kind     Kind
	Detail   string        // what happened, for an operator
	Wait     time.Duration // that the service asks for before the next request; 0 if it does not say
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Provider, e.Kind, e.Detail) }

// KindOf returns the kind of the first *Error in err's chain, "" if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// WaitOf returns how long the provider asks to wait, 0 if it does not say.
func WaitOf(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.Wait
	}
	return 0
}

// brief shortens a service's text to one line without the key.
func brief(text, key string) string {
	text = oneLine(redact(text, key))
	const most = 160
	if len(text) > most {
		return cutAt(text, most) + "…"
	}
	return text
}
