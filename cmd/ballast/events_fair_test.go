package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// An endpoint that accepts events and never answers only delays its own account:
// another account's event arrives as usual.
func TestADeadEndpointDelaysNobodyElse(t *testing.T) {
	data := t.TempDir()
	_, url := serveProcess(t, data, "--webhook-private", "--webhook-ports", "1-65535")
	over := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		close(over)
		dead.Close()
	})
	arrived := make(chan time.Time, 8)
	alive := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived <- time.Now() }))
	t.Cleanup(alive.Close)

	hooks := func(name string, n int, address string) (*client, []string) {
		must(t, "account", "create", name, "--data-dir", data)
		c := &client{url: url, key: must(t, "keys", "create", "--account", name, "--data-dir", data)}
		ids := make([]string, n)
		for i := range ids {
			var hook struct{ ID string }
			if err := c.do(t.Context(), "POST", "/v1/webhooks", map[string]any{
				"url": fmt.Sprintf("%s/%d", address, i), "events": []string{"run.failed"},
			}, &hook); err != nil {
				t.Fatal(err)
			}
			ids[i] = hook.ID
		}
		return c, ids
	}
	noisy, all := hooks("noisy", 5, dead.URL)
	quiet, one := hooks("quiet", 1, alive.URL)
	for i := range 30 {
		if err := noisy.do(t.Context(), "POST", "/v1/webhooks/"+all[i%len(all)]+"/test", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		began := time.Now()
		if err := quiet.do(t.Context(), "POST", "/v1/webhooks/"+one[0]+"/test", nil, nil); err != nil {
			t.Fatal(err)
		}
		select {
		case at := <-arrived:
			t.Logf("arrived after %v", at.Sub(began))
			if took := at.Sub(began); took > 2*time.Second {
				t.Errorf("the event of another account took %v", took)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("the event of another account does not arrive")
		}
	}
}
