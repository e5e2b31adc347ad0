package api

import (
	"context"
	"net/http"

	"ballast/internal/fault"
)

type promoteInput struct {
	RunParameter
	Wait bool `query:"wait" default:"false" doc:"Answer when the run has ended, or after 60 seconds as it is then"`
}

func (s *Server) registerPromote() {
	register(s, route{
		method: http.MethodPost, path: "/v1/runs/{run_id}/promote", id: "promote-run", tag: tagRuns, status: http.StatusAccepted,
		also: map[int]string{http.StatusOK: "The finished run, with wait"}, idempotent: true,
		summary: "Promote a run",
		description: "Makes the inputs of a complete run the defaults of its model: the default literals of INPUTS are rewritten in the served script, and a run of source promote is queued. " +
			"Its success publishes defaults, members, a build of kind revision and the result at once, and what holds the model follows; where it fails, the model keeps what it serves, with a warning. " +
			"A run from before a revision is promoted, too, where the scripts differ in default literals alone. initial_cash is no default of a script: it is left out.",
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
