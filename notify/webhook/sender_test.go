package webhook

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"golang.org/x/net/dns/dnsmessage"
)

func TestSend(t *testing.T) {
	t.Parallel()
	payload := []byte(`{"type":"run.failed","data":{"name":"Größe"}}`)
	former, current := NewSecret(), NewSecret()
	later := time.Now().Add(time.Hour)
	for name, w := range map[string]*Webhook{
		"one secret":     {Secret: current},
		"secrets change": {Secret: current, Former: former, FormerUntil: &later},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var headers http.Header
			var body []byte
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				headers = r.Header.Clone()
				body, _ = io.ReadAll(r.Body)
			}))
			defer server.Close()
			w.URL = server.URL + "/hooks"
			if o := NewSender(Rules{Private: true, Ports: anyPort(t)}, time.Now).Send(t.Context(), w, "event_1", payload); o.Error != "" || *o.Status != 200 {
				t.Fatalf("%+v", o)
			}
			if string(body) != string(payload) || headers.Get("Webhook-Id") != "event_1" || headers.Get("Content-Type") != "application/json" {
				t.Errorf("%s %v", body, headers)
			}
			for _, secret := range w.Secrets(time.Now()) {
				verifier, err := standardwebhooks.NewWebhook(secret)
				if err != nil {
					t.Fatal(err)
				}
				if err := verifier.Verify(body, headers); err != nil {
					t.Error(err)
				}
				if err := verifier.Verify(append(body, ' '), headers); err == nil {
					t.Error("another body has the same signature")
				}
			}
		})
	}
}

func TestSendFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer func(http.ResponseWriter, *http.Request)
		says   string
		gone   bool
		retry  time.Duration
	}{
		{name: "refused", answer: status(http.StatusForbidden, ""), says: "responded with 403"},
		{name: "broken", answer: status(http.StatusInternalServerError, ""), says: "responded with 500"},
		{name: "throttled", answer: status(http.StatusTooManyRequests, "120"), says: "responded with 429", retry: 2 * time.Minute},
		{name: "strange wait", answer: status(http.StatusServiceUnavailable, "-5"), says: "responded with 503"},
		{name: "gone", answer: status(http.StatusGone, ""), says: "responded with 410", gone: true},
		{name: "moved", says: "redirections are not followed", answer: func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				t.Error("a redirection was followed")
			}
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}},
		{name: "hangs up", says: "EOF", answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(test.answer))
			defer server.Close()
			o := NewSender(Rules{Private: true, Ports: anyPort(t)}, time.Now).Send(t.Context(), &Webhook{URL: server.URL, Secret: NewSecret()}, "event_1", nil)
			if !strings.Contains(o.Error, test.says) || o.Gone != test.gone || o.Retry != test.retry {
				t.Errorf("%+v", o)
			}
		})
	}
}

func status(code int, retryAfter string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(code)
	}
}

// The sender never connects to an address that is not public, however it is written.
func TestSendStaysOutside(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a private address was called")
	}))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	sender := NewSender(Rules{Ports: anyPort(t)}, time.Now)
	for _, host := range []string{
		"127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]",
		"169.254.169.254", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]",
	} {
		o := sender.Send(t.Context(), &Webhook{URL: "https://" + host + ":" + port, Secret: NewSecret()}, "event_1", nil)
		if o.Error != "events are not sent to this address" && o.Error != "the host's name could not be looked up" {
			t.Errorf("%s: %q", host, o.Error)
		}
	}
}

// A name that resolves to a public address first, and to a private one when the sender
// connects, is refused at that moment.
func TestSendBelievesTheLastLookUp(t *testing.T) {
	t.Parallel()
	names := &nameServer{address: [4]byte{169, 254, 169, 254}}
	sender := NewSender(Rules{}, time.Now)
	sender.dialer.Resolver = &net.Resolver{PreferGo: true, Dial: names.start(t)}
	o := sender.Send(t.Context(), &Webhook{URL: "https://rebind.example/", Secret: NewSecret()}, "event_1", nil)
	if o.Error != "events are not sent to this address" {
		t.Errorf("%+v", o)
	}
	if names.asked.Load() == 0 {
		t.Error("the name was not looked up")
	}
}

// nameServer answers every question for an address with the same one.
type nameServer struct {
	address [4]byte
	asked   atomic.Int64
}

// start serves DNS on a free port, and returns a function that dials it.
func (s *nameServer) start(t *testing.T) func(context.Context, string, string) (net.Conn, error) {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if answer := s.answer(buffer[:n]); answer != nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}
}

func (s *nameServer) answer(question []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response, m.Additionals = true, nil
	if m.Questions[0].Type == dnsmessage.TypeA {
		s.asked.Add(1)
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET},
			Body:   &dnsmessage.AResource{A: s.address},
		}}
	}
	packed, err := m.Pack()
	if err != nil {
		return nil
	}
	return packed
}

func anyPort(t *testing.T) Ports {
	t.Helper()
	p, err := ParsePorts([]string{"1-65535"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
