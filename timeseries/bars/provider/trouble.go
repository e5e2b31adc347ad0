package provider

import (
	"errors"
	"fmt"
	"time"
)

// Kind says why a provider has given no bars.
type Kind string

// The kinds of trouble.
const (
	Unknown     Kind = "unknown"     // the provider does not have the symbol
	Denied      Kind = "denied"      // the key is missing, wrong or of too small a plan
	Throttled   Kind = "throttled"   // too many requests for now
	Unavailable Kind = "unavailable" // the service fails or cannot be reached
	Malformed   Kind = "malformed"   // the answer is not what the service documents
)

// Error is why a provider has given no bars. Its text holds neither key nor
// address.
type Error struct {
	Provider string
	Kind     Kind
	Detail   string        // what happened, for an operator
	Wait     time.Duration // before it makes sense to ask again, as far as the service says; 0 without
}

// Error gives provider, kind and detail.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Provider, e.Kind, e.Detail) }

// KindOf is the kind of the first provider's error in err's chain, "" without one.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// WaitOf is how long the provider asks to wait, 0 where it does not say.
func WaitOf(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.Wait
	}
	return 0
}

// brief is the beginning of a service's text, in one line and without the key.
func brief(text, key string) string {
	text = oneLine(redact(text, key))
	const most = 160
	if len(text) > most {
		return cutAt(text, most) + "…"
	}
	return text
}
