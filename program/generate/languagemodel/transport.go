package languagemodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxAnswer  = 4 << 20  // most bytes of an answer that are read
	maxRefusal = 64 << 10 // most bytes of an error's body that are read
)

var errTooLong = errors.New("the response is too long")

// notJSON is an answer that does not come from a server of the protocol.
type notJSON struct{ contentType string }

func (e *notJSON) Error() string { return fmt.Sprintf("the response is %q, not JSON", e.contentType) }

// refusal is a response with a status other than 200.
type refusal struct {
	status int
	wait   time.Duration // wait that the server asks for; negative if it does not
	code   string        // the provider's code; may be ""
	detail string        // the provider's message, short, without the key
}

func (e *refusal) Error() string { return fmt.Sprintf("the response has the status %d", e.status) }

// guard stands between an SDK and the network. It bounds what is read, follows no
// redirects, because they would take the key elsewhere, and turns everything except a
// JSON answer into an error that quotes neither the request nor the key.
type guard struct {
	next http.RoundTripper
	key  string
	now  func() time.Time
}

func guarded(c Config) *http.Client {
	client := *c.HTTPClient
	g := &guard{next: client.Transport, key: c.Key, now: c.Now}
	if g.next == nil {
		g.next = http.DefaultTransport
	}
	client.Transport = g
	return &client
}

// RoundTrip implements http.RoundTripper.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, g.refusal(response)
	}
	kind := response.Header.Get("Content-Type")
	if parsed, _, err := mime.ParseMediaType(kind); err != nil || parsed != "application/json" {
		response.Body.Close()
		return nil, &notJSON{contentType: kind}
	}
	response.Body = &bounded{ReadCloser: response.Body, left: maxAnswer}
	return response, nil
}

// bounded fails if a body is longer than allowed.
type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}

func (g *guard) refusal(r *http.Response) *refusal {
	e := &refusal{status: r.StatusCode, wait: retryAfter(r.Header, g.now())}
	// A truncated body is used as far as it goes.
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxRefusal))
	var envelope struct{ Error json.RawMessage }
	if json.Unmarshal(body, &envelope) != nil {
		return e
	}
	var told struct{ Type, Code, Message any }
	if json.Unmarshal(envelope.Error, &told) != nil {
		return e
	}
	e.code = g.brief(told.Code)
	if e.code == "" {
		e.code = g.brief(told.Type)
	}
	if r.StatusCode != http.StatusUnauthorized && r.StatusCode != http.StatusForbidden {
		e.detail = g.brief(told.Message)
	}
	return e
}

// brief is the start of a provider's message, for the log. It ends at the first
// bracket, because some servers quote the request that they could not read.
func (g *guard) brief(v any) string {
	s, _ := v.(string)
	if g.key != "" {
		s = strings.ReplaceAll(s, g.key, "KEY")
	}
	if i := strings.IndexAny(s, "{[<\r\n"); i >= 0 {
		s = s[:i]
	}
	return shorten(strings.TrimSpace(s), 200)
}

// retryAfter is how long a server asks to wait, in seconds or until a date; negative
// if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(v, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, (24*time.Hour).Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return -1
}
