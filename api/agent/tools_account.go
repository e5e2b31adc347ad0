package agent

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type balance struct {
	RemainingCents      int64  `json:"remaining_cents"`
	HeldCents           int64  `json:"held_cents" jsonschema:"held for work in progress"`
	ProjectedRunCents   int64  `json:"projected_run_cents" jsonschema:"what a run holds at least; 0 where nothing is metered"`
	ProjectedBuildCents int64  `json:"projected_build_cents"`
	Plan                string `json:"plan"`
}

type getJob struct {
	ID string `json:"id" jsonschema:"of a model, simulation, analysis, run or build"`
}

type job struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Done     bool   `json:"done"`
	Progress any    `json:"progress,omitempty"`
	Error    any    `json:"error,omitempty" jsonschema:"why it failed"`
}

type share struct {
	Model       string `json:"model,omitempty" jsonschema:"symbol, id or exact name: the page follows the model; give model or run_id"`
	RunID       string `json:"run_id,omitempty" jsonschema:"a complete run, which never changes"`
	ExpiresAt   string `json:"expires_at,omitempty" jsonschema:"when the share ends by itself, such as 2027-01-31T00:00:00Z; default: never"`
	ShowScript  bool   `json:"show_script,omitempty" jsonschema:"show the inputs and the script"`
	ShowAmounts bool   `json:"show_amounts,omitempty" jsonschema:"show amounts of money; a simulation needs true"`
}

type shared struct {
	ID        string  `json:"id"`
	State     string  `json:"state"`
	ExpiresAt *string `json:"expires_at"`
	URL       string  `json:"url" jsonschema:"whoever has the address sees the page; it cannot be shown again"`
}

func addAccount(s *mcp.Server, c Config) {
	addShort(s, c, "get_balance", "Get the balance", "What the account can still spend, in cents, and what work costs.", reads,
		func(ctx context.Context, api *caller, _ struct{}) (balance, error) {
			var b balance
			err := api.get(ctx, &b, nil, "account", "billing")
			return b, err
		})
	addShort(s, c, "get_job", "Get a job", "How far work has come that another tool has started.", reads, readJob)
	addShort(s, c, "share", "Share a result", "Makes a link under which anybody sees what a model serves, or a run. PATCH and DELETE of /v1/shares pause and end it.", adds,
		func(ctx context.Context, api *caller, in share) (shared, error) {
			sent := body("model", in.Model, "run_id", in.RunID, "expires_at", in.ExpiresAt)
			sent["show_script"], sent["show_amounts"] = in.ShowScript, in.ShowAmounts
			var out shared
			err := api.post(ctx, sent, &out, "", "shares")
			return out, err
		})
}

// collections are where the objects of get_job are, by the beginning of their ids.
var collections = map[string]string{"model": "models", "simulation": "simulations", "analysis": "analyses", "run": "runs", "build": "builds"}

func readJob(ctx context.Context, api *caller, in getJob) (job, error) {
	kind, _, _ := strings.Cut(in.ID, "_")
	collection, known := collections[kind]
	if !known {
		return job{}, errString("get_job takes the id of a model, simulation, analysis, run or build, as another tool returned it; for a revision call test_draft again")
	}
	var o object
	if err := api.get(ctx, &o, nil, collection, in.ID); err != nil {
		return job{}, err
	}
	j := job{ID: in.ID, Status: o.text("status"), Progress: o.value("progress"), Error: o.value("error")}
	if run := o.object("run"); run != nil {
		j.Progress = run.value("progress")
	}
	switch collection {
	case "runs", "builds":
		j.Done = j.Status == "complete" || j.Status == "failed"
	default:
		j.Done = idle(o)
	}
	return j, nil
}
