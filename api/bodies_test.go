package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ballast/api/limit"
)

// TestBodiesAreBounded refuses JSON that would take much more than its length, or
// be read in two ways, and answers with little.
func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	many := func(format string) string {
		var b strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&b, format, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	for _, c := range []struct{ name, body, want string }{
		{"deep lists", `{"inputs":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "more than 32 deep"},
		{"deep objects", strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000), "more than 32 deep"},
		{"many values", `{"inputs":{"a":[` + strings.Repeat("0,", 60_000) + `0]}}`, "more than 50000 names and values"},
		{"a long number", `{"inputs":{"a":` + strings.Repeat("9", 200) + `}}`, "a number of more than 100 characters"},
		{"a name twice", `{"label":"a","label":"b"}`, `the name "label" twice`},
		{"a name twice within", `{"inputs":{"a":1,"\u0061":2}}`, `the name "a" twice`},
		{"unknown fields", "{" + many(`"a%d":1,`) + "}", "unknown field"},
		{"unknown inputs", `{"inputs":{` + many(`"a%d":1,`) + "}}", ""},
		{"a long name", `{"` + strings.Repeat("a", 500_000) + `":1}`, "unknown field"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := h.send(t, "POST", "/v1/models/SF/runs", c.body)
			if c.want == "" {
				return
			}
			if a.Code != http.StatusUnprocessableEntity || !strings.Contains(a.body, strings.ReplaceAll(c.want, `"`, `\"`)) || len(a.body) > 100_000 {
				t.Errorf("%d, %d bytes: %.300s", a.Code, len(a.body), a.body)
			}
		})
	}
}

// TestQueriesAreBounded answers an address full of mistakes with few of them.
func TestQueriesAreBounded(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	var unknown strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&unknown, "a%d=1&", i)
	}
	for name, query := range map[string]string{
		"unknown parameters": unknown.String(), "a long list": "labels=" + strings.Repeat("a,", 1500) + "a", "a list of commas": "labels=" + strings.Repeat(",", 9000),
		"a long name": strings.Repeat("a", 20_000) + "=1",
	} {
		a := h.send(t, "GET", "/v1/models?"+query, "")
		if a.Code != http.StatusUnprocessableEntity || len(a.body) > 100_000 {
			t.Errorf("%s: %d, %d bytes: %.300s", name, a.Code, len(a.body), a.body)
		}
	}
}

// TestLongTextsCostMore counts a body against its account's rate by its length,
// whichever key sends it.
func TestLongTextsCostMore(t *testing.T) {
	t.Parallel()
	h := newHarness(t, limited(Limits{Credential: limit.Rate{PerSecond: .01, Burst: 100}}))
	body := `{"script":"` + strings.Repeat("#", 200<<10) + `"}`
	codes := map[int]int{}
	for range 5 {
		codes[h.send(t, "POST", "/v1/models/validate", body).Code]++
	}
	if codes[http.StatusOK] != 2 || codes[http.StatusTooManyRequests] != 3 { // 50 of 100 each
		t.Errorf("answers %v", codes)
	}
	if a := h.send(t, "POST", "/v1/models/validate", body); a.Header().Get("Retry-After") == "" || !strings.Contains(a.body, "bytes in bodies from this account") {
		t.Errorf("%v %s", a.Header(), a.body)
	}
	if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusOK {
		t.Errorf("a read of the same account: %d", a.Code)
	}
	if a := h.send(t, "POST", "/v1/models/validate", body, "Authorization: Bearer "+bobKey); a.Code != http.StatusOK {
		t.Errorf("another account: %d", a.Code)
	}
}
