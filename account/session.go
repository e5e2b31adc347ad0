package account

import "time"

// sessionPrefix begins the secret of a session.
const sessionPrefix = "bs_"

// NewSession makes the secret of a session, which its cookie holds.
func NewSession() (secret string) { return newSecret(sessionPrefix) }

// WellFormedSession reports whether s has the form of a session's secret.
func WellFormedSession(s string) bool { return wellFormed(s, sessionPrefix) }

// Session is a signed-in browser.
type Session struct {
	ID        string // session_…
	AccountID string
	KeyID     string        // that it was made from, "" for a person's
	Person    *Person       // who signed in through an issuer, nil for a key's
	Idle      time.Duration // it ends when it has not been used for so long
	Most      time.Duration // and after this in any case
	EndsAt    time.Time     // set by the store
}

// Person is somebody whom an issuer vouches for.
type Person struct {
	Issuer, Subject string // together who it is, whatever the name
	Email           string // verified by the issuer
	Name            string // to be shown; may change
}

// Signin is a sign-in through an issuer that has begun.
type Signin struct {
	State    [32]byte // SHA-256 of what the issuer sends back
	Browser  [32]byte // SHA-256 of what the browser keeps
	ReturnTo string   // path of the page to go on with
}
