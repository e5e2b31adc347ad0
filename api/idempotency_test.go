package api

import (
	"context"
	"net/http"
	"testing"
	"time"

	"ballast/account"
	"ballast/internal/fault"
)

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const body, other = `{"script":"def decide(ctx): ..."}`, `{"script":"def decide(c): ..."}`
	first := h.send(t, "POST", "/v1/models", body, "Idempotency-Key: k1")
	again := h.send(t, "POST", "/v1/models", body, "Idempotency-Key: k1")
	if first.Code != http.StatusAccepted || again.Code != http.StatusAccepted || first.body != again.body || len(h.models.created) != 1 {
		t.Errorf("%d, %d, %d creations", first.Code, again.Code, len(h.models.created))
	}
	if a := h.send(t, "POST", "/v1/models", other, "Idempotency-Key: k1"); a.Code != http.StatusConflict || a.refusal(t).Type != "idempotency_mismatch" {
		t.Errorf("another body: %d %s", a.Code, a.body)
	}
	h.models.fail = fault.New(fault.InvalidScript, "No.")
	if a := h.send(t, "POST", "/v1/models", other, "Idempotency-Key: k2"); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("refused: %d", a.Code)
	}
	h.models.fail = nil
	if a := h.send(t, "POST", "/v1/models", other, "Idempotency-Key: k2"); a.Code != http.StatusUnprocessableEntity || a.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("what was refused for good is answered again: %d %s", a.Code, a.body)
	}
	for _, passes := range []fault.Type{fault.InsufficientFunds, fault.RunConflict, fault.DailyRunLimit, fault.Unavailable, fault.Internal} {
		key := "Idempotency-Key: " + string(passes)
		h.models.fail = fault.New(passes, "Not now.")
		h.send(t, "POST", "/v1/models", body, key)
		h.models.fail = nil
		if a := h.send(t, "POST", "/v1/models", body, key); a.Code != http.StatusAccepted || a.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("what was refused as %s may be sent again: %d %s", passes, a.Code, a.body)
		}
	}
	run := h.send(t, "POST", "/v1/models/SF/runs", "", "Idempotency-Key: k3")
	if a := h.send(t, "POST", "/v1/models/SF/runs?wait=false", "", "Idempotency-Key: k3"); a.Code != run.Code || a.body != run.body {
		t.Errorf("how a caller waits is no part of the request: %d %s", a.Code, a.body)
	}
	without := newHarness(t, func(c *Config) { c.Idempotency = nil })
	if a := without.send(t, "POST", "/v1/models", body, "Idempotency-Key: k1"); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("without a store: %d", a.Code)
	}
}

// Repeats that come while the first request is at work get its answer.
func TestConcurrentRepeats(t *testing.T) {
	t.Parallel()
	idempotency := &fakeIdempotency{}
	h := newHarness(t, func(c *Config) { c.Idempotency = idempotency })
	began, finish := make(chan struct{}), make(chan struct{})
	h.models.creating = func() {
		close(began)
		<-finish
	}
	const body = `{"script":"def decide(ctx): ..."}`
	answers := make(chan answer, 3)
	send := func() { answers <- h.send(t, "POST", "/v1/models", body, "Idempotency-Key: k") }
	go send()
	<-began
	go send()
	go send()
	idempotency.met(t, 2)
	close(finish)
	first := <-answers
	for range 2 {
		if a := <-answers; a.Code != http.StatusAccepted || a.body != first.body {
			t.Errorf("%d %s", a.Code, a.body)
		}
	}
	if n := len(h.models.created); n != 1 {
		t.Errorf("%d creations", n)
	}
}

// A repeat gives up before its caller does.
func TestRepeatsOfWhatTakesLong(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(c *Config) { c.Idempotency = stuckIdempotency{} })
	begun := time.Now()
	a := h.send(t, "POST", "/v1/models", `{"script":"def decide(ctx): ..."}`, "Idempotency-Key: k")
	if a.Code != http.StatusConflict || a.refusal(t).Type != "idempotency_in_progress" || a.Header().Get("Retry-After") == "" {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if waited := time.Since(begun); waited < firstTime {
		t.Errorf("waited %v", waited)
	}
}

// stuckIdempotency has a first request that never ends.
type stuckIdempotency struct{}

func (stuckIdempotency) Claim(context.Context, string, string, [32]byte) (*account.SavedResponse, error) {
	return nil, fault.New(fault.IdempotencyProgress, "Wait.")
}

func (stuckIdempotency) Keep(context.Context, string, string, account.SavedResponse) error {
	return nil
}

func (stuckIdempotency) Drop(context.Context, string, string) error { return nil }
