package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"ballast/billing"
	"ballast/catalog"
	"ballast/internal/testenv"
	"ballast/timeseries"
)

// harness is a server over fakes, whose every answer is held against the document.
type harness struct {
	*Server
	models   *fakeModels
	catalog  *fakeCatalog
	accounts *fakeAccounts
	logs     *bytes.Buffer
	*parsed
}

// parsed is a document as validators have it. Servers of the same document
// share it, since making it takes longer than most tests.
type parsed struct {
	document *openapi3.T
	mu       sync.Mutex // of the compiler
	schemas  *jsonschema.Compiler
}

var (
	parsing sync.Mutex
	known   = map[string]*parsed{}
)

// documentOf returns the document of a server.
func documentOf(t testing.TB, s *Server) []byte {
	t.Helper()
	document, err := s.document()
	if err != nil {
		t.Fatal(err)
	}
	return document
}

var (
	plainOnce sync.Once
	plain     *parsed
)

// plainDocument returns the document of harnesses without changes, which all have the
// same: it is made once.
func plainDocument(t testing.TB, s *Server) *parsed {
	t.Helper()
	plainOnce.Do(func() { plain = parse(t, documentOf(t, s)) })
	if plain == nil {
		t.Fatal("the document could not be made")
	}
	return plain
}

func parse(t testing.TB, text []byte) *parsed {
	t.Helper()
	parsing.Lock()
	defer parsing.Unlock()
	if p := known[string(text)]; p != nil {
		return p
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatalf("load the document: %v", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	testenv.CloseSchemas(value)
	p := &parsed{document: document, schemas: jsonschema.NewCompiler()}
	p.schemas.DefaultDraft(jsonschema.Draft2020)
	p.schemas.AssertFormat()
	if err := p.schemas.AddResource(documentURL, value); err != nil {
		t.Fatal(err)
	}
	known[string(text)] = p
	return p
}

// documentURL names the document in references.
const documentURL = "https://ballast.example/v1/openapi.json"

func newHarness(t testing.TB, change ...func(*Config)) *harness {
	t.Helper()
	h := &harness{
		models: newFakeModels(),
		catalog: &fakeCatalog{asset: &catalog.Asset{
			ID: assetID, Symbol: "SPY", Name: "SPDR S&P 500", Type: "etf", Leverage: 1, InceptionDate: timeseries.NoDate,
			FirstPriceDate: timeseries.NewDate(1993, 1, 29), LastPriceDate: timeseries.NewDate(2025, 9, 26),
		}},
		accounts: &fakeAccounts{}, logs: &bytes.Buffer{},
	}
	registry := prometheus.NewRegistry()
	c := Config{
		Models: h.models, Builder: h.models, Builds: h.models, Runs: h.models, RunChanges: h.models, Drafts: h.models.drafts, Revisions: h.models.drafts, Trash: h.models,
		Histories: h.models, Studies: fakeStudies{}, Catalog: h.catalog, Credentials: h.accounts, Accounts: h.accounts, Keys: h.accounts, Sessions: h.accounts, SignIns: h.accounts, Billing: fakeBilling{}, Policy: billing.Default(), Idempotency: &fakeIdempotency{},
		PublicURL: "https://ballast.example", Logger: slog.New(slog.NewJSONHandler(h.logs, nil)),
		Registerer: registry, Gatherer: registry, Now: time.Now,
	}
	for _, f := range change {
		f(&c)
	}
	var err error
	if h.Server, err = New(c); err != nil {
		t.Fatal(err)
	}
	if len(change) == 0 {
		h.parsed = plainDocument(t, h.Server)
	} else {
		h.parsed = parse(t, documentOf(t, h.Server))
	}
	return h
}

// answer is what a request got.
type answer struct {
	*httptest.ResponseRecorder
	body string
}

// send makes a request as Alice, unless headers say otherwise ("Name: value";
// an empty value takes the header out), and validates the answer.
func (h *harness) send(t testing.TB, method, target, body string, headers ...string) answer {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, reader)
	r.Header.Set("Authorization", "Bearer "+aliceKey)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Del(name)
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := answer{w, w.Body.String()}
	if w.Header().Get("X-Request-Id") == "" {
		t.Errorf("%s %s: no X-Request-Id", method, target)
	}
	h.validate(t, r, a)
	return a
}

// validate holds an answer against the document.
func (h *harness) validate(t testing.TB, r *http.Request, a answer) {
	t.Helper()
	template := h.template(r)
	if template == "" || r.Method == http.MethodHead {
		return
	}
	item := h.parsed.document.Paths.Find(template)
	if item == nil || item.GetOperation(r.Method) == nil {
		return // a method that the path does not have
	}
	response := item.GetOperation(r.Method).Responses.Value(strconv.Itoa(a.Code))
	if response == nil {
		t.Errorf("%s %s: status %d is not documented", r.Method, template, a.Code)
		return
	}
	mediaType, _, _ := strings.Cut(a.Header().Get("Content-Type"), ";")
	if a.body == "" {
		return
	}
	if response.Value.Content.Get(mediaType) == nil {
		t.Errorf("%s %s %d: %q is not documented", r.Method, template, a.Code, mediaType)
		return
	}
	if mediaType != "application/json" {
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace
	h.mu.Lock()
	schema, err := h.schemas.Compile(fmt.Sprintf("%s#/paths/%s/%s/responses/%d/content/application~1json/schema",
		documentURL, escape(template), strings.ToLower(r.Method), a.Code))
	h.mu.Unlock()
	if err != nil {
		t.Errorf("%s %s %d: %v", r.Method, template, a.Code, err)
		return
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(a.body))
	if err != nil {
		t.Errorf("%s %s: answer is not JSON: %v", r.Method, template, err)
		return
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s %s %d: answer does not fit the document: %v", r.Method, template, a.Code, err)
	}
}

// refusal decodes an error.
func (a answer) refusal(t testing.TB) errorContent {
	t.Helper()
	var e errorBody
	if err := json.Unmarshal([]byte(a.body), &e); err != nil {
		t.Fatalf("%q is not an error: %v", a.body, err)
	}
	if e.Error.RequestID != a.Header().Get("X-Request-Id") {
		t.Errorf("request_id %q, header %q", e.Error.RequestID, a.Header().Get("X-Request-Id"))
	}
	return e.Error
}

func (a answer) object(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("%q: %v", a.body, err)
	}
	return v
}
