package ballast

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client calls a service. Its fields may be changed before it is used; its methods may
// be called from any goroutine.
type Client struct {
	HTTP     *http.Client
	Attempts int           // how often a request is sent at most; 1 never repeats one
	MostWait time.Duration // the longest pause before a repetition; a service that asks for more gets none
	base     string
	key      string
}

// New returns a client of the service at an address, such as http://127.0.0.1:8080, with
// an API key.
func New(address, key string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("ballast: address %q: accepted are addresses such as http://127.0.0.1:8080", address)
	}
	return &Client{
		HTTP: &http.Client{}, Attempts: 5, MostWait: time.Minute, base: strings.TrimRight(address, "/"), key: key,
	}, nil
}

// Formats of tables.
const (
	mediaJSON = "application/json"
	Arrow     = "application/vnd.apache.arrow.stream"
	Parquet   = "application/vnd.apache.parquet"
	CSV       = "text/csv"
)

// Fields are the fields of a change. A field that is nil is sent as null, which clears
// what can be cleared; one that is left out stays as it is.
type Fields map[string]any

// Of returns a pointer to a value, for optional fields.
func Of[T any](value T) *T { return &value }

// onceKey is the key of a context's Idempotency-Key.
type onceKey struct{}

// Once returns a context whose requests that start work carry this Idempotency-Key
// instead of a random one, so that the same work is done once even if the program is
// started again. Use another key for each request.
func Once(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, onceKey{}, key)
}

// request is a request of an operation.
type request struct {
	method string
	path   []string
	query  url.Values
	accept string
	body   any  // sent as JSON unless it is nil
	once   bool // carries an Idempotency-Key
}

// do sends a request and decodes the response into out, unless that is nil.
func (c *Client) do(ctx context.Context, r request, out any) error {
	body, err := c.stream(ctx, r)
	if err != nil {
		return err
	}
	defer body.Close()
	if out == nil {
		return nil
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("ballast: %s /%s: the response broke off: %w", r.method, strings.Join(r.path, "/"), err)
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("ballast: %s /%s: %w", r.method, strings.Join(r.path, "/"), err)
	}
	return nil
}

// stream sends a request, again if that helps, and returns the response's body.
func (c *Client) stream(ctx context.Context, r request) (io.ReadCloser, error) {
	address := c.base
	for _, part := range r.path {
		address += "/" + url.PathEscape(part)
	}
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("ballast: %w", err)
		}
	}
	header := http.Header{"Authorization": {"Bearer " + c.key}}
	if r.accept != "" {
		header.Set("Accept", r.accept)
	}
	if body != nil {
		header.Set("Content-Type", mediaJSON)
	}
	if r.once {
		header.Set("Idempotency-Key", onceOf(ctx))
	}
	for attempt := 1; ; attempt++ {
		out, err := c.send(ctx, r.method, address, header, body)
		if err == nil {
			return out, nil
		}
		pause, again := c.pause(r, attempt, err)
		if !again {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(pause):
		}
	}
}

// send sends a request once.
func (c *Client) send(ctx context.Context, method, address string, header http.Header, body []byte) (io.ReadCloser, error) {
	var sent io.Reader
	if body != nil {
		sent = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, sent)
	if err != nil {
		return nil, err
	}
	req.Header = header.Clone()
	response, err := c.HTTP.Do(req)
	if err != nil {
		return nil, &lost{err}
	}
	if response.StatusCode >= http.StatusBadRequest {
		defer response.Body.Close()
		return nil, errorOf(response)
	}
	return response.Body, nil
}

// lost is a request without a response.
type lost struct{ error }

// Unwrap returns why.
func (l *lost) Unwrap() error { return l.error }
