package transport

import (
	"net/http"
	"time"
)

const (
	// bodyTime is how long a caller may take to send a body.
	bodyTime = 30 * time.Second
	// pieceTime is how long a caller may take to read a piece of an answer.
	pieceTime = 30 * time.Second
	// piece is the most bytes that are written under one deadline.
	piece = 64 << 10
)

// SetDeadlines begins a request: a body has to arrive in time, also one that
// nobody reads, and nothing is left of the deadlines of the request before.
// Connections without deadlines, as tests have them, go without.
func SetDeadlines(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	if r.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	}
}

// bodyRead ends the body's deadline: the connection is read on to notice that
// the caller has gone, for as long as the answer takes.
func bodyRead(w http.ResponseWriter) { _ = http.NewResponseController(w).SetReadDeadline(time.Time{}) }
