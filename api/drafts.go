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
	Version      int                 `json:"version" doc:"One more with each save, 0 of a copy that was never saved"`
	BaseHash     string              `json:"base_hash" doc:"SHA-256 of the script of the strategy that is edited"`
	Script       string              `json:"script" doc:"Kept whether or not it validates"`
	Prompt       *string             `json:"prompt" doc:"Where it alone is changed, a test has a script written for it"`
	InputsSchema json.RawMessage     `json:"inputs_schema" doc:"Of the script, null while that does not validate"`
	Dirty        bool                `json:"dirty" doc:"It says something else than what the model serves"`
	Validation   *program.Validation `json:"validation" doc:"The verdict of the static checks on the script"`
	UpdatedAt    *time.Time          `json:"updated_at" doc:"null of a copy that was never saved"`
}

type draftOutput struct{ Body draftBody }

type saveDraftInput struct {
	ModelParameter
	Body draftFields `nameHint:"DraftSave"`
}

type draftFields struct {
	ExpectedVersion int           `json:"expected_version" minimum:"0" doc:"The draft's version as it was read"`
	BaseHash        string        `json:"base_hash" minLength:"1" doc:"The base_hash as it was read; where the model serves another strategy by now, that one's, to go on with the draft on it"`
	Script          field[string] `json:"script,omitempty" doc:"Left out, it stays"`
	Prompt          field[string] `json:"prompt,omitempty" maxLength:"20000" doc:"Left out, it stays"`
	Reset           field[bool]   `json:"reset,omitempty" doc:"Starts over from what the model serves; goes without script and prompt"`
}

type testDraftInput struct {
	ModelParameter
	Body struct {
		RequestKey string `json:"request_key" minLength:"1" maxLength:"200" doc:"A key of your own for this test: the same key answers the same revision, whatever the draft is by then"`
	} `nameHint:"DraftTest"`
}

func (s *Server) registerDrafts() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/draft", id: "get-draft", tag: tagRevisions, status: http.StatusOK,
		summary:     "Read a model's draft",
		description: "The saved working copy, or a copy at version 0 of what the model serves. Nothing is written. Owner only.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady},
	}, s.getDraft)
	register(s, route{
		method: http.MethodPut, path: "/v1/models/{model}/draft", id: "save-draft", tag: tagRevisions, status: http.StatusOK,
		summary:     "Save a model's draft",
		description: "Saves the working copy. What the model serves does not change, and a script is kept whether or not it validates; `validation` says what is wrong with it. `expected_version` and `base_hash` guard against edits of others: a stale one is answered with `draft_conflict`, whose details name it and what is accepted. Owner only.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady, fault.DraftConflict},
	}, s.saveDraft)
	register(s, route{
		method: http.MethodPost, path: "/v1/models/{model}/draft/test", id: "test-draft", tag: tagRevisions, status: http.StatusAccepted, idempotent: true,
		summary:     "Test a model's draft",
		description: "Freezes the draft, or what the model serves where nothing was saved, and backtests it in the background without publishing anything: poll the revision that is answered. A prompt that was changed without the script has a script written for it. A test may run beside other work on the model. The same `request_key` answers the same revision. Owner only.",
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
