package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"
)

// Service describes one service.
type Service struct {
	Name      string
	URL       string  // its address
	PerMinute float64 // requests that its smallest plan allows
	Burst     int     // requests at once
	// Authorize adds the key to a request.
	Authorize func(r *http.Request, key string)
	// Refusal may interpret a status other than 200; if it is nil, the status
	// alone decides.
	Refusal func(status int, body string) (Kind, string)
}

const (
	defaultTimeout   = 20 * time.Second
	defaultTries     = 4
	defaultFirstWait = 300 * time.Millisecond
	defaultMaxBytes  = 64 << 20
	// longestWait bounds the wait before the next try. If a service asks for more,
	// the request is not tried again.
	longestWait = 8 * time.Second
	maxRefusal  = 4 << 10 // bytes of a refusal's body that are read
)

// Client asks one service over HTTP. It is safe for concurrent use.
type Client struct {
	service Service
	config  Config
	base    *url.URL
	http    *http.Client
	limiter *rate.Limiter
	answers *answers
}

// NewClient returns a client. An error names the invalid setting.
func NewClient(s Service, c Config) (*Client, error) {
	if c.URL == "" {
		c.URL = s.URL
	}
	base, err := url.Parse(c.URL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" || base.User != nil {
		return nil, fmt.Errorf("the URL of %s is not an http or https URL without user and password", s.Name)
	}
	if c.PerMinute < 0 {
		return nil, fmt.Errorf("the rate of %s is %g requests a minute; it must be above 0", s.Name, c.PerMinute)
	}
	if c.PerMinute == 0 {
		c.PerMinute = s.PerMinute
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.Tries == 0 {
		c.Tries = defaultTries
	}
	if c.FirstWait == 0 {
		c.FirstWait = defaultFirstWait
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = defaultMaxBytes
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Client{
		service: s, config: c, base: base, answers: newAnswers(),
		limiter: rate.NewLimiter(rate.Limit(c.PerMinute/60), max(1, s.Burst)),
		http: &http.Client{
			Transport: c.Transport,
			// A redirect would send the key elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Now returns the time on the client's clock.
func (c *Client) Now() time.Time { return c.config.Now() }

// Name returns the service's name.
func (c *Client) Name() string { return c.service.Name }

// Fetch requests a path below the service's URL and parses the answer. It keeps
// only answers that parse. An error of parse is returned if it is an *Error, and
// becomes one of kind Malformed otherwise.
func Fetch[T any](ctx context.Context, c *Client, path string, query url.Values, parse func(body []byte) (T, error)) (T, error) {
	key := path + "?" + query.Encode()
	last, known := c.answers.get(key)
	if known && c.Now().Sub(last.at) < fresh {
		return parse(last.body)
	}
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.MaxInterval = c.config.FirstWait, longestWait
	var none T
	for try := 1; ; try++ {
		began := time.Now()
		answer, err := c.ask(ctx, path, query, last)
		var parsed T
		if err == nil {
			parsed, err = parse(answer.body)
			err = c.malformed(err)
		}
		c.config.Metrics.count(c.service.Name, outcome(ctx, err, known && string(answer.body) == string(last.body)), time.Since(began))
		if err == nil {
			c.answers.put(key, answer)
			return parsed, nil
		}
		if ctx.Err() != nil {
			return none, fmt.Errorf("%s: %w", c.service.Name, ctx.Err())
		}
		pause, again := c.retryDelay(err, waits)
		if !again || try >= c.config.Tries {
			return none, err
		}
		c.config.Logger.DebugContext(ctx, "retrying a request to a provider", "provider", c.service.Name, "try", try, "error", err)
		select {
		case <-ctx.Done():
			return none, fmt.Errorf("%s: %w", c.service.Name, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// retryDelay reports whether a request is worth another try, and after which wait.
func (c *Client) retryDelay(err error, waits *backoff.ExponentialBackOff) (time.Duration, bool) {
	var e *Error
	if !errors.As(err, &e) || (e.Kind != Unavailable && e.Kind != Throttled) || e.Wait > longestWait {
		return 0, false
	}
	return max(e.Wait, waits.NextBackOff()), true
}

// ask makes one attempt.
func (c *Client) ask(ctx context.Context, path string, query url.Values, last kept) (kept, error) {
	if err := c.limiter.Wait(ctx); err != nil {
		return kept{}, c.trouble(Throttled, 0, "the request limit leaves no time for this request")
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	at := *c.base
	at.Path = strings.TrimSuffix(at.Path, "/") + path
	at.RawQuery = query.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return kept{}, c.trouble(Malformed, 0, "the symbol does not fit into a URL")
	}
	if last.etag != "" {
		r.Header.Set("If-None-Match", last.etag)
	}
	if last.modified != "" {
		r.Header.Set("If-Modified-Since", last.modified)
	}
	r.Header.Set("User-Agent", "ballast")
	if c.service.Authorize != nil && c.config.Key != "" {
		c.service.Authorize(r, c.config.Key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return kept{}, c.trouble(Unavailable, 0, c.cause(ctx, err))
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified && last.at != (time.Time{}) {
		last.at = c.Now()
		return last, nil
	}
	if response.StatusCode != http.StatusOK {
		return kept{}, c.refusal(response)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, c.config.MaxBytes+1))
	switch {
	case int64(len(body)) > c.config.MaxBytes:
		return kept{}, c.trouble(Malformed, 0, fmt.Sprintf("the response is longer than %d bytes", c.config.MaxBytes))
	case err != nil:
		return kept{}, c.trouble(Unavailable, 0, "the response was cut off: "+c.cause(ctx, err))
	}
	return kept{body: body, etag: response.Header.Get("ETag"), modified: response.Header.Get("Last-Modified"), at: c.Now()}, nil
}

// cause describes a transport error without the URL, which may contain a key.
func (c *Client) cause(ctx context.Context, err error) string {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Sprintf("no response within %v", c.config.Timeout)
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return brief(err.Error(), c.config.Key)
}

func (c *Client) refusal(r *http.Response) error {
	// Even the beginning of a body may explain the refusal.
	text, _ := io.ReadAll(io.LimitReader(r.Body, maxRefusal))
	wait := retryAfter(r.Header, c.Now())
	if c.service.Refusal != nil {
		if kind, detail := c.service.Refusal(r.StatusCode, string(text)); kind != "" {
			return c.trouble(kind, wait, detail)
		}
	}
	status := fmt.Sprintf("status %d", r.StatusCode)
	switch r.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		return c.trouble(Unknown, 0, "does not have the symbol")
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired:
		return c.trouble(Denied, 0, status+": the key is missing or wrong, or its plan does not include this request")
	case http.StatusTooManyRequests:
		return c.trouble(Throttled, wait, status)
	case http.StatusRequestTimeout:
		return c.trouble(Unavailable, wait, status)
	}
	if r.StatusCode >= 500 {
		return c.trouble(Unavailable, wait, status)
	}
	return c.trouble(Malformed, 0, status)
}

func (c *Client) trouble(kind Kind, wait time.Duration, detail string) *Error {
	return &Error{Provider: c.service.Name, Kind: kind, Detail: brief(detail, c.config.Key), Wait: wait}
}

// malformed turns a parser's error into an *Error, without the key, which the
// service may have quoted.
func (c *Client) malformed(err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return c.trouble(e.Kind, e.Wait, e.Detail)
	}
	return c.trouble(Malformed, 0, err.Error())
}

func outcome(ctx context.Context, err error, same bool) string {
	switch {
	case err == nil && same:
		return "unchanged"
	case err == nil:
		return "ok"
	case ctx.Err() != nil:
		return "canceled"
	}
	return string(KindOf(err))
}

// retryAfter is how long a service asks to wait, given in seconds or as a date; 0
// if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(v, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, (24*time.Hour).Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(0, at.Sub(now)), 24*time.Hour)
	}
	return 0
}
