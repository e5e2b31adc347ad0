package api

import (
	"context"
	"net/http"

	"ballast/internal/fault"
	"ballast/program"
)

type startRunInput struct {
	Wait    bool            `query:"wait" default:"false" doc:"Wait for the run to end, for at most 60 seconds, and return it as it is then"`
	Include []string        `query:"include" enum:"result" doc:"With wait: include the result of the complete run"`
	Body    *startRunFields `nameHint:"RunCreate"`
}

type startRunFields struct {
	Inputs    map[string]any `json:"inputs,omitempty" doc:"Values by input; inputs that are left out take their defaults"`
	FromRunID string         `json:"from_run_id,omitempty" doc:"Start from this run's inputs and override them with inputs"`
	Label     string         `json:"label,omitempty" maxLength:"200"`
	Intent    string         `json:"intent,omitempty" enum:"test,refresh" doc:"test keeps the result separate, refresh publishes the defaults"`
	Wait      bool           `json:"wait,omitempty" doc:"Same as the query parameter"`
}

type runsInput struct {
	PageParameters
	UpdatesOnly bool `query:"updates_only" default:"false" doc:"Only routine refreshes"`
}

type runsOutput struct{ Body pageBody[*runBody] }

// registerRuns registers the operations on the runs of a program.
func (f *family[C, P, S, R]) registerRuns(s *Server) {
	start := f.one(http.MethodPost, "/runs")
	start.id, start.summary, start.tag = f.id("start", "run"), f.say("Run {a}"), f.runTag
	start.status, start.also, start.idempotent = http.StatusAccepted, map[int]string{http.StatusOK: "With wait: the finished run"}, true
	start.description = f.say("With an empty body, the {one} runs at its default inputs, and the result becomes what the {one} serves: this is the live run. With other inputs, the run is a snapshot. intent=test keeps the result separate even at the defaults; intent=refresh publishes the defaults.")
	start.faults = append(start.faults, fault.InsufficientFunds, fault.NotReady, fault.RunConflict, fault.InvalidInputs, fault.UnknownMember, fault.ReferenceCycle, fault.DailyRunLimit)
	register(s, start, func(ctx context.Context, in *startRunInput) (*runOutput, error) { return f.startRun(ctx, s, in) })

	list := f.one(http.MethodGet, "/runs")
	list.id, list.summary, list.tag = f.id("list", "runs"), f.say("List {a}'s runs"), f.runTag
	list.description = "Lists runs, newest first, without results. `live` marks the run that is served. Owner only."
	register(s, list, func(ctx context.Context, in *runsInput) (*runsOutput, error) { return f.listRuns(ctx, s, in) })
}

func (f *family[C, P, S, R]) startRun(ctx context.Context, s *Server, in *startRunInput) (*runOutput, error) {
	fields := startRunFields{}
	if in.Body != nil {
		fields = *in.Body
	}
	run, err := f.starter.StartRun(ctx, accountOf(ctx), f.ref(ctx), program.RunRequest{
		Inputs: fields.Inputs, FromRunID: fields.FromRunID, Label: fields.Label, Intent: fields.Intent,
	})
	if err != nil {
		return nil, err
	}
	out, err := s.startedRun(ctx, run, in.Wait || fields.Wait)
	if err != nil {
		return nil, err
	}
	if err := f.result(ctx, out.Body, in.Include); err != nil {
		return nil, err
	}
	return out, nil
}

func (f *family[C, P, S, R]) listRuns(ctx context.Context, s *Server, in *runsInput) (*runsOutput, error) {
	runs, total, err := f.runs.Runs(ctx, accountOf(ctx), f.ref(ctx), program.RunFilter{
		UpdatesOnly: in.UpdatesOnly, Limit: in.Limit, Offset: in.Offset,
	})
	if err != nil {
		return nil, err
	}
	return &runsOutput{pageOf(runs, total, func(r *program.Run) *runBody { return s.runBody(ctx, r) })}, nil
}
