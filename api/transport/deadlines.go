package transport

import (
	"net/http"
	"time"
)

const (
	// bodyTime is how long a caller may take to send a body.
	bodyTime = 30 * time.Second
	// pieceTime is how long a caller may take to read a piece of a response.
	pieceTime = 30 * time.Second
	// piece is how many bytes are written under one deadline at most.
	piece = 64 << 10
)

// SetDeadlines sets the deadlines of a new request: its body must arrive in time,
// even if no handler reads it, and the write deadline of the previous request on the
// connection no longer applies. Connections without deadlines, as in tests, are left
// alone.
func SetDeadlines(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{})
	if r.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	}
}

// bodyRead removes the body's deadline: net/http keeps reading from the connection
// while the response is prepared, to notice when the caller disconnects.
func bodyRead(w http.ResponseWriter) { _ = http.NewResponseController(w).SetReadDeadline(time.Time{}) }
