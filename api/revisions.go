package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ballast/internal/fault"
	"ballast/program"
)

// revisionBody is a strategy that a model has served, or the test of a draft.
type revisionBody struct {
	ID         string           `json:"id" example:"revision_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	ModelID    string           `json:"model_id"`
	Number     int              `json:"number" doc:"Of the model's revisions, from 1"`
	Label      *string          `json:"label"`
	Status     string           `json:"status" enum:"queued,running,completed,failed"`
	Kind       string           `json:"kind" enum:"script,prompt,inputs" doc:"What it changed: the script, the prompt for which its script was written, or default values of INPUTS alone"`
	Current    bool             `json:"current" doc:"The model serves it, or refreshes of it"`
	Progress   program.Progress `json:"progress"`
	Inputs     json.RawMessage  `json:"inputs" doc:"Every input with its value"`
	Script     string           `json:"script,omitempty" doc:"Of a single read alone"`
	ScriptHash *string          `json:"script_hash" doc:"SHA-256 of the script, null until it is written"`
	BaseHash   *string          `json:"base_hash" doc:"Of the strategy that it began from, null of the first"`
	RunID      *string          `json:"run_id" doc:"The run that tested it, whose history may be read; null where that was deleted"`
	BuildID    *string          `json:"build_id"`
	Error      *program.Failure `json:"error"`
	Usage      *program.Usage   `json:"usage"`
	Apply      applyBody        `json:"apply"`
	CreatedAt  time.Time        `json:"created_at"`
	FinishedAt *time.Time       `json:"finished_at"`
	AppliedAt  *time.Time       `json:"applied_at" doc:"When it became what the model serves, null where it never did"`
}

type applyBody struct {
	Eligible bool    `json:"eligible" doc:"It can become what the model serves"`
	Reason   *string `json:"reason" doc:"Why it cannot, null where it can"`
}

type revisionOutput struct{ Body *revisionBody }

type revisionsOutput struct{ Body pageBody[*revisionBody] }

type revisionsInput struct {
	ModelParameter
	PageParameters
	Event string `query:"event" enum:"changes,tests" doc:"Only those that the model has served, or only tests of drafts"`
}

// RevisionParameter names a revision.
type RevisionParameter struct {
	RevisionID string `path:"revision_id" minLength:"1" doc:"Revision id"`
}

type revisionInput struct {
	ModelParameter
	RevisionParameter
}

type labelRevisionInput struct {
	ModelParameter
	RevisionParameter
	Body revisionPatchFields `nameHint:"RevisionPatch"`
}

type revisionPatchFields struct {
	Label field[string] `json:"label,omitempty" nullable:"true" maxLength:"200" doc:"null for none"`
}

func (s *Server) registerRevisions() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/revisions", id: "list-revisions", tag: tagRevisions, status: http.StatusOK,
		summary: "List a model's revisions", description: "The newest first, failures among them, without scripts. The filter applies before paging. Owner only.",
		faults: []fault.Type{fault.NotFound},
	}, s.listRevisions)
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/revisions/{revision_id}", id: "get-revision", tag: tagRevisions, status: http.StatusOK,
		summary: "Read a revision", description: "One revision with its script, its inputs as they were frozen, its progress and usage, and whether it can be applied. Owner only.",
		faults: []fault.Type{fault.NotFound},
	}, s.getRevision)
	register(s, route{
		method: http.MethodPatch, path: "/v1/models/{model}/revisions/{revision_id}", id: "patch-revision", tag: tagRevisions, status: http.StatusOK,
		summary:     "Label a revision",
		description: "Labels a test that has ended, also one that failed. Neither the strategy nor whether it can be applied changes. Owner only.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady, fault.NotApplicable},
	}, s.labelRevision)
	register(s, route{
		method: http.MethodPost, path: "/v1/models/{model}/revisions/{revision_id}/apply", id: "apply-revision", tag: tagRevisions, status: http.StatusOK,
		summary:     "Apply a revision",
		description: "Makes the script, inputs, members and result of a successful test what the model serves, at once: nothing is generated, run or metered for it. The model must still serve the strategy that was edited. Models that hold this one are refreshed; where members or bars have moved on since the test, so is this one. Applying the current revision again changes nothing. Owner only.",
		faults: []fault.Type{
			fault.NotFound, fault.NotApplicable, fault.BaseChanged, fault.RunConflict, fault.RebuildConflict, fault.ReferenceCycle,
		},
	}, s.applyRevision)
}

func (s *Server) listRevisions(ctx context.Context, in *revisionsInput) (*revisionsOutput, error) {
	found, total, err := s.Revisions.Revisions(ctx, accountOf(ctx), in.Model, program.RevisionFilter{Event: in.Event, Limit: in.Limit, Offset: in.Offset})
	if err != nil {
		return nil, err
	}
	return &revisionsOutput{pageOf(found, total, revisionBodyOf)}, nil
}

func (s *Server) getRevision(ctx context.Context, in *revisionInput) (*revisionOutput, error) {
	return revisionAnswer(s.Revisions.Revision(ctx, accountOf(ctx), in.Model, in.RevisionID))
}

func (s *Server) labelRevision(ctx context.Context, in *labelRevisionInput) (*revisionOutput, error) {
	label := in.Body.Label.clearing()
	if !label.Given {
		return revisionAnswer(s.Revisions.Revision(ctx, accountOf(ctx), in.Model, in.RevisionID))
	}
	return revisionAnswer(s.Revisions.LabelRevision(ctx, accountOf(ctx), in.Model, in.RevisionID, label.To))
}

func (s *Server) applyRevision(ctx context.Context, in *revisionInput) (*revisionOutput, error) {
	return revisionAnswer(s.Revisions.ApplyRevision(ctx, accountOf(ctx), in.Model, in.RevisionID))
}

// revisionAnswer is a single revision, with its script.
func revisionAnswer(v *program.Revision, script string, err error) (*revisionOutput, error) {
	if err != nil {
		return nil, err
	}
	b := revisionBodyOf(v)
	b.Script = script
	return &revisionOutput{b}, nil
}

func revisionBodyOf(v *program.Revision) *revisionBody {
	b := &revisionBody{
		ID: v.ID, ModelID: v.ModelID, Number: v.Number, Label: textOrNull(v.Label), Status: string(v.Status), Kind: string(v.Kind),
		Current: v.Current, Progress: v.Progress, Inputs: inputsOf(v), ScriptHash: textOrNull(v.ScriptHash), BaseHash: textOrNull(v.BaseHash),
		RunID: textOrNull(v.RunID), BuildID: textOrNull(v.BuildID), Error: v.Failure, Usage: v.Usage,
		CreatedAt: v.CreatedAt.UTC(), FinishedAt: utc(v.FinishedAt), AppliedAt: utc(v.AppliedAt),
	}
	if v.Status == program.RunComplete {
		b.Status = "completed"
	}
	switch f := v.Unappliable(); {
	case v.Current:
		reason := "The model serves it."
		b.Apply.Reason = &reason
	case f != nil:
		b.Apply.Reason = &f.Message
	default:
		b.Apply.Eligible = true
	}
	return b
}

// inputsOf are the inputs of a revision's run: the defaults, also where the run
// is gone.
func inputsOf(v *program.Revision) json.RawMessage {
	if len(v.Inputs) > 0 {
		return v.Inputs
	}
	var schema struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	defaults := map[string]json.RawMessage{}
	if json.Unmarshal(v.InputsSchema, &schema) == nil {
		for name, p := range schema.Properties {
			defaults[name] = rawOr(p.Default, "null")
		}
	}
	text, err := json.Marshal(defaults)
	if err != nil {
		return json.RawMessage("{}") // what was JSON stays so
	}
	return text
}
