package api

import (
	"context"
	"net/http"
	"slices"

	"ballast/api/transport"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/program/history"
	"ballast/timeseries"
)

type historyInput struct {
	ModelParameter
	Include     []string `query:"include" enum:"returns,allocation,positions,holdings,tree,latest,custom,metrics,fees,contribution,timing" default:"returns" doc:"Blocks to return; positions and holdings are other names for allocation. fees needs the Business plan. timing runs the model again on shifted schedules, which takes a moment the first time and is metered as a run"`
	RunID       string   `query:"run_id" minLength:"1" doc:"Read this run's result instead of the live history"`
	StartDate   string   `query:"start_date" format:"date" doc:"First date, inclusive; if left out, where the default view starts"`
	EndDate     string   `query:"end_date" format:"date" doc:"Last date, inclusive"`
	FullHistory bool     `query:"full_history" default:"false" doc:"Return everything that was computed; ignored if start_date is given"`
	RiskFree    string   `query:"risk_free" format:"riskless" default:"0" doc:"Annual risk-free rate as a fraction, or a column of a series, NAME.KEY, for metrics"`
	Benchmark   string   `query:"benchmark" minLength:"1" doc:"Symbol of an asset, or a model, to compare with, for metrics"`

	ManagementFee float64 `query:"management_fee" format:"fraction" minimum:"0" maximum:"1" default:"0" doc:"Annual management fee as a fraction of equity, for fees"`
	FinancingRate float64 `query:"financing_rate" format:"fraction" minimum:"0" maximum:"1" default:"0" doc:"Annual rate as a fraction, charged on gross exposure above 1, for fees"`
	CommissionBPS float64 `query:"commission_bps" minimum:"0" default:"0" doc:"Basis points of traded notional, for fees"`
	SlippageBPS   float64 `query:"slippage_bps" minimum:"0" default:"0" doc:"Basis points of traded notional, for fees"`
}

type historyOutput struct{ Body *historyBody }

func (s *Server) registerModelHistory() {
	register(s, route{
		method: http.MethodGet, path: "/v1/models/{model}/history", id: "get-model-history", tag: tagModels, status: http.StatusOK,
		summary:     "Read a model's history",
		description: "Returns blocks of the live history or of one run's history. All per-day blocks share one `dates` array, `labels` names every key, and `metrics` and `fees` cover the same window. As Arrow, Parquet or CSV, the per-day blocks are one table with one column per key, named block.key; Arrow and Parquet carry the rest as JSON in the schema's metadata, under `ballast`.",
		faults:      []fault.Type{fault.PlanRequired, fault.UnknownMember, fault.NotFound, fault.NoHistory}, others: transport.Tables,
	}, s.getHistory)
}

func (s *Server) getHistory(ctx context.Context, in *historyInput) (*historyOutput, error) {
	q, err := s.historyQuery(ctx, in)
	if err != nil {
		return nil, err
	}
	h, err := s.Histories.History(ctx, accountOf(ctx), in.Model, q)
	if err != nil {
		return nil, err
	}
	return &historyOutput{&historyBody{source: h}}, nil
}

func (s *Server) historyQuery(ctx context.Context, in *historyInput) (history.Query, error) {
	asked := func(names ...string) bool {
		return slices.ContainsFunc(in.Include, func(s string) bool { return slices.Contains(names, s) })
	}
	q := history.Query{
		Returns: asked("returns"), Allocation: asked("allocation", "positions", "holdings"), Tree: asked("tree"), Latest: asked("latest"),
		Custom: asked("custom"), Metrics: asked("metrics"), Fees: asked("fees"), Contribution: asked("contribution"), Timing: asked("timing"),
		RunID: in.RunID, Start: dateOf(in.StartDate), End: dateOf(in.EndDate), Full: in.FullHistory,
		Benchmark: in.Benchmark,
		Rates:     history.Rates{Management: in.ManagementFee, Financing: in.FinancingRate, Commission: in.CommissionBPS, Slippage: in.SlippageBPS},
	}
	var err error
	if q.RiskFree, err = s.riskless(ctx, in.RiskFree); err != nil {
		return q, err
	}
	if q.Timing {
		if err := mayDo(exchangeOf(ctx).identity, s.toReadMetered()); err != nil {
			return q, err
		}
	}
	plan := exchangeOf(ctx).identity.Plan
	if q.Fees && !s.Policy.Terms(plan).Fees {
		return q, fault.New(fault.PlanRequired, "include=fees needs %s; the account has the %s plan. Leave out fees, or ask the operator for that plan.",
			s.Policy.Including(func(t billing.Terms) bool { return t.Fees }), plan)
	}
	return q, ordered(q.Start, q.End)
}

// ordered refuses a window that ends before it starts.
func ordered(start, end timeseries.Date) error {
	if start == timeseries.NoDate || end == timeseries.NoDate || start <= end {
		return nil
	}
	return fault.New(fault.InvalidParameter, "The window ends before it starts. Send an end_date on or after start_date.").
		With(fault.Detail{Location: "query.end_date", Message: "is before start_date"})
}
