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

// SetDeadlines starts a request: its body must arrive in time, even where no handler
// reads it, and the deadlines of the request before it on the connection end.
// Connections that have no deadlines, as in tests, are left as they are.
func SetDeadlines(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	if r.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	}
}

// bodyRead ends the body's deadline: net/http goes on reading the connection while
// the answer is made, to notice that the caller has gone.
func bodyRead(w http.ResponseWriter) { _ = http.NewResponseController(w).SetReadDeadline(time.Time{}) }
