package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/mux"

	"ballast/account"
	"ballast/api/transport"
	"ballast/program/shares"
)

// everyOperation configures the services that a server can do without, so that all
// operations are registered.
func everyOperation(c *Config) {
	c.Webhooks, c.Deliveries = &fakeHooks{}, &fakeHooks{}
	c.Shares = shares.New(shares.Config{})
}

// TestEveryOperationHasScopes walks the router: each operation that is not a GET is in
// the table, and the table names no other.
func TestEveryOperationHasScopes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, everyOperation)
	seen := map[string]bool{}
	document := h.api.OpenAPI()
	err := h.router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		template, err := route.GetPathTemplate()
		if err != nil || !strings.HasPrefix(template, "/v1/") {
			return err
		}
		item := document.Paths[template]
		if item == nil {
			return nil // the document itself
		}
		for _, o := range transport.Operations(item) {
			method := o.Method
			seen[o.OperationID] = true
			_, listed := operationScopes[o.OperationID]
			open := len(o.Security) == 0
			if !listed && !open && method != http.MethodGet {
				t.Errorf("%s %s: add %s to operationScopes", method, template, o.OperationID)
			}
			if open {
				continue
			}
			for _, s := range o.Security {
				for _, scopes := range s {
					if !slices.Equal(scopes, names(h.needed(method, o.OperationID))) || len(scopes) == 0 {
						t.Errorf("%s: the document says that it needs %v", o.OperationID, scopes)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range operationScopes {
		if !seen[id] {
			t.Errorf("%s has scopes, but is not an operation", id)
		}
	}
}

func TestMissingScope(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.accounts.scopes = []account.Scope{account.ScopeRead}
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", "/v1/models", "", 200, ""},
		{"POST", "/v1/models/validate", `{"prompt":"60% SPY, 40% AGG"}`, 200, ""},
		{"POST", "/v1/models", `{"prompt":"60% SPY, 40% AGG"}`, 403, "lacks the scopes run and write"},
		{"POST", "/v1/models/SF/runs", `{}`, 403, "lacks the scope run"},
		{"DELETE", "/v1/models/SF", "", 403, "lacks the scope write"},
		{"POST", "/v1/account/keys", `{"name":"more"}`, 403, "lacks the scopes run and write"},
	} {
		a := h.send(t, c.method, c.path, c.body)
		if a.Code != c.status || !strings.Contains(a.body, c.says) {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.Code, a.body)
		}
	}
	h.accounts.scopes = []account.Scope{account.ScopeRun, account.ScopeWrite}
	if a := h.send(t, "GET", "/v1/models", ""); a.Code != 403 || !strings.Contains(a.body, "lacks the scope read") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	h.accounts.scopes = nil
	limit := int64(100)
	h.accounts.dailyCap = &limit
	if a := h.send(t, "POST", "/v1/account/keys", `{"name":"more"}`); a.Code != 403 || !strings.Contains(a.body, "daily cap") {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestCreateScopedKey(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.send(t, "POST", "/v1/account/keys", `{"name":"agent","scopes":["write","read","read"],"daily_cap_cents":50}`)
	if a.Code != 201 || !strings.Contains(a.body, `"scopes":["read","write"],"daily_cap_cents":50`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	a = h.send(t, "POST", "/v1/account/keys", `{"name":"all"}`)
	if a.Code != 201 || !strings.Contains(a.body, `"scopes":["read","run","write"],"daily_cap_cents":null`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	for _, body := range []string{`{"name":"a","scopes":[]}`, `{"name":"a","scopes":["admin"]}`, `{"name":"a","daily_cap_cents":-1}`} {
		if a := h.send(t, "POST", "/v1/account/keys", body); a.Code != 422 {
			t.Errorf("%s: %d %s", body, a.Code, a.body)
		}
	}
}
