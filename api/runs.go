package api

import (
	"context"
	"net/http"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

type runOutput struct {
	Status int
	Body   *runBody
}

type runInput struct {
	RunParameter
	Include []string `query:"include" enum:"result" doc:"result adds the stored history"`
}

func (s *Server) registerRuns() {
	register(s, route{
		method: http.MethodGet, path: "/v1/runs/{run_id}", id: "get-run", tag: tagRuns, status: http.StatusOK,
		summary: "Read a run", description: "Returns one of the caller's runs, or a shared one. Usage and tracebacks of a shared run are shown only to its owner.", faults: []fault.Type{fault.NotFound},
	}, s.getRun)
	register(s, route{
		method: http.MethodDelete, path: "/v1/runs/{run_id}", id: "delete-run", tag: tagRuns, status: http.StatusOK,
		summary:     "Delete a run",
		description: "Deletes a run that has ended, and its result, for good. A run of a simulation that is in progress is stopped and deleted, unless the simulation will serve it; the time it took is charged. A run that a model serves, or that other models' served results were computed from, cannot be deleted.",
		faults:      []fault.Type{fault.NotFound, fault.RunLive, fault.RunInFlight},
	}, s.deleteRun)
}

// startedRun returns a queued run or, with wait, the run after waiting for its end.
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

func (s *Server) getRun(ctx context.Context, in *runInput) (*runOutput, error) {
	run, err := s.Runs.Run(ctx, accountOf(ctx), in.RunID)
	if err != nil {
		return nil, err
	}
	body := s.runBody(ctx, run)
	if run.AccountID != accountOf(ctx) {
		body.Usage, body.Error = nil, withoutTraceback(body.Error) // usage belongs to the account, and the traceback to the build
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

// withoutTraceback returns a failure as callers other than the owner may read it.
func withoutTraceback(f *program.Failure) *program.Failure {
	if f == nil {
		return nil
	}
	shown := *f
	shown.Traceback = nil
	return &shown
}

// addResult adds the whole stored history of a complete run if it is asked for.
func (s *Server) addResult(ctx context.Context, body *runBody, include []string) error {
	if len(include) == 0 || body.Status != string(program.RunComplete) {
		return nil
	}
	if body.Kind != program.KindModel {
		return s.addAnswer(ctx, body)
	}
	h, err := s.Histories.RunHistory(ctx, accountOf(ctx), body.ID, history.Query{
		Returns: true, Allocation: true, Metrics: true, Full: true, Start: timeseries.NoDate, End: timeseries.NoDate,
	})
	if err != nil {
		return err
	}
	body.Result = &runResult{history: &historyBody{source: h}}
	return nil
}

// addAnswer adds the result of a complete run of a kind other than model.
func (s *Server) addAnswer(ctx context.Context, body *runBody) error {
	run, err := s.Runs.Run(ctx, accountOf(ctx), body.ID)
	if err != nil {
		return err
	}
	found, err := s.Simulations.Results.ReadRun(ctx, run)
	if err != nil {
		return err
	}
	body.Result = &runResult{result: &resultBody{found}}
	return nil
}
