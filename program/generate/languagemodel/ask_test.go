package languagemodel_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ballast/program/generate"
	"ballast/program/generate/languagemodel"
)

// hangsUp breaks the connection in the middle of an answer.
func hangsUp(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "5000")
	io.WriteString(w, `{"id":"msg_01","content":[{"ty`)
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func sleeps(w http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(10 * time.Second):
	}
	w.WriteHeader(http.StatusGatewayTimeout)
}

func TestPassingErrorsAreRetried(t *testing.T) {
	for _, c := range []struct {
		name     string
		trouble  func(p protocol) reaction
		from, to time.Duration // of the wait
		logged   string
	}{
		{"rate limit, in seconds", func(p protocol) reaction {
			return with(429, p.failure("rate_limit_error", "slow down"), "Retry-After", "17")
		}, 17 * time.Second, 17 * time.Second, "status=429"},
		{"rate limit, until a date", func(p protocol) reaction {
			return with(429, p.failure("rate_limit_error", "slow down"), "Retry-After", "Mon, 02 Mar 2026 10:00:30 GMT")
		}, 30 * time.Second, 30 * time.Second, "status=429"},
		{"rate limit, no time named", func(p protocol) reaction { return with(429, p.failure("rate_limit_error", "slow down")) }, 750 * time.Millisecond, time.Second, "code=rate_limit_error"},
		{"overloaded", func(p protocol) reaction { return with(529, p.failure("overloaded_error", "Overloaded")) }, 750 * time.Millisecond, time.Second, "status=529"},
		{"a broken gateway", func(protocol) reaction { return with(502, "<html>", "Content-Type", "text/html") }, 750 * time.Millisecond, time.Second, "status=502"},
		{"the connection breaks", func(protocol) reaction { return hangsUp }, 750 * time.Millisecond, time.Second, "unexpected EOF"},
		{"the JSON breaks off", func(protocol) reaction { return with(200, `{"id": "x", "cho`) }, 750 * time.Millisecond, time.Second, "cannot be asked"},
		{"no answer in time", func(protocol) reaction { return sleeps }, 750 * time.Millisecond, time.Second, "did not respond within 150ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, p protocol) {
				shelf := newShelf()
				short := func(config *languagemodel.Config) {
					if c.name == "no answer in time" {
						config.Timeout = 150 * time.Millisecond
					}
				}
				b := start(t, p, short, c.trouble(p), p.says(block(model("SPY"))))
				got, err := b.Generate(t.Context(), shelf, shelf.request("SPY, my secret wish"))
				if err != nil {
					t.Fatal(err)
				}
				if got.Rounds != 1 || got.Tokens != 1050 || len(b.requests()) != 2 || len(b.clock.slept) != 1 {
					t.Fatalf("got %+v after %d requests, slept %v", got, len(b.requests()), b.clock.slept)
				}
				if d := b.clock.slept[0]; d < c.from || d > c.to {
					t.Errorf("waited %v, want %v to %v", d, c.from, c.to)
				}
				log := b.log.String()
				contains(t, "the log", log, c.logged, "attempt=2", "tokens=1050", "model=writer-1", "provider="+p.name, "round=1", "duration_ms=", "status=200")
				if strings.Count(log, "\n") != 2 || strings.Contains(log, "secret") || strings.Contains(log, testKey) {
					t.Errorf("logged\n%s", log)
				}
			})
		})
	}
}

func TestLastingErrorsAreRetriedByTheJob(t *testing.T) {
	for _, c := range []struct {
		name     string
		headers  []string
		requests int
		most     time.Duration // of all waits
	}{
		{"backoff", nil, 5, 15 * time.Second},
		{"a wait that is too long", []string{"Retry-After", "3600"}, 1, 0},
		{"a wait without end", []string{"Retry-After", "1e300"}, 1, 0},
		{"long waits", []string{"Retry-After", "60"}, 5, 4 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, p protocol) {
				shelf := newShelf()
				b := start(t, p, nil, with(503, p.failure("api_error", "down"), c.headers...))
				_, err := b.Generate(t.Context(), shelf, shelf.request("SPY"))
				var f *generate.Failure
				if err == nil || errors.As(err, &f) {
					t.Fatalf("got %v, want an error that may pass", err)
				}
				contains(t, "the error", err.Error(), "status 503", p.name)
				if b.clock.Now().Sub(time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)) > c.most || len(b.requests()) != c.requests {
					t.Errorf("%d requests, slept %v", len(b.requests()), b.clock.slept)
				}
			})
		})
	}
}

func TestSlowFailuresUseUpRetries(t *testing.T) {
	t.Parallel()
	p, shelf := anthropicProtocol, newShelf()
	var b *bench
	b = start(t, p, nil, func(w http.ResponseWriter, r *http.Request) {
		b.clock.Sleep(r.Context(), 2*time.Minute)
		with(500, p.failure("api_error", "down"))(w, r)
	})
	if _, err := b.Generate(t.Context(), shelf, shelf.request("SPY")); err == nil || len(b.requests()) != 3 {
		t.Errorf("got %v after %d requests, want an error after 3", err, len(b.requests()))
	}
}

func TestNoServer(t *testing.T) {
	each(t, func(t *testing.T, p protocol) {
		shelf := newShelf()
		b := start(t, p, nil, p.says(""))
		b.Close()
		_, err := b.Generate(t.Context(), shelf, shelf.request("SPY"))
		var f *generate.Failure
		if err == nil || errors.As(err, &f) || len(b.clock.slept) != 4 {
			t.Fatalf("got %v after %d waits", err, len(b.clock.slept))
		}
		if strings.Contains(err.Error(), "/v1/") {
			t.Errorf("the error names the address: %v", err)
		}
	})
}

func TestWhatTheOperatorHasToMend(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		kind    string
		message string
	}{
		{"a wrong key", 401, "authentication_error", "correct generator-key"},
		{"a key without the right", 403, "permission_error", "correct generator-key"},
		{"an unknown model", 404, "not_found_error", `does not know the model "writer-1"`},
		{"a moved server", 302, "", "correct generator-url"},
		{"no credit", 402, "billing_error", "no credit left"},
		{"a wrong request", 400, "invalid_request_error", "the operator finds the reason in the log"},
		{"too large a request", 413, "request_too_large", "Shorten the description"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, p protocol) {
				shelf := newShelf()
				b := start(t, p, nil, with(c.status, p.failure(c.kind, "max_tokens: too many, said "+testKey+" {input: ...}"), "Location", "http://127.0.0.1:1/other"))
				_, err := b.Generate(t.Context(), shelf, shelf.request("SPY"))
				f := failure(t, err)
				contains(t, "the message", f.Message, c.message)
				if f.Tokens != 0 || f.Rounds != 1 || len(b.requests()) != 1 || len(b.clock.slept) != 0 {
					t.Errorf("%d requests, slept %v: %+v", len(b.requests()), b.clock.slept, f)
				}
				if all := err.Error() + b.log.String(); strings.Contains(all, testKey) || strings.Contains(all, "input:") {
					t.Errorf("the key is told:\n%s", all)
				}
				if c.status == 400 {
					contains(t, "the log", b.log.String(), "max_tokens: too many, said KEY")
				}
			})
		})
	}
}

func TestNoQuotaIsNotARateLimit(t *testing.T) {
	t.Parallel()
	p, shelf := openaiProtocol, newShelf()
	b := start(t, p, nil, with(429, `{"error":{"message":"You exceeded your quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`))
	_, err := b.Generate(t.Context(), shelf, shelf.request("SPY"))
	contains(t, "the message", failure(t, err).Message, "no credit left")
}

func TestCanceledWhileAsking(t *testing.T) {
	each(t, func(t *testing.T, p protocol) {
		shelf := newShelf()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b := start(t, p, nil, func(w http.ResponseWriter, r *http.Request) {
			cancel()
			sleeps(w, r)
		})
		begun := time.Now()
		_, err := b.Generate(ctx, shelf, shelf.request("SPY"))
		if !errors.Is(err, context.Canceled) || len(b.requests()) != 1 || time.Since(begun) > 5*time.Second {
			t.Errorf("got %v after %d requests and %v", err, len(b.requests()), time.Since(begun))
		}
	})
}

func TestCanceledWhileWaiting(t *testing.T) {
	each(t, func(t *testing.T, p protocol) {
		shelf := newShelf()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b := start(t, p, func(c *languagemodel.Config) { c.Sleep = nil }, func(w http.ResponseWriter, r *http.Request) {
			time.AfterFunc(100*time.Millisecond, cancel)
			with(429, "{}", "Retry-After", "50")(w, r)
		})
		begun := time.Now()
		_, err := b.Generate(ctx, shelf, shelf.request("SPY"))
		if !errors.Is(err, context.Canceled) || len(b.requests()) != 1 || time.Since(begun) > 5*time.Second {
			t.Errorf("got %v after %d requests and %v", err, len(b.requests()), time.Since(begun))
		}
	})
}
