package ballast

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func serving(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := New(s.URL+"/", "bk_test")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRequest(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/v1/models/a%2Fb/history" || r.URL.Query().Get("start_date") != "2020-01-01" || strings.Join(r.URL.Query()["include"], " ") != "returns metrics" || r.Header.Get("Authorization") != "Bearer bk_test" || r.Header.Get("Accept") != CSV {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		_, _ = io.WriteString(w, "date,return\n")
	})
	body, err := c.GetModelHistoryAs(t.Context(), "a/b", &GetModelHistoryParameters{StartDate: "2020-01-01", Include: []string{"returns", "metrics"}}, CSV)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(body)
	if err != nil || string(text) != "date,return\n" || body.Close() != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "localhost:8080", "ftp://x", "http://"} {
		if _, err := New(bad, "k"); err == nil {
			t.Errorf("the address %q was accepted", bad)
		}
	}
	var calls atomic.Int64
	c := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"error":{"type":"model_busy","message":"Wait.","request_id":"r1","details":[{"location":"body.x","message":"is bad"}]}}`)
	})
	_, err := c.PatchModel(t.Context(), "m", Fields{"labels": nil})
	var e *Error
	if !errors.As(err, &e) || e.Status != 409 || e.Type != "model_busy" || e.RequestID != "r1" || len(e.Details) != 1 || !strings.Contains(err.Error(), "body.x is bad") || calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	var first atomic.Value
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			first.Store(time.Now())
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		if waited := time.Since(first.Load().(time.Time)); waited < time.Second {
			t.Errorf("the client came back after %v", waited)
		}
		_, _ = io.WriteString(w, `{"remaining_cents":7}`)
	})
	if b, err := c.GetBilling(t.Context()); err != nil || b.RemainingCents != 7 {
		t.Errorf("%+v, %v", b, err)
	}
	far := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	var e *Error
	if _, err := far.GetBilling(t.Context()); !errors.As(err, &e) || e.RetryAfter != time.Hour {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := far.GetBilling(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestLostConnections creates models over a service that cuts connections before and
// after its work and is unavailable at random: each is made once.
func TestLostConnections(t *testing.T) {
	t.Parallel()
	const models = 1000
	var mu sync.Mutex
	made, prompts := map[string]string{}, map[string]int{}
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		trouble := rand.IntN(6)
		switch trouble {
		case 0:
			panic(http.ErrAbortHandler)
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		key := r.Header.Get("Idempotency-Key")
		mu.Lock()
		if made[key] == "" {
			made[key] = "model_" + strconv.Itoa(len(made))
			prompts[string(text)]++
		}
		id := made[key]
		mu.Unlock()
		if trouble == 2 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, `{"id":"`+id+`"}`)
	})
	c.Attempts, c.MostWait = 60, 2*time.Millisecond
	var wait sync.WaitGroup
	places := make(chan struct{}, 32)
	for i := range models {
		places <- struct{}{}
		wait.Add(1)
		go func() {
			defer func() { <-places; wait.Done() }()
			if m, err := c.CreateModel(t.Context(), &ModelCreate{Prompt: Of(strconv.Itoa(i))}); err != nil || m.ID == "" {
				t.Errorf("%d: %v", i, err)
			}
		}()
	}
	wait.Wait()
	if len(prompts) != models || len(made) != models {
		t.Errorf("%d models from %d requests", len(made), len(prompts))
	}
	for prompt, n := range prompts {
		if n != 1 {
			t.Errorf("%s was made %d times", prompt, n)
		}
	}
}

func TestUnsafeRequestsAreNotRepeated(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	c := serving(t, func(http.ResponseWriter, *http.Request) {
		calls.Add(1)
		panic(http.ErrAbortHandler)
	})
	if _, err := c.CreateKey(t.Context(), &KeyCreate{Name: "x"}); err == nil || calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}

func TestIterator(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("offset") == "4" {
			_, _ = io.WriteString(w, `{"data":[{"symbol":"E"}],"total":5}`)
			return
		}
		_, _ = io.WriteString(w, `{"data":[{"symbol":"A"},{"symbol":"B"}],"total":5}`)
	})
	var found string
	for m, err := range c.ListModelsAll(t.Context(), &ListModelsParameters{Limit: Of(int64(2))}) {
		if err != nil {
			t.Fatal(err)
		}
		found += m.Symbol
	}
	if found != "ABABE" {
		t.Errorf("%s", found)
	}
}

func TestOnce(t *testing.T) {
	t.Parallel()
	c := serving(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"id":"`+r.Header.Get("Idempotency-Key")+`"}`)
	})
	if m, err := c.CreateModel(Once(t.Context(), "mine"), &ModelCreate{}); err != nil || m.ID != "mine" {
		t.Errorf("%+v, %v", m, err)
	}
	one, err := c.CreateModel(t.Context(), &ModelCreate{})
	two, err2 := c.CreateModel(t.Context(), &ModelCreate{})
	if err != nil || err2 != nil || one.ID == two.ID || len(one.ID) != 32 {
		t.Errorf("%v %v %v %v", one, two, err, err2)
	}
}
