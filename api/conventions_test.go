package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"ballast/account"
	"ballast/api/transport"
	"ballast/internal/fault"
	"ballast/timeseries"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", transport.MaxBody+1)
	for _, test := range []struct {
		name, method, target, body string
		headers                    []string
		status                     int
		kind                       fault.Type
		detail                     fault.Detail // the first one, where it has a location
	}{
		{name: "unknown path", method: "GET", target: "/v1/nothing", status: 404, kind: fault.NotFound},
		{name: "outside of the interface", method: "GET", target: "/favicon.ico", status: 404, kind: fault.NotFound},
		{name: "wrong method", method: "PUT", target: "/v1/models", status: 405, kind: fault.MethodNotAllowed},
		{name: "no key", method: "GET", target: "/v1/models", headers: []string{"Authorization: "}, status: 401, kind: fault.Unauthenticated},
		{name: "no coding accepted", method: "GET", target: "/v1/models", headers: []string{"Accept-Encoding: *;q=0"}, status: 406, kind: fault.NotAcceptable,
			detail: fault.Detail{Location: "header.Accept-Encoding", Message: "accepts no available coding", Accepted: []string{"zstd", "gzip", "identity"}}},
		{name: "a body where none is taken", method: "POST", target: "/v1/runs/" + runID + "/promote", body: `{"wait":true}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body", Message: "is not taken here"}},
		{name: "an empty body where none is taken", method: "DELETE", target: "/v1/models/SF", body: `{}`, status: 422, kind: fault.InvalidBody},
		{name: "null for a required field", method: "POST", target: "/v1/models/SF/draft/test", body: `{"request_key":null}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body.request_key", Message: "is null, and is required"}},
		{name: "too large", method: "POST", target: "/v1/models", body: `{"script":"` + long + `"}`, status: 413, kind: fault.PayloadTooLarge},
		{name: "a form", method: "POST", target: "/v1/models", body: "script=1", headers: []string{"Content-Type: application/x-www-form-urlencoded"}, status: 415, kind: fault.UnsupportedMedia,
			detail: fault.Detail{Location: "header.Content-Type", Message: `"application/x-www-form-urlencoded" is not accepted`, Accepted: []string{"application/json"}}},
		{name: "malformed body", method: "POST", target: "/v1/models", body: "{\"script\":\n  \"a\",}", status: 400, kind: fault.MalformedRequest,
			detail: fault.Detail{Location: "body", Message: "invalid character '}' looking for beginning of object key string", Line: 2, Column: 7}},
		{name: "body cut off", method: "POST", target: "/v1/models", body: `{"script":"a"`, status: 400, kind: fault.MalformedRequest,
			detail: fault.Detail{Location: "body", Message: "unexpected end of JSON input", Line: 1, Column: 13}},
		{name: "two bodies", method: "POST", target: "/v1/models", body: `{"script":"a"} {}`, status: 400, kind: fault.MalformedRequest},
		{name: "no body", method: "POST", target: "/v1/models", status: 400, kind: fault.MalformedRequest,
			detail: fault.Detail{Location: "body", Message: "is empty", Line: 1, Column: 1}},
		{name: "not UTF-8", method: "POST", target: "/v1/models", body: "{\"script\":\"\xff\"}", status: 400, kind: fault.MalformedRequest},
		{name: "an array for a body", method: "POST", target: "/v1/models", body: `[]`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body", Message: "is not an object", Accepted: []string{"auto_update", "labels", "name", "notify_email", "prompt", "script", "symbol"}}},
		{name: "unknown field", method: "POST", target: "/v1/models", body: `{"skript":"a"}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body.skript", Message: `unknown field "skript"`, Accepted: []string{"auto_update", "labels", "name", "notify_email", "prompt", "script", "symbol"}, Suggestion: "script"}},
		{name: "field in another case", method: "POST", target: "/v1/models", body: `{"Script":"a"}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body.Script", Message: `unknown field "Script"`, Accepted: []string{"auto_update", "labels", "name", "notify_email", "prompt", "script", "symbol"}, Suggestion: "script"}},
		{name: "wrong type of a field", method: "POST", target: "/v1/models", body: `{"script":7}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body.script", Message: "expected string"}},
		{name: "missing field", method: "POST", target: "/v1/session", body: `{}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body.key", Message: "is required"}},
		{name: "neither of two fields", method: "POST", target: "/v1/models/validate", body: `{}`, status: 422, kind: fault.InvalidBody},
		{name: "value outside of the list", method: "POST", target: "/v1/models/SF/runs", body: `{"intent":"tets"}`, status: 422, kind: fault.InvalidBody,
			detail: fault.Detail{Location: "body.intent", Message: `expected value to be one of "test, refresh"`, Accepted: []string{"test", "refresh"}, Suggestion: "test"}},
		{name: "limit 0", method: "GET", target: "/v1/models?limit=0", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.limit", Message: `"0" is not an integer from 1 to 200`}},
		{name: "limit 201", method: "GET", target: "/v1/assets?limit=201", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.limit", Message: `"201" is not an integer from 1 to 200`}},
		{name: "limit of a word", method: "GET", target: "/v1/models/SF/runs?limit=ten", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.limit", Message: `"ten" is not an integer from 1 to 200`}},
		{name: "limit beyond 64 bits", method: "GET", target: "/v1/models?limit=99999999999999999999", status: 422, kind: fault.InvalidParameter},
		{name: "empty limit", method: "GET", target: "/v1/models?limit=", status: 422, kind: fault.InvalidParameter},
		{name: "negative offset", method: "GET", target: "/v1/models/SF/builds?offset=-1", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.offset", Message: `"-1" is not an integer of at least 0`}},
		{name: "unknown parameter", method: "GET", target: "/v1/models/SF/runs?limt=5", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.limt", Message: `unknown query parameter "limt"`, Accepted: []string{"limit", "offset", "updates_only"}, Suggestion: "limit"}},
		{name: "a parameter where none is taken", method: "GET", target: "/v1/models/SF?x=1", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.x", Message: `unknown query parameter "x"; none is accepted here`}},
		{name: "parameter given twice", method: "GET", target: "/v1/models?limit=1&limit=2", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.limit", Message: "is given more than once and takes one value"}},
		{name: "boolean of a word", method: "GET", target: "/v1/assets?delisted=yes", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.delisted", Message: `"yes" is not a boolean`, Accepted: []string{"true", "false"}}},
		{name: "status outside of the list", method: "GET", target: "/v1/models?status=actve", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.status", Message: `"actve" is not one of the accepted values`, Accepted: []string{"building", "active", "updating", "paused", "failed"}, Suggestion: "active"}},
		{name: "label too long", method: "GET", target: "/v1/models?labels=" + strings.Repeat("x", 51), status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.labels", Message: "is longer than 50 characters"}},
		{name: "empty label", method: "GET", target: "/v1/models?labels=a,,b", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.labels", Message: "is empty"}},
		{name: "block that is not served", method: "GET", target: "/v1/models/SF/history?include=returns,tre", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.include", Message: `"tre" is not one of the accepted values`, Suggestion: "tree",
				Accepted: []string{"returns", "allocation", "positions", "holdings", "tree", "latest", "custom", "metrics", "fees", "contribution", "timing"}}},
		{name: "negative fee", method: "GET", target: "/v1/models/SF/history?include=fees&management_fee=-0.01", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.management_fee", Message: `"-0.01" is not a number from 0 to 1`}},
		{name: "day that does not exist", method: "GET", target: "/v1/models/SF/history?start_date=2024-02-30", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.start_date", Message: `"2024-02-30" is not a date written YYYY-MM-DD`}},
		{name: "window that ends before it starts", method: "GET", target: "/v1/assets/SPY/history?start_date=2024-02-02&end_date=2024-02-01", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.end_date", Message: "is before start_date"}},
		{name: "rate in percent", method: "GET", target: "/v1/models/SF/history?include=fees&management_fee=1.5", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.management_fee", Message: "1.5 is more than 1; rates are fractions: 0.04 is 4 %"}},
		{name: "risk-free rate in percent", method: "GET", target: "/v1/assets/AAA/history?include=metrics&risk_free=4", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.risk_free", Message: "4 is more than 1; rates are fractions: 0.04 is 4 %"}},
		{name: "risk-free rate that is no number", method: "GET", target: "/v1/models/SF/history?risk_free=NaN", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.risk_free", Message: `"NaN" is not a number above -1, up to 1`}},
		{name: "number as Go alone writes it", method: "GET", target: "/v1/models/SF/history?include=fees&management_fee=1_0", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.management_fee", Message: `"1_0" is not a number from 0 to 1`}},
		{name: "empty run", method: "GET", target: "/v1/models/SF/history?run_id=", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.run_id", Message: "is empty"}},
		{name: "empty benchmark", method: "GET", target: "/v1/runs/compare?run_ids=a,b&benchmark=", status: 422, kind: fault.InvalidParameter,
			detail: fault.Detail{Location: "query.benchmark", Message: "is empty"}},
		{name: "query that cannot be decoded", method: "GET", target: "/v1/models?q=%zz", status: 400, kind: fault.MalformedRequest},
		{name: "zero byte", method: "GET", target: "/v1/assets?q=%00", status: 422, kind: fault.InvalidParameter},
		{name: "another's model", method: "GET", target: "/v1/models/SF", headers: []string{"Authorization: Bearer " + bobKey}, status: 404, kind: fault.NotFound},
		{name: "unknown asset", method: "GET", target: "/v1/assets/SPYY", status: 404, kind: fault.NotFound,
			detail: fault.Detail{Location: "path.asset", Message: "is not in the catalog", Suggestion: "SPY"}},
		{name: "unknown key to revoke", method: "DELETE", target: "/v1/account/keys/key_1", status: 404, kind: fault.NotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			a := newHarness(t).send(t, test.method, test.target, test.body, test.headers...)
			e := a.refusal(t)
			if a.Code != test.status || e.Type != string(test.kind) {
				t.Fatalf("%d %s, want %d %s: %s", a.Code, e.Type, test.status, test.kind, a.body)
			}
			if test.detail.Location == "" {
				return
			}
			if len(e.Details) != 1 {
				t.Fatalf("details %+v", e.Details)
			}
			if d := cmp.Diff(test.detail, e.Details[0]); d != "" {
				t.Error(d)
			}
		})
	}
}

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
	h := newHarness(t)
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
	time.Sleep(2 * firstLook) // the repeats look and do not find the answer
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

func TestReadiness(t *testing.T) {
	t.Parallel()
	failing := func(c *Config) {
		c.Ready = map[string]Check{"database": func(context.Context) error { return errors.New("password wrong") }}
	}
	h := newHarness(t, failing)
	a := h.send(t, "GET", "/readyz", "", "Authorization: ")
	if a.Code != http.StatusServiceUnavailable || !strings.Contains(a.body, `"database":"not ready"`) || strings.Contains(a.body, "password") {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := newHarness(t).send(t, "GET", "/readyz", "", "Authorization: "); a.Code != http.StatusOK {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestAccessLogAndMetrics(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.send(t, "GET", "/v1/models/SF", "", "X-Request-Id: r1")
	h.send(t, "GET", "/v1/nothing", "")
	logs := h.logs.String()
	for _, want := range []string{`"request_id":"r1"`, `"route":"/v1/models/{model}"`, `"status":200`, `"account_id":"` + alice + `"`, `"bytes":`, `"duration":`, `"route":"unmatched"`} {
		if !strings.Contains(logs, want) {
			t.Errorf("the log lacks %s: %s", want, logs)
		}
	}
	if strings.Contains(logs, aliceKey) {
		t.Error("the log holds a key")
	}
	metrics := h.send(t, "GET", "/metrics", "", "Authorization: ").body
	for _, want := range []string{
		`ballast_http_requests_total{method="GET",route="/v1/models/{model}",status="200"} 1`,
		`ballast_http_requests_total{method="GET",route="unmatched",status="404"} 1`,
		`ballast_http_requests_in_flight 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}
