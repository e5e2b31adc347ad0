package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ballast/internal/fault"
	"ballast/program"
)

// draftBody is the working copy of a model's strategy.
type draftBody struct {
	ModelID      string              `json:"model_id"`
	Version      int                 `json:"version" doc:"Grows by one with each save; 0 if the draft was never saved"`
	BaseHash     string              `json:"base_hash" doc:"SHA-256 of the script that the draft started from"`
	Script       string              `json:"script" doc:"Kept whether or not it is valid"`
	Prompt       *string             `json:"prompt" doc:"If only the prompt is changed, a test writes a script for it"`
	InputsSchema json.RawMessage     `json:"inputs_schema" doc:"JSON Schema of the script's inputs; null while the script is not valid"`
	Dirty        bool                `json:"dirty" doc:"The draft differs from what the model serves"`
	Validation   *program.Validation `json:"validation" doc:"Result of the static checks of the script"`
	UpdatedAt    *time.Time          `json:"updated_at" doc:"null if the draft was never saved"`
}

type draftOutput struct{ Body draftBody }

type saveDraftInput struct {
	ModelParameter
	Body draftFields `nameHint:"DraftSave"`
}

type draftFields struct {
	ExpectedVersion int           `json:"expected_version" minimum:"0" doc:"The draft's version, as last read"`
	BaseHash        string        `json:"base_hash" minLength:"1" doc:"The base_hash, as last read. If the model serves another strategy by now, send the hash of that one to continue the draft on top of it"`
	Script          field[string] `json:"script,omitempty" doc:"Unchanged if left out"`
	Prompt          field[string] `json:"prompt,omitempty" maxLength:"20000" doc:"Unchanged if left out"`
	Reset           field[bool]   `json:"reset,omitempty" doc:"Starts again from what the model serves; cannot be combined with script or prompt"`
}

type testDraftInput struct {
	ModelParameter
	Body struct {
		RequestKey string `json:"request_key" minLength:"1" maxLength:"200" doc:"A key that you choose for this test: the same key returns the same revision, even if the draft has changed since"`
	} `nameHint:"DraftTest"`
}

func (s *Server) registerDrafts() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/draft", id: "get-draft", tag: tagRevisions, status: http.StatusOK,
		summary:     "Read a model's draft",
		description: "Returns the saved working copy, or a copy at version 0 of what the model serves. Nothing is written. Owner only.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady},
	}, s.getDraft)
	register(s, route{
		method: http.MethodPut, path: "/v1/models/{model}/draft", id: "save-draft", tag: tagRevisions, status: http.StatusOK,
		summary:     "Save a model's draft",
		description: "Saves the working copy. What the model serves does not change. A script is kept even if it is not valid; `validation` says what is wrong with it. `expected_version` and `base_hash` protect against overwriting another edit: if one is out of date, the response is `draft_conflict`, and its details name the field and the accepted value. Owner only.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady, fault.DraftConflict},
	}, s.saveDraft)
	register(s, route{
		method: http.MethodPost, path: "/v1/models/{model}/draft/test", id: "test-draft", tag: tagRevisions, status: http.StatusAccepted, idempotent: true,
		summary:     "Test a model's draft",
		description: "Freezes the draft (or, if none was saved, what the model serves) and backtests it in the background without publishing anything. Poll the revision in the response. If the prompt was changed but not the script, a script is written for it first. A test may run at the same time as other work on the model. The same `request_key` returns the same revision. Owner only.",
		faults: []fault.Type{
			fault.InsufficientFunds, fault.NotFound, fault.NotReady, fault.DraftConflict, fault.BaseChanged, fault.SymbolTaken,
			fault.InvalidScript, fault.UnknownMember, fault.ReferenceCycle,
		},
	}, s.testDraft)
}

func (s *Server) getDraft(ctx context.Context, in *ModelParameter) (*draftOutput, error) {
	d, err := s.Drafts.Draft(ctx, accountOf(ctx), in.Model)
	if err != nil {
		return nil, err
	}
	return &draftOutput{draftBodyOf(d)}, nil
}

func (s *Server) saveDraft(ctx context.Context, in *saveDraftInput) (*draftOutput, error) {
	b := in.Body
	d, err := s.Drafts.SaveDraft(ctx, accountOf(ctx), in.Model, program.DraftEdit{
		ExpectedVersion: b.ExpectedVersion, BaseHash: b.BaseHash, Script: b.Script.Value, Prompt: b.Prompt.Value,
		Reset: b.Reset.Value != nil && *b.Reset.Value,
	})
	if err != nil {
		return nil, err
	}
	return &draftOutput{draftBodyOf(d)}, nil
}

func (s *Server) testDraft(ctx context.Context, in *testDraftInput) (*revisionOutput, error) {
	v, err := s.Drafts.TestDraft(ctx, accountOf(ctx), in.Model, in.Body.RequestKey)
	if err != nil {
		return nil, err
	}
	return &revisionOutput{revisionBodyOf(v)}, nil
}

func draftBodyOf(d *program.Draft) draftBody {
	b := draftBody{
		ModelID: d.ModelID, Version: d.Version, BaseHash: d.BaseHash, Script: d.Script, Prompt: textOrNull(d.Prompt),
		InputsSchema: json.RawMessage("null"), Dirty: d.Dirty, Validation: d.Validation, UpdatedAt: utc(d.UpdatedAt),
	}
	if d.Validation != nil {
		b.InputsSchema = rawOr(d.Validation.InputsSchema, "null")
	}
	return b
}
