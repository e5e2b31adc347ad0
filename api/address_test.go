package api

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"ballast/api/limit"
)

// Addresses in answers are those that the caller can use.
func TestAddressesInAnswers(t *testing.T) {
	t.Parallel()
	proxied := func(c *Config) {
		c.PublicURL, c.Limits.Proxies = "", limit.Proxies{netip.MustParsePrefix("192.0.2.0/24")} // httptest's peer
	}
	unset := func(c *Config) { c.PublicURL = "" }
	for name, test := range map[string]struct {
		config  func(*Config)
		headers []string
		want    string
	}{
		"the request's":           {unset, nil, "http://example.com"},
		"configured":              {func(*Config) {}, nil, "https://ballast.example"},
		"told by a trusted proxy": {proxied, []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: models.example:8443"}, "https://models.example:8443"},
		"the nearest proxy's":     {proxied, []string{"X-Forwarded-Proto: http, https", "X-Forwarded-Host: evil.example, models.example"}, "https://models.example"},
		"told by anybody":         {unset, []string{"X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example"}, "http://example.com"},
		"no host":                 {proxied, []string{"X-Forwarded-Host: a/b?c"}, ""},
	} {
		h := newHarness(t, test.config)
		for target, field := range map[string]string{"/v1/models/SF": "url", "/v1/account/billing": "usage_help_url"} {
			got, _ := h.send(t, "GET", target, "", test.headers...).object(t)[field].(string)
			if base, _, _ := strings.Cut(strings.Replace(got, "://", ":::", 1), "/"); strings.Replace(base, ":::", "://", 1) != test.want {
				t.Errorf("%s: %s is %s", name, field, got)
			}
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	send := func(h *harness, method, target, origin string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, target, nil)
		r.Header.Set("Origin", origin)
		for _, header := range headers {
			name, value, _ := strings.Cut(header, ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	key := "Authorization: Bearer " + aliceKey
	const allowed, ask = "Access-Control-Allow-Origin", "Access-Control-Request-Method: POST"
	off := newHarness(t)
	if w := send(off, "GET", "/v1/models", "https://app.example", key); w.Header().Get(allowed) != "" {
		t.Errorf("off: %v", w.Header())
	}
	if w := send(off, "OPTIONS", "/v1/models", "https://app.example", ask); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("off: %d", w.Code)
	}
	h := newHarness(t, func(c *Config) { c.Origins = []string{"https://app.example"} })
	w := send(h, "OPTIONS", "/v1/models", "https://app.example", ask, "Access-Control-Request-Headers: authorization,content-type,idempotency-key")
	if w.Code != http.StatusNoContent || w.Header().Get(allowed) != "https://app.example" || w.Header().Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for target, status := range map[string]int{"/v1/models": 200, "/v1/models?limit=0": 422, "/v1/nothing": 404} {
		w := send(h, "GET", target, "https://app.example", key)
		if w.Code != status || w.Header().Get(allowed) != "https://app.example" || !strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "Etag") {
			t.Errorf("%s: %d %v", target, w.Code, w.Header())
		}
	}
	if w := send(h, "GET", "/v1/models", "https://other.example", key); w.Header().Get(allowed) != "" {
		t.Errorf("another origin: %v", w.Header())
	}
	for _, wrong := range []string{"app.example", "https://app.example/", "https://app.example/path", "ftp://app.example", ""} {
		if _, err := newCORS([]string{wrong}); err == nil {
			t.Errorf("%q is taken for an origin", wrong)
		}
	}
}
