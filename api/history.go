package api

import (
	"context"
	"net/http"
	"slices"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/timeseries"
)

type historyInput struct {
	ModelParameter
	Include     []string `query:"include" enum:"returns,allocation,positions,holdings,metrics" default:"returns" doc:"Blocks to answer; positions and holdings are other names of allocation"`
	RunID       string   `query:"run_id" doc:"Read this run's result instead of the live history"`
	StartDate   string   `query:"start_date" format:"date" doc:"First date, inclusive; the default view's without"`
	EndDate     string   `query:"end_date" format:"date" doc:"Last date, inclusive"`
	FullHistory bool     `query:"full_history" default:"false" doc:"Everything computed; ignored when start_date is given"`
	RiskFree    float64  `query:"risk_free" exclusiveMinimum:"-1" default:"0" doc:"Annual fraction, for metrics"`
	Benchmark   string   `query:"benchmark" doc:"Symbol of an asset, or a model, to compare with in metrics"`
}

type historyOutput struct{ Body *historyBody }

func (s *Server) registerModelHistory() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/history", id: "get-model-history", tag: tagModels, status: http.StatusOK,
		summary:     "Read a model's history",
		description: "Blocks of the live history, or of one run's. All per-day blocks share one `dates` array, and `metrics` describe the same window.",
		faults:      []fault.Type{fault.NotFound, fault.NoHistory},
	}, s.getHistory)
}

func (s *Server) getHistory(ctx context.Context, in *historyInput) (*historyOutput, error) {
	q, err := historyQuery(in)
	if err != nil {
		return nil, err
	}
	h, err := s.Models.History(ctx, accountOf(ctx), in.Model, q)
	if err != nil {
		return nil, err
	}
	return &historyOutput{&historyBody{source: h}}, nil
}

func historyQuery(in *historyInput) (program.HistoryQuery, error) {
	q := program.HistoryQuery{
		Returns:    slices.Contains(in.Include, "returns"),
		Allocation: slices.ContainsFunc(in.Include, func(s string) bool { return s == "allocation" || s == "positions" || s == "holdings" }),
		Metrics:    slices.Contains(in.Include, "metrics"),
		RunID:      in.RunID, Start: dateOf(in.StartDate), End: dateOf(in.EndDate), Full: in.FullHistory,
		RiskFree: in.RiskFree, Benchmark: in.Benchmark,
	}
	return q, ordered(q.Start, q.End)
}

// ordered refuses a window that ends before it starts.
func ordered(start, end timeseries.Date) error {
	if start == timeseries.NoDate || end == timeseries.NoDate || start <= end {
		return nil
	}
	return fault.New(fault.InvalidParameter, "The window ends before it starts.").
		With(fault.Detail{Location: "query.end_date", Message: "is before start_date"})
}
