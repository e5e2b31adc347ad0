package api

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ballast/catalog"
)

// waitingCatalog answers no list until the test releases it.
type waitingCatalog struct {
	Catalog
	asked chan struct{}
	held  chan struct{}
}

func (c waitingCatalog) Assets(ctx context.Context, _ catalog.Filter) (*catalog.Page, error) {
	c.asked <- struct{}{}
	select {
	case <-c.held:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return &catalog.Page{}, nil
}

// An account may have a fixed number of requests at the same time. What it leaves waiting keeps
// its own further ones out, and nobody else's.
func TestConcurrentRequestsOfAnAccountAreLimited(t *testing.T) {
	t.Parallel()
	slow := waitingCatalog{asked: make(chan struct{}), held: make(chan struct{})}
	h := newHarness(t, limited(Limits{AtOnce: 3}), func(c *Config) {
		slow.Catalog = c.Catalog
		c.Catalog = slow
	})
	answers := make(chan int, 3)
	for range 3 {
		go func() {
			r := httptest.NewRequest(http.MethodGet, "/v1/assets", nil)
			r.Header.Set("Authorization", "Bearer "+aliceKey)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			answers <- w.Code
		}()
		<-slow.asked
	}
	a := h.send(t, "GET", "/v1/account/profile", "")
	if a.Code != http.StatusTooManyRequests || a.refusal(t).Type != "rate_limited" || a.Header().Get("Retry-After") != "1" {
		t.Errorf("a fourth request: %d %s", a.Code, a.body)
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: Bearer "+bobKey); a.Code != http.StatusOK {
		t.Errorf("another account's: %d", a.Code)
	}
	close(slow.held)
	for range 3 {
		if code := <-answers; code != http.StatusOK {
			t.Errorf("one that waited: %d", code)
		}
	}
	if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusOK {
		t.Errorf("afterwards: %d", a.Code)
	}
}

// A body that comes byte by byte holds a place of its sender's account, and no
// longer than bodies may take.
func TestASlowBodyHoldsAPlaceOfItsSender(t *testing.T) {
	t.Parallel()
	h := newHarness(t, limited(Limits{AtOnce: 1}))
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /v1/models HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\nAuthorization: Bearer %s\r\n\r\n", aliceKey)
	// The server asks for the body when the request has its place.
	asked, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(asked, "100 Continue") {
		t.Fatalf("%q, %v", asked, err)
	}
	fmt.Fprint(conn, "{")
	if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusTooManyRequests {
		t.Errorf("a second request: %d", a.Code)
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: Bearer "+bobKey); a.Code != http.StatusOK {
		t.Errorf("another account's: %d", a.Code)
	}
	conn.Close()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		a := h.send(t, "GET", "/v1/account/profile", "")
		if a.Code == http.StatusOK {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after the sender has gone: %d", a.Code)
		}
	}
}
