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
	Number     int              `json:"number" doc:"Number among the model's revisions, from 1"`
	Label      *string          `json:"label"`
	Status     string           `json:"status" enum:"queued,running,completed,failed"`
	Kind       string           `json:"kind" enum:"script,prompt,inputs" doc:"What changed: the script, the prompt (a script was written for it), or only default values of INPUTS"`
	Current    bool             `json:"current" doc:"The model serves this revision"`
	Progress   program.Progress `json:"progress"`
	Inputs     json.RawMessage  `json:"inputs" doc:"Every input with its value"`
	Script     string           `json:"script,omitempty" doc:"Only when a single revision is read"`
	ScriptHash *string          `json:"script_hash" doc:"SHA-256 of the script; null until it is written"`
	BaseHash   *string          `json:"base_hash" doc:"SHA-256 of the script that it started from; null for the first revision"`
	RunID      *string          `json:"run_id" doc:"The run that tested it, whose history may be read; null if that run was deleted"`
	BuildID    *string          `json:"build_id"`
	Error      *program.Failure `json:"error"`
	Usage      *program.Usage   `json:"usage"`
	Apply      applyBody        `json:"apply"`
	CreatedAt  time.Time        `json:"created_at"`
	FinishedAt *time.Time       `json:"finished_at"`
	AppliedAt  *time.Time       `json:"applied_at" doc:"When the model began to serve it; null if it never did"`
}

type applyBody struct {
	Eligible bool    `json:"eligible" doc:"Whether it can be applied"`
	Reason   *string `json:"reason" doc:"Why it cannot be applied; null if it can"`
}

type revisionOutput struct{ Body *revisionBody }

type revisionsOutput struct{ Body pageBody[*revisionBody] }

type revisionsInput struct {
	ModelParameter
	PageParameters
	Event string `query:"event" enum:"changes,tests" doc:"changes: only revisions that the model has served; tests: only tests of drafts"`
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
	Label field[string] `json:"label,omitempty" nullable:"true" maxLength:"200" doc:"null removes the label"`
}

func (s *Server) registerRevisions() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/revisions", id: "list-revisions", tag: tagRevisions, status: http.StatusOK,
		summary: "List a model's revisions", description: "Lists revisions, newest first, including failed ones, without scripts. The filter applies before paging. Owner only.",
		faults: []fault.Type{fault.NotFound},
	}, s.listRevisions)
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/revisions/{revision_id}", id: "get-revision", tag: tagRevisions, status: http.StatusOK,
		summary: "Read a revision", description: "Returns one revision with its script, frozen inputs, progress and usage, and whether it can be applied. Owner only.",
		faults: []fault.Type{fault.NotFound},
	}, s.getRevision)
	register(s, route{
		method: http.MethodPatch, path: "/v1/models/{model}/revisions/{revision_id}", id: "patch-revision", tag: tagRevisions, status: http.StatusOK,
		summary:     "Label a revision",
		description: "Labels a test that has ended, even if it failed. The strategy does not change, nor whether it can be applied. Owner only.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady, fault.NotApplicable},
	}, s.labelRevision)
	register(s, route{
		method: http.MethodPost, path: "/v1/models/{model}/revisions/{revision_id}/apply", id: "apply-revision", tag: tagRevisions, status: http.StatusOK,
		summary:     "Apply a revision",
		description: "Makes the model serve the script, inputs, members and result of a successful test, at once: nothing is generated, run or metered. The model must still serve the strategy that the draft started from. Models that hold this one are refreshed; if members or bars have changed since the test, so is this model. Applying the current revision again changes nothing. Owner only.",
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

// revisionAnswer converts a single revision, with its script.
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

// inputsOf returns the inputs of a revision's run or, if the run was deleted, the
// defaults.
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
		return json.RawMessage("{}") // raw JSON that was decoded always encodes
	}
	return text
}
