package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"ballast/api/transport"
	"ballast/internal/fault"
	"ballast/timeseries"
)

// Clients write booleans as their language does, and leave dates of a form empty.
func TestLenientQueries(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for text, want := range map[string]bool{
		"true": true, "True": true, "TRUE": true, "1": true, "false": false, "False": false, "FALSE": false, "0": false,
	} {
		a := h.send(t, "GET", "/v1/assets?max_first_price_date=&delisted="+text, "")
		if a.Code != http.StatusOK || h.catalog.filter.Delisted != want || h.catalog.filter.MaxFirstPriceDate != nil {
			t.Errorf("%s: %d %+v", text, a.Code, h.catalog.filter)
		}
	}
	h.send(t, "GET", "/v1/models/SF/history?start_date=&end_date=", "")
	if q := h.models.query; q.Start != timeseries.NoDate || q.End != timeseries.NoDate {
		t.Errorf("%+v", q)
	}
}

// The document says of dates what the service does: optional ones may be empty, in
// addresses and in bodies.
func TestTheDocumentLetsDatesBeEmpty(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	dates := 0
	for path, item := range h.Server.api.OpenAPI().Paths {
		for _, operation := range transport.Operations(item) {
			fields := map[string]*huma.Schema{}
			for _, p := range operation.Parameters {
				if p.In == "query" && !p.Required {
					fields["query."+p.Name] = p.Schema
				}
			}
			if operation.RequestBody != nil {
				schema := transport.Resolve(h.documentSchemas(), operation.RequestBody.Content["application/json"].Schema)
				for name, property := range schema.Properties {
					if !slices.Contains(schema.Required, name) {
						fields["body."+name] = property
					}
				}
			}
			for name, schema := range fields {
				if transport.DayFormat(schema) == "" {
					continue
				}
				dates++
				if schema.Format != "" || len(schema.AnyOf) != 2 || !slices.Equal(schema.AnyOf[1].Enum, []any{""}) {
					t.Errorf("%s of %s may not be empty in the document", name, path)
				}
			}
		}
	}
	if dates < 10 {
		t.Errorf("%d dates", dates)
	}
	for body, status := range map[string]int{
		`{"start_date":""}`: 200, `{"start_date":null}`: 200, `{"start_date":"2024-03-08"}`: 200, `{"start_date":"2024-13-08"}`: 422, `{"start_date":" "}`: 422, `{"start_date":5}`: 422,
	} {
		a := h.send(t, "PATCH", "/v1/models/SF", body)
		if a.Code != status {
			t.Errorf("%s: %d %s", body, a.Code, a.body)
		}
		if status != 422 {
			continue
		}
		if d := a.refusal(t).Details; len(d) != 1 || d[0].Location != "body.start_date" || d[0].Message != "is not a date written YYYY-MM-DD" {
			t.Errorf("%s: %+v", body, d)
		}
	}
}

// A head that is too large is refused in the shape of all errors, and a list of a
// thousand ids is not.
func TestLargeHeads(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	id := "," + uuid.NewString()
	for name, test := range map[string]struct {
		target  string
		headers []string
		status  int
	}{
		"a thousand ids":    {target: "/v1/models?labels=" + strings.Repeat(id, transport.MaxListed)[1:], status: 200},
		"a long address":    {target: "/v1/models?labels=" + strings.Repeat(id, transport.MaxListed)[1:] + "&status=" + strings.Repeat("x", transport.MaxHead/2), status: 431},
		"long headers":      {target: "/v1/models", headers: []string{"X-Long: " + strings.Repeat("x", transport.MaxHead)}, status: 431},
		"an export's lists": {target: "/v1/exports/bars?symbols=" + strings.Repeat("x", transport.MaxHead), status: 431},
	} {
		a := h.send(t, "GET", test.target, "", test.headers...)
		if a.Code != test.status || test.status == 431 && a.refusal(t).Type != string(fault.HeadTooLarge) {
			t.Errorf("%s: %d %s", name, a.Code, a.body)
		}
	}
}

// Null for a field that may be left out says the same as leaving it out.
func TestExplicitNulls(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for target, body := range map[string]string{
		"/v1/models":            `{"script":"def decide(ctx): ...","prompt":null,"auto_update":null,"notify_email":null}`,
		"/v1/models/SF/rebuild": `{"prompt":null,"script":null}`,
		"/v1/models/SF/runs":    `{"inputs":null,"from_run_id":null,"label":null,"intent":null,"wait":null}`,
	} {
		if a := h.send(t, "POST", target, body); a.Code != http.StatusAccepted {
			t.Errorf("%s: %d %s", target, a.Code, a.body)
		}
	}
	if got := h.models.created[0]; got.AutoUpdate == nil || !*got.AutoUpdate || got.Prompt != "" {
		t.Errorf("%+v", got)
	}
}

// Requests with fields that are not in the document are refused, and answers may
// come to have more.
func TestSchemasOfRequestsAreClosed(t *testing.T) {
	t.Parallel()
	s := newHarness(t).Server
	requests := map[*huma.Schema]bool{}
	for _, item := range s.api.OpenAPI().Paths {
		for _, o := range transport.Operations(item) {
			if o.RequestBody != nil {
				s.collect(o.RequestBody.Content["application/json"].Schema, requests)
			}
		}
	}
	for name, schema := range s.api.OpenAPI().Components.Schemas.Map() {
		if closed := schema.AdditionalProperties == false; closed != requests[schema] {
			t.Errorf("%s: closed %v, of a request %v", name, closed, requests[schema])
		}
	}
	if len(requests) < 10 {
		t.Errorf("%d schemas of requests", len(requests))
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.send(t, "GET", "/v1/models?limit=0&offset=-1&stauts=active&status=x", "")
	if got := len(a.refusal(t).Details); got != 4 {
		t.Errorf("%d details: %s", got, a.body)
	}
	a = h.send(t, "POST", "/v1/models", `{"script": 1, "prompt": 2, "x": 3}`)
	if got := len(a.refusal(t).Details); got != 3 {
		t.Errorf("%d details: %s", got, a.body)
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	var first string
	for name, header := range map[string]string{
		"missing": "", "another scheme": "Basic " + aliceKey, "no scheme": aliceKey, "malformed": "Bearer bk_short",
		"unknown": "Bearer bk_" + strings.Repeat("Z", 42) + "A", "empty": "Bearer ",
	} {
		h := newHarness(t)
		a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: "+header, "X-Request-Id: same")
		if a.Code != http.StatusUnauthorized || a.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: %d %q", name, a.Code, a.Header().Get("WWW-Authenticate"))
		}
		if first == "" {
			first = a.body
		}
		if a.body != first {
			t.Errorf("%s: %s differs from %s", name, a.body, first)
		}
	}
	h := newHarness(t)
	h.accounts.fail = fault.New(fault.Unavailable, "The database is not reachable.")
	if a := h.send(t, "GET", "/v1/account/profile", ""); a.Code != http.StatusServiceUnavailable {
		t.Errorf("while keys cannot be read: %d", a.Code)
	}
	if a := h.send(t, "GET", "/v1/account/profile", "", "Authorization: bearer "+aliceKey); a.Code != http.StatusServiceUnavailable {
		t.Errorf("scheme in lower case: %d", a.Code)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for given, kept := range map[string]bool{
		"abc-DEF_1.2": true, strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "a b": false, "a\"b": false, "ä": false,
	} {
		for _, target := range []string{"/v1/models", "/v1/nothing", "/healthz"} {
			got := h.send(t, "GET", target, "", "X-Request-Id: "+given).Header().Get("X-Request-Id")
			if (got == given) != kept || got == "" {
				t.Errorf("%s: %q became %q", target, given, got)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.send(t, "PATCH", "/v1/models", "")
	if got := a.Header().Get("Allow"); got != "GET, POST, HEAD" {
		t.Errorf("Allow %q", got)
	}
	full := h.send(t, "GET", "/v1/models", "")
	head := h.send(t, "HEAD", "/v1/models", "")
	if head.Code != http.StatusOK || head.Header().Get("ETag") != full.Header().Get("ETag") || head.Header().Get("Content-Length") != fmt.Sprint(len(full.body)) {
		t.Errorf("HEAD: %d %v", head.Code, head.Header())
	}
	if a := h.send(t, "GET", "/", ""); a.Code != http.StatusFound || a.Header().Get("Location") != "/docs" {
		t.Errorf("/: %d %s", a.Code, a.Header().Get("Location"))
	}
}

// An address with a slash at its end is the same address.
func TestTrailingSlashes(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	get := func(target string) string {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer "+aliceKey)
		r.Header.Set("X-Request-Id", "same")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return fmt.Sprint(w.Code, w.Body)
	}
	for _, target := range []string{
		"/v1/models", "/v1/models/SF", "/v1/models/SF/history", "/v1/models/trash", "/v1/runs/" + runID, "/v1/account/keys", "/docs", "/healthz",
		"/v1/models/a%2Fb", "/v1/nothing",
	} {
		if got, want := get(target+"/"), get(target); got != want {
			t.Errorf("%s/: %.200s, want %.200s", target, got, want)
		}
	}
	if got, want := get("/v1/models/?limit=1"), get("/v1/models?limit=1"); got != want {
		t.Errorf("with a query: %.200s", got)
	}
	if get("/v1/models/a%2F") == get("/v1/models/a") {
		t.Error("a slash that belongs to a name was cut off")
	}
}

func TestETags(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for _, target := range []string{"/v1/models/SF", "/v1/models/SF/history", "/v1/assets/SPY/history", "/v1/runs/" + runID} {
		first := h.send(t, "GET", target, "")
		tag := first.Header().Get("ETag")
		if first.Code != http.StatusOK || !strings.HasPrefix(tag, `"`) {
			t.Fatalf("%s: %d, ETag %s", target, first.Code, tag)
		}
		for given, status := range map[string]int{
			tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200,
		} {
			a := h.send(t, "GET", target, "", "If-None-Match: "+given)
			if a.Code != status || a.Header().Get("ETag") != tag || (status == 304) != (a.body == "") {
				t.Errorf("%s with %s: %d, %d bytes", target, given, a.Code, len(a.body))
			}
		}
	}
	before := h.send(t, "GET", "/v1/models/SF", "").Header().Get("ETag")
	h.models.sheet.Name, h.models.sheet.Symbol = "Other", "SF"
	if after := h.send(t, "GET", "/v1/models/SF", "").Header().Get("ETag"); after == before {
		t.Error("the ETag does not change with the body")
	}
}
