package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ballast/program"
)

// gadgets are a family that exists here alone: it shows that what all families share
// knows nothing of models.

type createGadgetInput struct {
	Body struct {
		Script string `json:"script" minLength:"1"`
	} `nameHint:"GadgetCreate"`
}

type patchGadgetInput struct {
	Body struct {
		Name field[string] `json:"name,omitempty" minLength:"1"`
	} `nameHint:"GadgetPatch"`
}

type gadgetBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int    `json:"size" doc:"Members"`
}

type gadgetRowBody struct {
	ID string `json:"id"`
}

// newGadgetHarness is a server with one more family, over services of its own.
func newGadgetHarness(t *testing.T) (*harness, *fakeModels) {
	t.Helper()
	h, gadgets := newHarness(t), newFakeModels()
	registerFamily(h.Server, &family[createGadgetInput, patchGadgetInput, gadgetBody, gadgetRowBody]{
		path: "gadgets", words: words{one: "gadget", a: "a gadget", many: "gadgets"}, tag: tagModels, runTag: tagRuns,
		about:    about{reference: "Id or slug", tried: "wound up", patch: "Renames the gadget."},
		programs: gadgets, builder: gadgets, builds: gadgets, runs: gadgets, starter: gadgets, trash: gadgets,
		create: func(ctx context.Context, in *createGadgetInput) (*program.Sheet, error) {
			return gadgets.Create(ctx, accountOf(ctx), program.CreateRequest{Script: in.Body.Script})
		},
		patch: func(ctx context.Context, ref string, in *patchGadgetInput) (*program.Sheet, error) {
			return gadgets.Patch(ctx, accountOf(ctx), ref, program.ModelPatch{Name: in.Body.Name.change()})
		},
		sheet: func(_ context.Context, s *program.Sheet) *gadgetBody {
			return &gadgetBody{ID: s.ID, Name: s.Name, Size: len(s.Live.Members)}
		},
		row:    func(_ context.Context, s *program.Sheet) gadgetRowBody { return gadgetRowBody{ID: s.ID} },
		result: func(context.Context, *runBody, []string) error { return nil },
	})
	if err := h.makeDocument(); err != nil {
		t.Fatal(err)
	}
	var err error
	if h.literals, err = literalPaths(h.router); err != nil {
		t.Fatal(err)
	}
	h.parsed = parse(t, documentOf(t, h.Server))
	return h, gadgets
}

func TestAFamilyIsRegisteredByOneCall(t *testing.T) {
	t.Parallel()
	h, gadgets := newGadgetHarness(t)
	slug, id := gadgets.sheet.Slug, gadgets.sheet.ID
	for _, c := range []struct {
		operation, method, target, body string
		status                          int
		answer                          string // part of it
	}{
		{"list-gadgets", "GET", "/v1/gadgets?labels=a", "", 200, `{"data":[{"id":"` + id + `"}],"total":`},
		{"create-gadget", "POST", "/v1/gadgets", `{"script":"x"}`, 202, `"size":2`},
		{"get-gadget", "GET", "/v1/gadgets/" + slug, "", 200, `"name":"Sixty forty","size":2}`},
		{"patch-gadget", "PATCH", "/v1/gadgets/" + slug, `{"name":"Cog"}`, 200, `"size":2`},
		{"rebuild-gadget", "POST", "/v1/gadgets/" + slug + "/rebuild", `{"script":"y"}`, 202, `"size":2`},
		{"get-gadget-script", "GET", "/v1/gadgets/" + slug + "/script", "", 200, ""},
		{"list-gadget-builds", "GET", "/v1/gadgets/" + slug + "/builds", "", 200, `"total":`},
		{"start-gadget-run", "POST", "/v1/gadgets/" + slug + "/runs", "", 202, `"status":"queued"`},
		{"list-gadget-runs", "GET", "/v1/gadgets/" + slug + "/runs", "", 200, `"total":`},
		{"list-gadget-trash", "GET", "/v1/gadgets/trash", "", 200, `"total":`},
		{"delete-gadget", "DELETE", "/v1/gadgets/" + slug, "", 200, `"deleted":true`},
		{"restore-gadget", "POST", "/v1/gadgets/trash/" + id + "/restore", "", 200, `"size":2`},
		{"purge-gadget", "DELETE", "/v1/gadgets/trash/" + id, "", 200, `"purge_at":null`},
	} {
		a := h.send(t, c.method, c.target, c.body) // holds the answer against the document, too
		if a.Code != c.status || !strings.Contains(a.body, c.answer) {
			t.Errorf("%s: %d %s", c.operation, a.Code, a.body)
		}
		item := h.parsed.document.Paths.Find(h.template(httptest.NewRequest(c.method, c.target, nil)))
		if item == nil || item.GetOperation(c.method) == nil || item.GetOperation(c.method).OperationID != c.operation {
			t.Errorf("%s %s is not %s in the document", c.method, c.target, c.operation)
		}
	}
	if text := h.parsed.document.Paths.Find("/v1/gadgets").Post; !strings.HasPrefix(text.Description, "Stores the gadget") || !strings.Contains(text.Description, "then wound up in") {
		t.Errorf("described as %q", text.Description)
	}
	if a := h.send(t, "GET", "/v1/gadgets/no-such", ""); a.Code != http.StatusNotFound {
		t.Errorf("a gadget that is not there: %d", a.Code)
	}
	if a := h.send(t, "GET", "/v1/models/"+h.models.sheet.Slug, ""); a.Code != http.StatusOK || strings.Contains(a.body, `"size"`) {
		t.Errorf("a model beside gadgets: %d %s", a.Code, a.body)
	}
}
