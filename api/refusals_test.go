package api

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/api/transport"
	"ballast/internal/fault"
)

// refusedRequest is a request that is wrong in one way, and how it is refused.
type refusedRequest struct {
	name, method, target, body string
	headers                    []string
	status                     int
	kind                       fault.Type
	detail                     fault.Detail // the first one, where it has a location
}

// refusedRequests are refused whatever their query and body say.
var refusedRequests = []refusedRequest{
	{name: "unknown path", method: "GET", target: "/v1/nothing", status: 404, kind: fault.NotFound},
	{name: "outside of the interface", method: "GET", target: "/favicon.ico", status: 404, kind: fault.NotFound},
	{name: "wrong method", method: "PUT", target: "/v1/models", status: 405, kind: fault.MethodNotAllowed},
	{name: "no key", method: "GET", target: "/v1/models", headers: []string{"Authorization: "}, status: 401, kind: fault.Unauthenticated},
	{name: "no coding accepted", method: "GET", target: "/v1/models", headers: []string{"Accept-Encoding: *;q=0"}, status: 406, kind: fault.NotAcceptable,
		detail: fault.Detail{Location: "header.Accept-Encoding", Message: "accepts no available coding", Accepted: []string{"zstd", "gzip", "identity"}}},
	{name: "another's model", method: "GET", target: "/v1/models/SF", headers: []string{"Authorization: Bearer " + bobKey}, status: 404, kind: fault.NotFound},
	{name: "unknown asset", method: "GET", target: "/v1/assets/SPYY", status: 404, kind: fault.NotFound,
		detail: fault.Detail{Location: "path.asset", Message: "is not in the catalog", Suggestion: "SPY"}},
	{name: "unknown key to revoke", method: "DELETE", target: "/v1/account/keys/key_1", status: 404, kind: fault.NotFound},
}

// refusedBodies are refused for their bodies.
var refusedBodies = []refusedRequest{
	{name: "a body where none is taken", method: "POST", target: "/v1/runs/" + runID + "/promote", body: `{"wait":true}`, status: 422, kind: fault.InvalidBody,
		detail: fault.Detail{Location: "body", Message: "is not accepted here"}},
	{name: "an empty body where none is taken", method: "DELETE", target: "/v1/models/SF", body: `{}`, status: 422, kind: fault.InvalidBody},
	{name: "null for a required field", method: "POST", target: "/v1/models/SF/draft/test", body: `{"request_key":null}`, status: 422, kind: fault.InvalidBody,
		detail: fault.Detail{Location: "body.request_key", Message: "is null, and is required"}},
	{name: "too large", method: "POST", target: "/v1/models", body: `{"script":"` + strings.Repeat("x", transport.MaxBody+1) + `"}`, status: 413, kind: fault.PayloadTooLarge},
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
}

// refusedQueries are refused for their queries.
var refusedQueries = []refusedRequest{
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
		detail: fault.Detail{Location: "query.limit", Message: "is given more than once; send it once"}},
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
		detail: fault.Detail{Location: "query.risk_free", Message: `"NaN" is not a number above -1, up to 1, nor a column of a series, NAME.KEY`}},
	{name: "number as Go alone writes it", method: "GET", target: "/v1/models/SF/history?include=fees&management_fee=1_0", status: 422, kind: fault.InvalidParameter,
		detail: fault.Detail{Location: "query.management_fee", Message: `"1_0" is not a number from 0 to 1`}},
	{name: "empty run", method: "GET", target: "/v1/models/SF/history?run_id=", status: 422, kind: fault.InvalidParameter,
		detail: fault.Detail{Location: "query.run_id", Message: "is empty"}},
	{name: "empty benchmark", method: "GET", target: "/v1/runs/compare?run_ids=a,b&benchmark=", status: 422, kind: fault.InvalidParameter,
		detail: fault.Detail{Location: "query.benchmark", Message: "is empty"}},
	{name: "query that cannot be decoded", method: "GET", target: "/v1/models?q=%zz", status: 400, kind: fault.MalformedRequest},
	{name: "zero byte", method: "GET", target: "/v1/assets?q=%00", status: 422, kind: fault.InvalidParameter},
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range slices.Concat(refusedRequests, refusedBodies, refusedQueries) {
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
