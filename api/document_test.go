package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gorilla/mux"

	"ballast/api/console"
	"ballast/catalog/classify"
)

// template returns the path template that a request matches, or "".
func (h *harness) template(r *http.Request) string {
	var match mux.RouteMatch
	if !h.router.Match(r, &match) || match.Route == nil {
		return ""
	}
	template, _ := match.Route.GetPathTemplate()
	return template
}

func TestEveryRouteIsInTheDocument(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	routes := 0
	err := h.router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		template, err := route.GetPathTemplate()
		if err != nil {
			return err
		}
		methods, err := route.GetMethods()
		if err != nil {
			return err
		}
		if template == "/" || template == "/assets/{name}" || strings.HasPrefix(template, console.Root) { // pages for people and their scripts, which no program calls
			return nil
		}
		routes++
		item := h.parsed.document.Paths.Find(template)
		if item == nil {
			t.Errorf("%s is not in the document", template)
			return nil
		}
		for _, m := range methods {
			if item.GetOperation(m) == nil {
				t.Errorf("%s %s is not in the document", m, template)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if routes < 20 {
		t.Errorf("walked %d routes", routes)
	}
}

func TestEveryOperationOfTheDocumentIsRouted(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	for path, item := range h.parsed.document.Paths.Map() {
		for method, operation := range item.Operations() {
			r, err := http.NewRequestWithContext(t.Context(), method, strings.NewReplacer("{", "", "}", "").Replace(path), nil)
			if err != nil {
				t.Fatal(err)
			}
			if h.template(r) == "" {
				t.Errorf("%s %s is not routed", method, path)
			}
			if operation.OperationID == "" || operation.Summary == "" || operation.Description == "" || len(operation.Tags) != 1 {
				t.Errorf("%s %s lacks id, summary, description or tag", method, path)
			}
			for _, p := range operation.Parameters {
				if p.Value.Description == "" {
					t.Errorf("%s %s: parameter %s has no description", method, path, p.Value.Name)
				}
			}
		}
	}
}

// What a filter takes is in the document, also where any text is accepted.
func TestTheDocumentNamesVocabularies(t *testing.T) {
	t.Parallel()
	document := string(documentOf(t, newHarness(t).Server))
	for _, country := range classify.Countries() {
		if !strings.Contains(document, `"`+country+`"`) {
			t.Errorf("the document lacks the country %s", country)
		}
	}
	for _, d := range classify.Vocabulary() {
		for _, v := range d.Values {
			if !strings.Contains(document, `"`+d.Name+":"+v+`"`) {
				t.Errorf("the document lacks the tag %s:%s", d.Name, v)
			}
		}
	}
}

func TestTheDocumentIsValid(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	// api/e2e validates the examples against their schemas, with a validator of JSON
	// Schema 2020-12.
	if err := h.parsed.document.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if h.parsed.document.OpenAPI != "3.1.0" {
		t.Errorf("openapi %s", h.parsed.document.OpenAPI)
	}
	if strings.Contains(string(documentOf(t, h.Server)), "ErrorModel") {
		t.Error("the document still has huma's own error shape")
	}
}
