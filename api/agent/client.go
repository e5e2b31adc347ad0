package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostBytes is the most that is read of a response of the interface.
const mostBytes = 32 << 20

// object is a JSON object whose values are decoded when they are needed.
type object map[string]json.RawMessage

// caller calls the interface in the name of who called a tool.
type caller struct {
	transport     http.RoundTripper
	base          string
	authorization string // of the caller; "" if the transport adds it
}

// caller returns what calls the interface for a request.
func (c Config) caller(ctx context.Context, r *mcp.CallToolRequest) *caller {
	out := &caller{transport: c.Transport, base: c.URL(ctx)}
	if r.Extra != nil {
		out.authorization = r.Extra.Header.Get("Authorization")
	}
	return out
}

// refusal is an error response of the interface.
type refusal struct {
	Status     int
	RetryAfter int // seconds; 0 if the response does not say
	Body       json.RawMessage
}

// Error implements error.
func (r *refusal) Error() string { return fmt.Sprintf("status %d: %s", r.Status, r.Body) }

// get reads a path with a query.
func (c *caller) get(ctx context.Context, out any, query url.Values, path ...string) error {
	return c.do(ctx, http.MethodGet, address(query, path...), nil, "", out)
}

// post sends a body. If key is not "", the interface does the same request once.
func (c *caller) post(ctx context.Context, body, out any, key string, path ...string) error {
	return c.do(ctx, http.MethodPost, address(nil, path...), body, key, out)
}

// address joins the parts of a path, each escaped.
func address(query url.Values, path ...string) string {
	text := "/v1"
	for _, part := range path {
		text += "/" + url.PathEscape(part)
	}
	if len(query) > 0 {
		text += "?" + query.Encode()
	}
	return text
}

func (c *caller) do(ctx context.Context, method, path string, body any, key string, out any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, sent)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.authorization != "" {
		r.Header.Set("Authorization", c.authorization)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := c.transport.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("the service cannot be reached: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
	if err != nil {
		return fmt.Errorf("the service's response broke off: %w", err)
	}
	if len(text) > mostBytes {
		return fmt.Errorf("the response is larger than %d bytes; ask for a shorter window", mostBytes)
	}
	if response.StatusCode >= http.StatusBadRequest {
		wait, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 if there is none
		return &refusal{Status: response.StatusCode, RetryAfter: wait, Body: text}
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// WithKey returns a transport that sends a key with each request.
func WithKey(t http.RoundTripper, key string) http.RoundTripper { return keyed{t, key} }

type keyed struct {
	http.RoundTripper
	key string
}

// RoundTrip implements http.RoundTripper.
func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+k.key)
	return k.RoundTripper.RoundTrip(r)
}

// Within returns a transport whose requests are served by a handler of this process.
// prepare completes a request, for example with the address that it came from.
func Within(h http.Handler, prepare func(*http.Request)) http.RoundTripper { return within{h, prepare} }

type within struct {
	handler http.Handler
	prepare func(*http.Request)
}

// RoundTrip implements http.RoundTripper.
func (t within) RoundTrip(r *http.Request) (*http.Response, error) {
	t.prepare(r)
	r.RequestURI = r.URL.RequestURI()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	a := &answer{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(a, r)
	return &http.Response{
		StatusCode: a.status, Header: a.header, Body: io.NopCloser(&a.body), ContentLength: int64(a.body.Len()), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// answer keeps what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
