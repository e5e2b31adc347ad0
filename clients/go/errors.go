package ballast

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error is a refused request.
type Error struct {
	Status     int           // of HTTP
	Type       string        // why, such as not_found or rate_limited
	Message    string        // what to do next
	RequestID  string        // to quote in a report
	RetryAfter time.Duration // how long to wait, if waiting helps; otherwise 0
	Details    []ErrorDetail // all problems, if there are several
}

// ErrorDetail is one problem of a request.
type ErrorDetail struct {
	Location string   `json:"location"` // such as body.symbol
	Message  string   `json:"message"`
	Accepted []string `json:"accepted"`
}

// Error implements error.
func (e *Error) Error() string {
	text := fmt.Sprintf("ballast: %d %s: %s", e.Status, e.Type, e.Message)
	for _, d := range e.Details {
		text += "; " + d.Location + " " + d.Message
	}
	if e.RequestID != "" {
		text += " (request " + e.RequestID + ")"
	}
	return text
}

// mostError is the most that is read of an error response.
const mostError = 1 << 20

// errorOf reads an error response, which is not of the service if a proxy has written it.
func errorOf(r *http.Response) *Error {
	e := &Error{Status: r.StatusCode, Type: "unknown", Message: http.StatusText(r.StatusCode), RequestID: r.Header.Get("X-Request-Id")}
	text, _ := io.ReadAll(io.LimitReader(r.Body, mostError)) // what could be read
	var body struct {
		Error struct {
			Type      string        `json:"type"`
			Message   string        `json:"message"`
			RequestID string        `json:"request_id"`
			Details   []ErrorDetail `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(text, &body) == nil && body.Error.Type != "" {
		e.Type, e.Message, e.Details = body.Error.Type, body.Error.Message, body.Error.Details
		if body.Error.RequestID != "" {
			e.RequestID = body.Error.RequestID
		}
	}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
