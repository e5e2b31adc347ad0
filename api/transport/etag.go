package transport

import (
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
)

// Held buffers a response until it is complete: a panic leaves no partial response,
// and the ETag is known before the headers are sent.
type Held struct {
	w      http.ResponseWriter
	status int
	body   []byte
}

// heldBodies are reused, because a history of 20 years takes from 200 kB to several
// MB.
var heldBodies = sync.Pool{New: func() any { return new([]byte) }}

// largestKept is the largest capacity of a buffer that goes back to the pool, in
// bytes.
const largestKept = 16 << 20

// GetBuffer takes an empty buffer from the pool that responses use. Return it with
// PutBuffer when nothing reads it any more.
func GetBuffer() *[]byte {
	b := heldBodies.Get().(*[]byte)
	*b = (*b)[:0]
	return b
}

// PutBuffer returns a buffer to the pool.
func PutBuffer(b *[]byte) {
	if cap(*b) <= largestKept {
		heldBodies.Put(b)
	}
}

// Hold returns a writer that buffers the response to w until Send.
func Hold(w http.ResponseWriter) *Held {
	return &Held{w: w, body: *GetBuffer()}
}

// Release returns the buffer to the pool; h must not be used afterwards.
func (h *Held) Release() {
	PutBuffer(&h.body)
}

// Header implements http.ResponseWriter.
func (h *Held) Header() http.Header { return h.w.Header() }

// WriteHeader implements http.ResponseWriter.
func (h *Held) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

// Write implements http.ResponseWriter.
func (h *Held) Write(b []byte) (int, error) {
	h.body = append(h.body, b...)
	return len(b), nil
}

// Written returns what the response contains so far. The body is valid until Release.
func (h *Held) Written() (status int, body []byte) { return h.status, h.body }

// Unwrap lets http.ResponseController reach the connection.
func (h *Held) Unwrap() http.ResponseWriter { return h.w }

// Send writes the response. A successful read gets a strong ETag, or becomes a 304 if
// the caller has that version. A long response is compressed if the caller accepts
// that. The compressed representation has its own ETag, which is known before
// anything is compressed, so that a 304 costs no compression.
func (h *Held) Send(r *http.Request, c *Compressor) {
	if h.status == 0 {
		h.status = http.StatusOK
	}
	head := h.w.Header()
	head.Add("Vary", "Accept, Accept-Encoding")
	coding := codingOf(acceptedOf(r.Header.Values("Accept-Encoding")), head.Get("Content-Type"), len(h.body))
	if r.Method == http.MethodGet && h.status == http.StatusOK {
		tag := etag(h.body, coding)
		head.Set("ETag", tag)
		if head.Get("Cache-Control") == "" {
			head.Set("Cache-Control", "private, no-cache")
		}
		if matches(r.Header.Values("If-None-Match"), tag) {
			head.Del("Content-Type")
			h.w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := h.body
	if coding != "" {
		if encoded, err := c.encode(coding, body); err == nil { // it writes to memory and does not fail
			body = encoded
			head.Set("Content-Encoding", coding)
		}
	}
	head.Set("Content-Length", strconv.Itoa(len(body)))
	h.w.WriteHeader(h.status)
	_, _ = h.w.Write(body) // the caller may have disconnected
}

// etag is the strong validator of a body in a content coding: the body's 128-bit
// XXH3 hash, followed by the coding if there is one.
func etag(body []byte, coding string) string {
	sum := xxh3.Hash128(body).Bytes()
	tag := hex.EncodeToString(sum[:])
	if coding != "" {
		tag += "-" + coding
	}
	return `"` + tag + `"`
}

// matches reports whether If-None-Match names the tag, by weak comparison (RFC
// 9110 section 13.1.2).
func matches(fields []string, tag string) bool {
	for _, field := range fields {
		for given := range strings.SplitSeq(field, ",") {
			given = strings.TrimSpace(given)
			if given == "*" || strings.TrimPrefix(given, "W/") == tag {
				return true
			}
		}
	}
	return false
}
