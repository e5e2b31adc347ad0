package api

import (
	"context"
	"encoding/json"
	"net/http"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program/history"
	"ballast/script"
	"ballast/timeseries"
)

type compareInput struct {
	RunIDs    []string `query:"run_ids" required:"true" minItems:"2" maxItems:"8" minLength:"1" doc:"2 to 8 ids of runs of one kind that the caller may read; they may belong to different models"`
	RiskFree  string   `query:"risk_free" format:"riskless" default:"0" doc:"Annual risk-free rate as a fraction, or a column of a series, NAME.KEY, for metrics"`
	Benchmark string   `query:"benchmark" minLength:"1" doc:"Symbol of an asset, or one of the caller's models, to compare with, for the metrics"`
}

// comparisonBody shows runs beside each other.
type comparisonBody struct {
	Kind   string                    `json:"kind" enum:"model,simulation,analysis"`
	Window *comparedWindow           `json:"window" doc:"The dates that all runs have in common, over which the metrics are computed; null if there are none"`
	Runs   []comparedBody            `json:"runs" doc:"In the order of run_ids"`
	Inputs map[string]map[string]any `json:"inputs" doc:"The inputs that differ: for each input, its value by run; a run without the input is left out"`
}

type comparedBody struct {
	ID        string          `json:"id"`
	ProgramID string          `json:"program_id"`
	Name      string          `json:"name" doc:"The program's name"`
	Label     *string         `json:"label"`
	Live      bool            `json:"live"`
	Inputs    json.RawMessage `json:"inputs" doc:"Every input with its value"`
	Window    *comparedWindow `json:"window" doc:"The run's own window; null if it has no returns yet"`
	Metrics   *metrics.Block  `json:"metrics" doc:"Of models: over the common window"`
	Scalars   []script.Scalar `json:"scalars,omitempty" doc:"Of other kinds: the scalars of the run's result"`
}

type comparedWindow struct {
	Start timeseries.Date `json:"start" doc:"First date with a return"`
	End   timeseries.Date `json:"end"`
}

type compareOutput struct{ Body comparisonBody }

func (s *Server) registerCompare() {
	register(s, route{
		method: http.MethodGet, path: "/v1/runs/compare", id: "compare-runs", tag: tagRuns, status: http.StatusOK,
		summary:     "Compare runs",
		description: "Compares 2 to 8 complete runs: the inputs that differ, and the metrics of each run over the dates that all of them have in common.",
		faults:      []fault.Type{fault.UnknownMember, fault.NotFound, fault.RunIncomplete},
	}, s.compareRuns)
}

func (s *Server) compareRuns(ctx context.Context, in *compareInput) (*compareOutput, error) {
	riskFree, err := s.riskless(ctx, in.RiskFree)
	if err != nil {
		return nil, err
	}
	c, err := s.Histories.Compare(ctx, accountOf(ctx), history.CompareQuery{
		RunIDs: in.RunIDs, RiskFree: riskFree, Benchmark: in.Benchmark,
	})
	if err != nil {
		return nil, err
	}
	b := comparisonBody{Kind: c.Kind, Window: windowOf(c.Start, c.End), Runs: make([]comparedBody, len(c.Runs)), Inputs: mapped(c.Inputs)}
	for i, r := range c.Runs {
		b.Runs[i] = comparedBody{
			Scalars: scalarsOf(r.Run),
			ID:      r.ID, ProgramID: r.ProgramID, Name: r.ProgramName, Label: textOrNull(r.Label), Live: r.Live,
			Inputs: rawOr(r.Inputs, "{}"), Window: windowOf(r.First, r.Last), Metrics: r.Metrics,
		}
	}
	return &compareOutput{b}, nil
}

func windowOf(start, end timeseries.Date) *comparedWindow {
	if start == timeseries.NoDate {
		return nil
	}
	return &comparedWindow{Start: start, End: end}
}
