package transport

import (
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// Recorder records the status and the length of a response, and gives up on callers
// that stop reading.
type Recorder struct {
	http.ResponseWriter
	Status      int
	Bytes       int64
	interrupted atomic.Bool
}

// WriteHeader implements http.ResponseWriter.
func (r *Recorder) WriteHeader(status int) {
	if r.Status == 0 {
		r.Status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. It writes in pieces, each with its own
// deadline: a caller may read slowly, but must keep reading.
func (r *Recorder) Write(b []byte) (int, error) {
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	control := http.NewResponseController(r.ResponseWriter)
	written := 0
	for {
		_ = control.SetWriteDeadline(time.Now().Add(pieceTime)) // fails on connections of tests, which have no deadlines
		if r.interrupted.Load() {                               // SetWriteDeadline has just replaced the deadline that Interrupt set
			return written, os.ErrDeadlineExceeded
		}
		n, err := r.ResponseWriter.Write(b[written:min(len(b), written+piece)])
		written += n
		r.Bytes += int64(n)
		if err != nil || written >= len(b) {
			return written, err
		}
	}
}

// Interrupt ends the write in progress and every later one.
func (r *Recorder) Interrupt() {
	r.interrupted.Store(true)
	_ = http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now())
}

// Unwrap lets http.ResponseController reach the connection.
func (r *Recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
