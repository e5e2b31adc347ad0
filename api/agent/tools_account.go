package agent

import (
	"context"
	"net/http"
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
	RunID  string `json:"run_id" jsonschema:"a complete run"`
	Shared *bool  `json:"shared,omitempty" jsonschema:"false ends sharing; default true"`
}

type shared struct {
	RunID  string `json:"run_id"`
	Shared bool   `json:"shared"`
	URL    string `json:"url" jsonschema:"the page; everybody who has the address can read it while the run is shared"`
}

func addAccount(s *mcp.Server, c Config) {
	addShort(s, c, "get_balance", "Get the balance", "What the account can still spend, in cents, and what work costs.", reads,
		func(ctx context.Context, api *caller, _ struct{}) (balance, error) {
			var b balance
			err := api.get(ctx, &b, nil, "account", "billing")
			return b, err
		})
	addShort(s, c, "get_job", "Get a job", "How far work has come that another tool has started.", reads, readJob)
	addShort(s, c, "share", "Share a run", "Lets everybody who has the address read a run's page, or ends that.", changes,
		func(ctx context.Context, api *caller, in share) (shared, error) {
			on := in.Shared == nil || *in.Shared
			var r struct {
				ID     string `json:"id"`
				Shared bool   `json:"shared"`
			}
			err := api.do(ctx, http.MethodPatch, address(nil, "runs", in.RunID), map[string]bool{"shared": on}, "", &r)
			return shared{r.ID, r.Shared, api.base + "/run/" + r.ID}, err
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
