package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ballast/internal/testenv"
)

// TestEveryTextCostsInProportion sends each kind of text that a caller gives, made
// of many short fragments, and holds time and memory to its length: the table
// "Limits of texts" of docs/access.md. It runs beside no other test, since it
// counts what the process allocates.
func TestEveryTextCostsInProportion(t *testing.T) { //nolint:paralleltest // see above
	h := newHarness(t)
	const head, body = 28 << 10, 800_000
	send := func(method, target, body, header string) {
		r := httptest.NewRequest(method, "/v1/models", strings.NewReader(body))
		path, query, _ := strings.Cut(target, "?")
		r.URL.Path, r.URL.RawQuery = path, query
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		if name, value, ok := strings.Cut(header, ": "); ok {
			r.Header.Set(name, value)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	for _, name := range []string{"Accept", "Accept-Encoding", "If-None-Match", "Authorization", "Idempotency-Key", "X-Request-Id", "X-Forwarded-For", "Cookie", "Origin", "Content-Type"} {
		for _, fragment := range []string{"a/b,", "a;q=0.1,", `"a",`, "*/*;q=.1,", "a=b; ", "a", ",", `W/"`, ";"} {
			text := func(n int) string { return name + ": " + strings.Repeat(fragment, n/len(fragment)) }
			method, target, given := http.MethodGet, "/v1/models", ""
			if name == "Content-Type" || name == "Idempotency-Key" {
				method, target, given = http.MethodPost, "/v1/models/validate", `{"script":"x"}`
			}
			testenv.Linear(inCase{t, name + " of " + fragment}, text(head/8), text(head), 1000, func(text string) { send(method, target, given, text) })
		}
	}
	for _, fragment := range []string{"labels=a&", "a=&", "labels=%2C&", "&", "%41", "q=a&", "a;", "include=a,"} {
		for _, path := range []string{"/v1/models?", "/v1/assets?", "/v1/assets?q=", "/v1/assets?tags=", "/v1/models?labels=", "/v1/exports/bars?symbols=", "/v1/runs/compare?run_ids="} {
			text := func(n int) string { return path + strings.Repeat(fragment, n/len(fragment)) }
			testenv.Linear(inCase{t, path + " with " + fragment}, text(head/8), text(head), 1000, func(text string) { send(http.MethodGet, text, "", "") })
		}
	}
	for _, to := range []struct{ method, path string }{
		{http.MethodPost, "/v1/models"}, {http.MethodPost, "/v1/models/validate"}, {http.MethodPost, "/v1/models/SF/runs"}, {http.MethodPatch, "/v1/models/SF"},
		{http.MethodPost, "/v1/webhooks"}, {http.MethodPost, "/v1/backfills"}, {http.MethodPut, "/v1/models/SF/draft"}, {http.MethodPost, "/v1/session"},
	} {
		for _, frame := range []string{
			"@", `{"inputs":{@}}`, `{"inputs":{"a":[@]}}`, `{"labels":[@]}`, `{"events":[@]}`, `{"sources":[@]}`, `{"key":"@"}`, `{"script":"@"}`, `{"name":"@"}`,
		} {
			for _, fragment := range []string{"[", `{"a":`, `"a":1,`, `"a",`, "1,", "9", "{},", "[],", `\u0061`, "x", "1e5,", " "} {
				text := func(n int) string { return strings.Replace(frame, "@", strings.Repeat(fragment, n/len(fragment)), 1) }
				testenv.Linear(inCase{t, to.path + " with " + fragment + " in " + frame}, text(body/64), text(body/8), 300,
					func(text string) { send(to.method, to.path, text, "") })
			}
		}
	}
}

// inCase reports which of many texts an error is about.
type inCase struct {
	testing.TB
	name string
}

func (c inCase) Error(args ...any) {
	c.Helper()
	c.Errorf("%s: %v", c.name, args)
}
