package transport

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"ballast/internal/fault"
)

// maxRequestID is the longest request id that is accepted from a caller, in bytes.
const maxRequestID = 128

// RequestID returns the id that the caller sent, if it is short and plain, or else a
// new one.
func RequestID(h http.Header) string {
	given := h.Get("X-Request-Id")
	if given == "" || len(given) > maxRequestID {
		return newRequestID()
	}
	for _, c := range []byte(given) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
		default:
			return newRequestID()
		}
	}
	return given
}

func newRequestID() string { return uuid.Must(uuid.NewV7()).String() }

// WithoutSlash removes a trailing slash from an address, which has no meaning.
func WithoutSlash(u *url.URL) *url.URL {
	if len(u.Path) < 2 || !strings.HasSuffix(u.EscapedPath(), "/") {
		return u
	}
	same := *u
	same.Path, same.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
	return &same
}

// MaxHead is the largest size of a request's address and headers, in bytes. A list of
// a thousand ids fits.
const MaxHead = 64 << 10

// CheckHead refuses a head that is too large.
func CheckHead(r *http.Request) error {
	n := len(r.RequestURI) + len(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v) + len(": \r\n")
		}
	}
	if n > MaxHead {
		return fault.New(fault.HeadTooLarge, "The URL and headers have %d bytes; at most %d are accepted. Name fewer entries per request.", n, MaxHead)
	}
	return nil
}
