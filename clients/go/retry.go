package ballast

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	mathrand "math/rand/v2"
	"net/http"
	"time"
)

// pause returns how long to wait before a request is sent again, and whether that may
// help. A conflict is a state of the service, so it is not tried again, except while the
// first request with the same Idempotency-Key is still in progress.
func (c *Client) pause(r request, attempt int, err error) (time.Duration, bool) {
	if attempt >= c.Attempts {
		return 0, false
	}
	harmless := r.once || r.method == http.MethodGet || r.method == http.MethodPut || r.method == http.MethodDelete
	var e *Error
	var l *lost
	switch {
	case errors.As(err, &e):
		switch {
		case e.Status == http.StatusTooManyRequests: // refused before anything was done
		case e.Status == http.StatusServiceUnavailable, e.Status == http.StatusBadGateway, e.Status == http.StatusGatewayTimeout:
			if !harmless {
				return 0, false
			}
		case e.Type == "idempotency_in_progress":
		default:
			return 0, false
		}
		if e.RetryAfter > c.MostWait {
			return 0, false
		}
	case errors.As(err, &l):
		if !harmless || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return 0, false
		}
	default:
		return 0, false
	}
	// Between half and all of a pause that doubles, so that callers do not return together.
	wait := 200 * time.Millisecond << (attempt - 1)
	wait = min(wait/2+mathrand.N(wait/2), c.MostWait)
	if e != nil && e.RetryAfter > 0 {
		wait = e.RetryAfter + mathrand.N(100*time.Millisecond)
	}
	return wait, true
}

// onceOf returns the context's Idempotency-Key, or a random one.
func onceOf(ctx context.Context) string {
	if key, ok := ctx.Value(onceKey{}).(string); ok {
		return key
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
