package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"ballast/account"
	"ballast/api/limit"
)

func limited(l Limits) func(*Config) { return func(c *Config) { c.Limits = l } }

// countingAccounts counts the look-ups of credentials.
type countingAccounts struct {
	Credentials
	asked int
}

func (c *countingAccounts) Authenticate(ctx context.Context, hash [32]byte) (*account.Identity, error) {
	c.asked++
	return c.Credentials.Authenticate(ctx, hash)
}

func TestAKeyIsLimited(t *testing.T) {
	t.Parallel()
	accounts := &countingAccounts{Credentials: &fakeAccounts{}}
	h := newHarness(t, limited(Limits{Credential: limit.Rate{PerSecond: .1, Burst: 3}}), func(c *Config) { c.Credentials = accounts })
	for range 3 {
		if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusOK {
			t.Fatalf("%d %s", a.Code, a.body)
		}
	}
	for range 10_000 {
		r := httptest.NewRequest(http.MethodGet, "/v1/account/profile", nil)
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusTooManyRequests {
			t.Fatalf("%d", w.Code)
		}
	}
	a := h.send(t, "GET", "/v1/account/profile", "")
	if seconds, err := strconv.Atoi(a.Header().Get("Retry-After")); err != nil || seconds < 1 || seconds > 10 || a.refusal(t).Type != "rate_limited" {
		t.Errorf("%d, Retry-After %q: %s", a.Code, a.Header().Get("Retry-After"), a.body)
	}
	if accounts.asked != 3 {
		t.Errorf("the store was asked %d times", accounts.asked)
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: Bearer "+bobKey); a.Code != http.StatusOK {
		t.Errorf("another's key: %d", a.Code)
	}
}

func TestAnAddressIsLimited(t *testing.T) {
	t.Parallel()
	h := newHarness(t, limited(Limits{Address: limit.Rate{PerSecond: .1, Burst: 2}}))
	for _, path := range []string{"/docs", "/nothing"} {
		h.send(t, "GET", path, "")
	}
	for range 2 {
		a := h.send(t, "GET", "/v1/account/profile", "")
		if a.Code != http.StatusTooManyRequests || a.Header().Get("Retry-After") == "" {
			t.Errorf("%d %s", a.Code, a.body)
		}
	}
	if a := h.send(t, "GET", "/healthz", ""); a.Code != http.StatusOK {
		t.Errorf("liveness: %d", a.Code)
	}
}

func TestRefusedCredentialsAreLimited(t *testing.T) {
	t.Parallel()
	accounts := &countingAccounts{Credentials: &fakeAccounts{}}
	h := newHarness(t, limited(Limits{
		Credential: limit.Rate{PerSecond: 100, Burst: 100}, Refused: limit.Rate{PerSecond: .001, Burst: 5},
	}), func(c *Config) { c.Credentials = accounts })
	if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusOK {
		t.Fatal(a.body)
	}
	codes := map[int]int{}
	for range 100 {
		codes[h.send(t, "GET", "/v1/account/profile", "", "Authorization: Bearer "+account.NewKey()).Code]++
	}
	if codes[401] != 5 || codes[429] != 95 || accounts.asked != 6 {
		t.Errorf("answers %v, %d look-ups", codes, accounts.asked)
	}
	if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusOK {
		t.Errorf("a key that was good before, from the same address: %d", a.Code)
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: Bearer "+bobKey); a.Code != http.StatusTooManyRequests {
		t.Errorf("a new key from the same address: %d", a.Code)
	}
}

// Missing, malformed and unknown keys take the same way to the same answer.
func TestCredentialsThatAreRefused(t *testing.T) {
	t.Parallel()
	accounts := &countingAccounts{Credentials: &fakeAccounts{}}
	h := newHarness(t, func(c *Config) { c.Credentials = accounts })
	want := h.send(t, "GET", "/v1/account/profile", "", "Authorization: Bearer "+account.NewKey(), "X-Request-Id: same")
	for _, header := range []string{
		"", "Bearer", "Bearer ", "Basic YTpi", aliceKey, "Bearer bk_", "Bearer " + aliceKey + "x", "Bearer " + aliceKey + " ", "Bearer " + aliceKey + " x",
		"Bearer " + aliceKey[:20] + " " + aliceKey[20:], "Bearer\t" + aliceKey, "Bearer " + strings.ToLower(aliceKey), "Bearer " + aliceKey + "," + aliceKey,
		"Bearer " + strings.Repeat("A", 10_000), "Bearer \x00" + aliceKey,
	} {
		before := accounts.asked
		got := h.send(t, "GET", "/v1/account/profile", "", "Authorization: "+header, "X-Request-Id: same")
		if got.Code != http.StatusUnauthorized || got.body != want.body || fmt.Sprint(got.Header()) != fmt.Sprint(want.Header()) {
			t.Errorf("%.80q: %d %s", header, got.Code, got.body)
		}
		if accounts.asked != before+1 {
			t.Errorf("%.80q: %d look-ups", header, accounts.asked-before)
		}
	}
	for _, header := range []string{"bearer " + aliceKey, "BEARER  " + aliceKey} { // RFC 9110 section 11.1: in any case, after spaces
		if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: "+header); a.Code != http.StatusOK {
			t.Errorf("%.20q: %d", header, a.Code)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/v1/account/profile", nil)
	r.Header["Authorization"] = []string{"Bearer " + aliceKey, "Bearer " + bobKey}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusUnauthorized {
		t.Errorf("two headers: %d", w.Code)
	}
}
