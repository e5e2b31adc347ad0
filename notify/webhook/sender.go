package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	sendTimeout = 15 * time.Second
	dialTimeout = 5 * time.Second
	// mostAnswer is how many bytes of a response are read and discarded, so that the
	// connection can be used again.
	mostAnswer = 16 << 10
)

// Sender posts events to endpoints.
type Sender struct {
	client *http.Client
	dialer *net.Dialer
	now    func() time.Time
}

// NewSender creates a Sender. It checks the address of every connection after the name
// was looked up, so a name that resolves differently later cannot evade the check.
func NewSender(rules Rules, now func() time.Time) *Sender {
	dialer := &net.Dialer{Timeout: dialTimeout, Control: rules.connect}
	return &Sender{now: now, dialer: dialer, client: &http.Client{
		Timeout: sendTimeout,
		Transport: &http.Transport{
			Proxy:       nil, // a proxy would connect without the check
			DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: sendTimeout,
			MaxIdleConnsPerHost: 2, MaxConnsPerHost: 8, IdleConnTimeout: 30 * time.Second, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send makes one attempt. It signs the event's id, the time and the body. While a secret
// is being replaced, there is one signature for each of the two secrets.
func (s *Sender) Send(ctx context.Context, w *Webhook, eventID string, payload []byte) Outcome {
	request, err := s.request(ctx, w, eventID, payload)
	if err != nil {
		return Outcome{Error: err.Error(), Finished: s.now()}
	}
	response, err := s.client.Do(request)
	if err != nil {
		return Outcome{Error: failure(err), Finished: s.now()}
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, mostAnswer)
	o := Outcome{Status: &response.StatusCode, Finished: s.now()}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return o
	}
	o.Error = fmt.Sprintf("the endpoint responded with %d", response.StatusCode)
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		o.Error += "; redirections are not followed"
	}
	o.Gone = response.StatusCode == http.StatusGone
	o.Retry = retryAfter(response.Header.Get("Retry-After"), o.Finished)
	return o
}

func (s *Sender) request(ctx context.Context, w *Webhook, eventID string, payload []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(payload))
	if err != nil {
		return nil, fmt.Errorf("build the request: %w", err)
	}
	now := s.now()
	var signatures []string
	for _, secret := range w.Secrets(now) {
		signer, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, fmt.Errorf("read the secret: %w", err)
		}
		signature, err := signer.Sign(eventID, now, payload)
		if err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
		signatures = append(signatures, signature)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Ballast-Webhooks/1.0")
	request.Header.Set(standardwebhooks.HeaderWebhookID, eventID)
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return request, nil
}

// failure says why there is no response. It never names the addresses behind a name.
func failure(err error) string {
	var timeout interface{ Timeout() bool }
	var dns *net.DNSError
	var address *url.Error
	switch {
	case errors.Is(err, errAddress):
		return "events are not sent to this address"
	case errors.Is(err, errPort):
		return "events are not sent to this port; the operator can allow it with --webhook-ports"
	case errors.As(err, &dns):
		return "the host's name could not be looked up"
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("no response within %s", sendTimeout)
	case errors.As(err, &address):
		if operation := new(net.OpError); errors.As(err, &operation) {
			return "the connection failed: " + operation.Err.Error()
		}
		return address.Err.Error()
	}
	return err.Error()
}

// retryAfter parses a Retry-After header, which has seconds or a date. It returns 0 if
// the header has neither.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds > 0 {
		return time.Duration(min(seconds, int(Patience/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
