package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/program"
)

const revisionID = "revision_00000000000070008000000000000001"

// fakeDrafts answers from memory.
type fakeDrafts struct {
	models   *fakeModels
	draft    *program.Draft
	revision *program.Revision
	edit     program.DraftEdit
	filter   program.RevisionFilter
	key      string
	label    *string
	applied  int
}

func newFakeDrafts(m *fakeModels) *fakeDrafts {
	return &fakeDrafts{
		models: m,
		draft: &program.Draft{
			ModelID: modelID, BaseHash: "aa", Script: "def decide(ctx): ...",
			Validation: &program.Validation{Valid: true, HarnessVersion: "1.0", InputsSchema: json.RawMessage(`{"type":"object"}`)},
		},
		revision: &program.Revision{
			ID: revisionID, AccountID: alice, ModelID: modelID, Number: 2, Kind: program.RevisionInputs, Status: program.RunComplete,
			Tested: true, ScriptHash: "bb", BaseHash: "aa", Strategy: "aa", RunID: runID, BuildID: buildID,
			Inputs: json.RawMessage(`{"weight":0.5}`), Progress: program.Progress{Step: "done", Done: 1, Total: 1},
			InputsSchema: json.RawMessage(`{"properties":{"weight":{"default":0.5},"start_date":{"default":null}}}`),
			Usage:        &program.Usage{Units: 2, Base: 1, Seconds: 1}, CreatedAt: epoch, FinishedAt: &epoch,
		},
	}
}

func (f *fakeDrafts) Draft(_ context.Context, accountID, ref string) (*program.Draft, error) {
	_, err := f.models.answer(accountID, ref)
	return f.draft, err
}

func (f *fakeDrafts) SaveDraft(ctx context.Context, accountID, ref string, e program.DraftEdit) (*program.Draft, error) {
	f.edit = e
	return f.Draft(ctx, accountID, ref)
}

func (f *fakeDrafts) TestDraft(_ context.Context, accountID, ref, key string) (*program.Revision, error) {
	f.key = key
	_, err := f.models.answer(accountID, ref)
	return f.revision, err
}

func (f *fakeDrafts) Revisions(_ context.Context, accountID, ref string, filter program.RevisionFilter) ([]*program.Revision, int, error) {
	f.filter = filter
	_, err := f.models.answer(accountID, ref)
	return []*program.Revision{f.revision}, 1, err
}

func (f *fakeDrafts) Revision(_ context.Context, accountID, ref, revision string) (*program.Revision, string, error) {
	_, err := f.models.answer(accountID, ref)
	if err == nil && revision != revisionID {
		err = fault.New(fault.NotFound, "There is no revision %q.", revision)
	}
	return f.revision, "def decide(ctx): ...", err
}

func (f *fakeDrafts) LabelRevision(ctx context.Context, accountID, ref, revision, label string) (*program.Revision, string, error) {
	f.label = &label
	return f.Revision(ctx, accountID, ref, revision)
}

func (f *fakeDrafts) ApplyRevision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error) {
	f.applied++
	return f.Revision(ctx, accountID, ref, revision)
}

func TestDraftsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	got := h.send(t, "GET", "/v1/models/SF/draft", "").object(t)
	if got["version"] != 0.0 || got["prompt"] != nil || got["updated_at"] != nil || got["dirty"] != false || got["inputs_schema"].(map[string]any)["type"] != "object" {
		t.Errorf("%v", got)
	}
	h.models.drafts.draft.Validation = &program.Validation{HarnessVersion: "1.0", Errors: []program.Problem{{Rule: "syntax", Line: 1, Column: 1, Message: "m"}}}
	if got = h.send(t, "GET", "/v1/models/SF/draft", "").object(t); got["inputs_schema"] != nil {
		t.Errorf("%v", got)
	}
	text, prompt := "s", "p"
	for _, test := range []struct {
		body string
		want program.DraftEdit
	}{
		{`{"expected_version":3,"base_hash":"aa"}`, program.DraftEdit{ExpectedVersion: 3, BaseHash: "aa"}},
		{`{"expected_version":3.0,"base_hash":"<&>"}`, program.DraftEdit{ExpectedVersion: 3, BaseHash: "<&>"}},
		{`{"expected_version":2e1,"base_hash":"aa"}`, program.DraftEdit{ExpectedVersion: 20, BaseHash: "aa"}},
		{`{"expected_version":0,"base_hash":"aa","script":"s","prompt":"p","reset":false}`, program.DraftEdit{BaseHash: "aa", Script: &text, Prompt: &prompt}},
		{`{"expected_version":0,"base_hash":"aa","script":null,"prompt":null,"reset":null}`, program.DraftEdit{BaseHash: "aa"}},
		{`{"expected_version":0,"base_hash":"aa","reset":true}`, program.DraftEdit{BaseHash: "aa", Reset: true}},
	} {
		if a := h.send(t, "PUT", "/v1/models/SF/draft", test.body); a.Code != http.StatusOK {
			t.Errorf("%s: %d %s", test.body, a.Code, a.body)
		}
		if d := cmp.Diff(test.want, h.models.drafts.edit); d != "" {
			t.Errorf("%s: %s", test.body, d)
		}
	}
	for _, body := range []string{
		``, `{}`, `{"expected_version":1}`, `{"expected_version":-1,"base_hash":"a"}`, `{"expected_version":null,"base_hash":"a"}`,
		`{"expected_version":1,"base_hash":"a","inputs":{}}`, `{"expected_version":1.5,"base_hash":"a"}`,
	} {
		if a := h.send(t, "PUT", "/v1/models/SF/draft", body); a.Code != http.StatusUnprocessableEntity && a.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.Code, a.body)
		}
	}
}

func TestRevisionsOnTheWire(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	d := h.models.drafts
	if a := h.send(t, "POST", "/v1/models/SF/draft/test", `{"request_key":"one"}`); a.Code != http.StatusAccepted || d.key != "one" || strings.Contains(a.body, `"script"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	for _, body := range []string{``, `{}`, `{"request_key":""}`, `{"request_key":null}`} {
		if a := h.send(t, "POST", "/v1/models/SF/draft/test", body); a.Code != http.StatusUnprocessableEntity && a.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.Code, a.body)
		}
	}
	if a := h.send(t, "GET", "/v1/models/SF/revisions?limit=3&offset=2&event=tests", ""); a.Code != http.StatusOK || strings.Contains(a.body, `"script"`) {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if diff := cmp.Diff(program.RevisionFilter{Event: "tests", Limit: 3, Offset: 2}, d.filter); diff != "" {
		t.Error(diff)
	}
	if a := h.send(t, "GET", "/v1/models/SF/revisions?event=failures", ""); a.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d %s", a.Code, a.body)
	}
	path := "/v1/models/SF/revisions/" + revisionID
	got := h.send(t, "GET", path, "").object(t)
	if got["script"] != "def decide(ctx): ..." || got["status"] != "completed" || got["label"] != nil || got["applied_at"] != nil {
		t.Errorf("%v", got)
	}
	if diff := cmp.Diff(map[string]any{"eligible": true, "reason": nil}, got["apply"]); diff != "" {
		t.Error(diff)
	}
	if a := h.send(t, "PATCH", path, `{"label":"slow"}`); a.Code != http.StatusOK || *d.label != "slow" {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := h.send(t, "PATCH", path, `{"label":null}`); a.Code != http.StatusOK || *d.label != "" {
		t.Errorf("%d %s", a.Code, a.body)
	}
	d.label = nil
	if a := h.send(t, "PATCH", path, `{}`); a.Code != http.StatusOK || d.label != nil {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := h.send(t, "POST", path+"/apply", ""); a.Code != http.StatusOK || d.applied != 1 {
		t.Errorf("%d %s", a.Code, a.body)
	}
	if a := h.send(t, "GET", "/v1/models/SF/revisions/"+runID, ""); a.Code != http.StatusNotFound {
		t.Errorf("%d %s", a.Code, a.body)
	}
}

func TestRevisionsThatDoNotApply(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	v := h.models.drafts.revision
	v.RunID, v.Inputs = "", nil
	got := h.send(t, "GET", "/v1/models/SF/revisions/"+revisionID, "").object(t)
	apply := got["apply"].(map[string]any)
	if reason, _ := apply["reason"].(string); apply["eligible"] != false || !strings.Contains(reason, "was deleted") || got["run_id"] != nil {
		t.Errorf("%v", got)
	}
	if diff := cmp.Diff(map[string]any{"weight": .5, "start_date": nil}, got["inputs"]); diff != "" {
		t.Error(diff)
	}
	v.Current = true
	if apply = h.send(t, "GET", "/v1/models/SF/revisions/"+revisionID, "").object(t)["apply"].(map[string]any); apply["eligible"] != false || apply["reason"] != "The model serves it." {
		t.Errorf("%v", apply)
	}
}
