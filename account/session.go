package account

import "time"

// sessionPrefix begins every session's secret.
const sessionPrefix = "bs_"

// NewSession makes a session's secret, which is the value of its cookie.
func NewSession() (secret string) { return newSecret(sessionPrefix) }

// WellFormedSession reports whether s has the form of a session's secret.
func WellFormedSession(s string) bool { return wellFormed(s, sessionPrefix) }

// Session is a signed-in browser.
type Session struct {
	ID        string // session_…
	AccountID string
	KeyID     string        // the key that signed in, "" for a person
	Person    *Person       // who signed in through an issuer, nil for a key
	Idle      time.Duration // the session ends after this time without a request
	Most      time.Duration // and after this time in any case
	EndsAt    time.Time     // set by the store
}

// Person is somebody whose identity an issuer has confirmed.
type Person struct {
	Issuer, Subject string // together they identify the person; names and addresses may change
	Email           string // verified by the issuer
	Name            string // for display
}

// Signin is a sign-in through an issuer that has begun and not ended.
type Signin struct {
	State    [32]byte // SHA-256 of the state that the issuer sends back
	Browser  [32]byte // SHA-256 of the browser's secret
	ReturnTo string   // path of the page to open afterwards
}
