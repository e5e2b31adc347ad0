package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type saveDraft struct {
	Model  string `json:"model" jsonschema:"symbol, id or exact name"`
	Prompt string `json:"prompt,omitempty" jsonschema:"the whole strategy in new words; give prompt or script or reset"`
	Script string `json:"script,omitempty" jsonschema:"the whole new script"`
	Reset  bool   `json:"reset,omitempty" jsonschema:"start again from what the model serves"`
	Size
}

type testDraft struct {
	Model string `json:"model" jsonschema:"symbol, id or exact name"`
	Size
}

type applyRevision struct {
	Model      string `json:"model" jsonschema:"symbol, id or exact name"`
	RevisionID string `json:"revision_id" jsonschema:"as test_draft returned it"`
}

type applied struct {
	RevisionID string `json:"revision_id"`
	Number     int    `json:"number"`
	RunID      string `json:"run_id" jsonschema:"the run that the model serves now"`
	Model      string `json:"model"`
}

func addDrafts(s *mcp.Server, c Config) {
	add(s, c, "save_draft", "Save a draft", "Replaces the draft of a model's strategy. The model stays as it is until a tested draft is applied.", changes,
		func(ctx context.Context, api *caller, in saveDraft) (map[string]any, error) {
			d, err := api.draft(ctx, in.Model)
			if err != nil {
				return nil, err
			}
			sent := body("prompt", in.Prompt, "script", in.Script)
			sent["expected_version"], sent["base_hash"] = d.Version, d.BaseHash
			if in.Reset {
				sent["reset"] = true
			}
			var saved object
			if err := api.do(ctx, http.MethodPut, address(nil, "models", in.Model, "draft"), sent, "", &saved); err != nil {
				return nil, err
			}
			out := saved.pick("model_id", "version", "dirty", "validation", "prompt")
			out["next"] = "test_draft runs it; nothing is published."
			out["more"] = api.base + address(nil, "models", in.Model, "draft")
			return out, nil
		})
	add(s, c, "test_draft", "Test a draft", "Backtests the draft of a model, waits, and returns its figures beside those that the model serves. Testing the same draft again returns the same revision. Costs a build.", adds,
		func(ctx context.Context, api *caller, in testDraft) (map[string]any, error) {
			d, err := api.draft(ctx, in.Model)
			if err != nil {
				return nil, err
			}
			var r object
			key := fmt.Sprintf("agent %s %d", d.BaseHash, d.Version)
			if err := api.post(ctx, map[string]string{"request_key": key}, &r, "", "models", in.Model, "draft", "test"); err != nil {
				return nil, err
			}
			id := r.text("id")
			ended := func(r object) bool { return r.text("status") == "completed" || r.text("status") == "failed" }
			if r, err = api.settled(ctx, c.Wait, r, ended, "models", in.Model, "revisions", id); err != nil {
				return nil, err
			}
			out := r.pick("id", "number", "status", "error", "apply", "run_id")
			switch {
			case !ended(r):
				out["next"] = "The test goes on. Call test_draft again to wait for it."
			case r.text("status") == "completed":
				if out["draft"], err = api.figures(ctx, in.Model, map[string][]string{"run_id": {r.text("run_id")}}); err != nil {
					return nil, err
				}
				if out["served"], err = api.figures(ctx, in.Model, nil); err != nil {
					return nil, err
				}
				out["next"] = "apply_revision with this id makes the model serve it."
			}
			out["more"] = api.base + address(nil, "models", in.Model, "revisions", id)
			return out, nil
		})
	addShort(s, c, "apply_revision", "Apply a revision", "Makes a model serve a tested revision instead of its present strategy. The former one stays a revision that can be applied again.", changes,
		func(ctx context.Context, api *caller, in applyRevision) (applied, error) {
			var r struct {
				ID      string `json:"id"`
				Number  int    `json:"number"`
				RunID   string `json:"run_id"`
				ModelID string `json:"model_id"`
			}
			err := api.post(ctx, nil, &r, "", "models", in.Model, "revisions", in.RevisionID, "apply")
			return applied{r.ID, r.Number, r.RunID, r.ModelID}, err
		})
}

// draft is what is needed to save or test a draft.
type draft struct {
	Version  int             `json:"version"`
	BaseHash string          `json:"base_hash"`
	Dirty    json.RawMessage `json:"dirty"`
}

func (c *caller) draft(ctx context.Context, model string) (d draft, err error) {
	err = c.get(ctx, &d, nil, "models", model, "draft")
	return d, err
}
