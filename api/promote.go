package api

import (
	"context"
	"net/http"

	"ballast/internal/fault"
)

type promoteInput struct {
	RunParameter
	Wait bool `query:"wait" default:"false" doc:"Wait for the run to end, for at most 60 seconds, and return it as it is then"`
}

func (s *Server) registerPromote() {
	register(s, route{
		method: http.MethodPost, path: "/v1/runs/{run_id}/promote", id: "promote-run", tag: tagRuns, status: http.StatusAccepted,
		also: map[int]string{http.StatusOK: "With wait: the finished run"}, idempotent: true,
		summary: "Promote a run",
		description: "Makes the inputs of a complete run the defaults of its model: the default literals of INPUTS are rewritten in the served script, and a run with source promote is queued. " +
			"If it succeeds, the defaults, members, a build of kind revision and the result are published together, and models that hold this one are refreshed. If it fails, the model keeps serving what it served, with a warning. " +
			"A run from before a revision can be promoted if the scripts differ only in default literals. initial_cash is not a default of a script and is left out.",
		faults: []fault.Type{
			fault.InsufficientFunds, fault.NotFound, fault.NotReady, fault.RunConflict, fault.NotPromotable, fault.RunIncomplete,
			fault.ScriptChanged, fault.AlreadyDefault, fault.UnknownMember, fault.ReferenceCycle,
		},
	}, s.promoteRun)
}

func (s *Server) promoteRun(ctx context.Context, in *promoteInput) (*runOutput, error) {
	run, err := s.RunChanges.Promote(ctx, accountOf(ctx), in.RunID)
	if err != nil {
		return nil, err
	}
	return s.startedRun(ctx, run, in.Wait)
}
