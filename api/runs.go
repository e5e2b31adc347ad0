package api

import (
	"context"
	"net/http"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

type startRunInput struct {
	ModelParameter
	Wait    bool            `query:"wait" default:"false" doc:"Answer when the run has ended, or after 60 seconds as it is then"`
	Include []string        `query:"include" enum:"result" doc:"With wait, the result of the complete run"`
	Body    *startRunFields `nameHint:"RunCreate"`
}

type startRunFields struct {
	Inputs    map[string]any `json:"inputs,omitempty" doc:"Values by input; keys left out take their defaults"`
	FromRunID string         `json:"from_run_id,omitempty" doc:"Start from this run's inputs, with inputs laid over them"`
	Label     string         `json:"label,omitempty" maxLength:"200"`
	Intent    string         `json:"intent,omitempty" enum:"test,refresh" doc:"test isolates the result, refresh publishes the defaults"`
	Wait      bool           `json:"wait,omitempty" doc:"As the query parameter"`
}

type runOutput struct {
	Status int
	Body   *runBody
}

type runsInput struct {
	ModelParameter
	PageParameters
	UpdatesOnly bool `query:"updates_only" default:"false" doc:"Only routine refreshes"`
}

type runsOutput struct{ Body pageBody[*runBody] }

type runInput struct {
	RunParameter
	Include []string `query:"include" enum:"result" doc:"The stored backtest history"`
}

func (s *Server) registerRuns() {
	register(s, route{
		method: http.MethodPost, path: "/v1/models/{model}/runs", id: "start-run", tag: tagRuns, status: http.StatusAccepted,
		also: map[int]string{http.StatusOK: "The finished run, with wait"}, idempotent: true,
		summary:     "Run a model",
		description: "An empty body runs the defaults: that is the live run, whose result becomes what the model serves. With inputs off the defaults the run is a snapshot. intent=test isolates the result even at the defaults; intent=refresh publishes the defaults.",
		faults: []fault.Type{
			fault.InsufficientFunds, fault.NotFound, fault.NotReady, fault.RunConflict,
			fault.InvalidInputs, fault.UnknownMember, fault.ReferenceCycle, fault.DailyRunLimit,
		},
	}, s.startRun)
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/runs", id: "list-runs", tag: tagRuns, status: http.StatusOK,
		summary: "List a model's runs", description: "The newest first, without results. `live` marks the served run. Owner only.",
		faults: []fault.Type{fault.NotFound},
	}, s.listRuns)
	register(s, route{
		method: http.MethodGet, path: "/v1/runs/{run_id}", id: "get-run", tag: tagRuns, status: http.StatusOK,
		summary: "Read a run", description: "One of the caller's runs, or a shared one. Of a shared run others read neither usage nor tracebacks.", faults: []fault.Type{fault.NotFound},
	}, s.getRun)
	register(s, route{
		method: http.MethodDelete, path: "/v1/runs/{run_id}", id: "delete-run", tag: tagRuns, status: http.StatusOK,
		summary:     "Delete a run",
		description: "Removes an ended run and its result for good. Runs that a model serves, or that what other models serve was computed on, stay.",
		faults:      []fault.Type{fault.NotFound, fault.RunLive, fault.RunInFlight},
	}, s.deleteRun)
}

func (s *Server) startRun(ctx context.Context, in *startRunInput) (*runOutput, error) {
	fields := startRunFields{}
	if in.Body != nil {
		fields = *in.Body
	}
	run, err := s.RunChanges.StartRun(ctx, accountOf(ctx), in.Model, program.RunRequest{
		Inputs: fields.Inputs, FromRunID: fields.FromRunID, Label: fields.Label, Intent: fields.Intent,
	})
	if err != nil {
		return nil, err
	}
	out, err := s.startedRun(ctx, run, in.Wait || fields.Wait)
	if err != nil {
		return nil, err
	}
	if err := s.addResult(ctx, out.Body, in.Include); err != nil {
		return nil, err
	}
	return out, nil
}

// startedRun answers with a queued run, or with what it is after a wait for its end.
func (s *Server) startedRun(ctx context.Context, run *program.Run, wait bool) (*runOutput, error) {
	if wait {
		var err error
		if run, err = s.Runs.Wait(ctx, accountOf(ctx), run.ID); err != nil {
			return nil, err
		}
	}
	out := &runOutput{http.StatusAccepted, s.runBody(ctx, run)}
	if run.Status.Ended() {
		out.Status = http.StatusOK
	}
	return out, nil
}

func (s *Server) listRuns(ctx context.Context, in *runsInput) (*runsOutput, error) {
	runs, total, err := s.Runs.Runs(ctx, accountOf(ctx), in.Model, program.RunFilter{
		UpdatesOnly: in.UpdatesOnly, Limit: in.Limit, Offset: in.Offset,
	})
	if err != nil {
		return nil, err
	}
	return &runsOutput{pageOf(runs, total, func(r *program.Run) *runBody { return s.runBody(ctx, r) })}, nil
}

func (s *Server) getRun(ctx context.Context, in *runInput) (*runOutput, error) {
	run, err := s.Runs.Run(ctx, accountOf(ctx), in.RunID)
	if err != nil {
		return nil, err
	}
	body := s.runBody(ctx, run)
	if run.AccountID != accountOf(ctx) {
		body.Usage, body.Error = nil, withoutTraceback(body.Error) // those are of the account and of the build
	}
	if err := s.addResult(ctx, body, in.Include); err != nil {
		return nil, err
	}
	return &runOutput{http.StatusOK, body}, nil
}

func (s *Server) deleteRun(ctx context.Context, in *RunParameter) (*deletedOutput, error) {
	runID, err := s.RunChanges.DeleteRun(ctx, accountOf(ctx), in.RunID)
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: runID, Deleted: true}}, nil
}

// withoutTraceback is a failure as others than the owner may read it.
func withoutTraceback(f *program.Failure) *program.Failure {
	if f == nil {
		return nil
	}
	shown := *f
	shown.Traceback = nil
	return &shown
}

// addResult adds the whole stored history of a complete run where it is asked for.
func (s *Server) addResult(ctx context.Context, body *runBody, include []string) error {
	if len(include) == 0 || body.Status != string(program.RunComplete) {
		return nil
	}
	h, err := s.Histories.RunHistory(ctx, accountOf(ctx), body.ID, history.Query{
		Returns: true, Allocation: true, Metrics: true, Full: true, Start: timeseries.NoDate, End: timeseries.NoDate,
	})
	if err != nil {
		return err
	}
	body.Result = &historyBody{source: h}
	return nil
}
