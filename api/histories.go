package api

import (
	"context"
	"net/http"
	"slices"

	"ballast/api/transport"
	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

type historiesInput struct {
	Models      []string `query:"models" required:"true" minItems:"1" maxItems:"50" minLength:"1" doc:"1 to 50 models by id, slug, symbol or exact name: your own, and public ones by slug"`
	Include     []string `query:"include" enum:"returns,equity,allocation,tree,latest,custom,metrics,fees,contribution" default:"returns" doc:"Blocks to return for each model; equity is the growth of 1. fees needs a plan that includes it"`
	Axis        string   `query:"axis" enum:"common,union" default:"common" doc:"common: the window that all models have in common; union: every date that any of them has"`
	StartDate   string   `query:"start_date" format:"date" doc:"First date, inclusive; by default, that of each model's default view"`
	EndDate     string   `query:"end_date" format:"date" doc:"Last date, inclusive"`
	FullHistory bool     `query:"full_history" default:"false" doc:"Everything computed; ignored when start_date is given"`
	RiskFree    string   `query:"risk_free" format:"riskless" default:"0" doc:"Annual risk-free rate as a fraction, or a column of a series, NAME.KEY, for metrics"`
	Benchmark   string   `query:"benchmark" minLength:"1" doc:"Symbol of an asset, or a model, to compare with in metrics"`

	ManagementFee float64 `query:"management_fee" format:"fraction" minimum:"0" maximum:"1" default:"0" doc:"Annual fraction, for fees"`
	FinancingRate float64 `query:"financing_rate" format:"fraction" minimum:"0" maximum:"1" default:"0" doc:"Annual fraction of gross exposure above 1, for fees"`
	CommissionBPS float64 `query:"commission_bps" minimum:"0" default:"0" doc:"Basis points of traded notional, for fees"`
	SlippageBPS   float64 `query:"slippage_bps" minimum:"0" default:"0" doc:"Basis points of traded notional, for fees"`
}

// historiesBody has the histories of several models on one axis. It writes its own
// JSON; the fields are there for the OpenAPI document.
type historiesBody struct {
	Window historyWindowBody     `json:"window" doc:"Window of the axis; base is null"`
	Dates  []timeseries.Date     `json:"dates" doc:"Shared by the per-day blocks of all models, which are null on dates that a model does not have"`
	Models []historyTogetherBody `json:"models" doc:"Histories, in the order of the parameter models"`

	source *history.Many
}

// historyTogetherBody is the history of one of several models, with the blocks of a
// single history.
type historyTogetherBody struct {
	ModelID      string               `json:"model_id"`
	Symbol       string               `json:"symbol"`
	Name         string               `json:"name"`
	RunID        string               `json:"run_id"`
	AsOf         *timeseries.Date     `json:"as_of"`
	Window       historyWindowBody    `json:"window" doc:"The model's own dates on the axis"`
	Labels       map[string]labelBody `json:"labels" doc:"What each key is"`
	Equity       number.Floats        `json:"equity,omitempty" doc:"Growth of 1 since the close before the model's first date on the axis"`
	Returns      number.Floats        `json:"returns,omitempty" doc:"Daily gross returns, fractions"`
	Allocation   *allocationBody      `json:"allocation,omitempty"`
	Tree         *nodeBody            `json:"tree,omitempty"`
	Latest       *latestBody          `json:"latest,omitempty"`
	Custom       *customBody          `json:"custom,omitempty"`
	Metrics      *metrics.Block       `json:"metrics,omitempty"`
	Fees         *feesBody            `json:"fees,omitempty"`
	Contribution *contributionBody    `json:"contribution,omitempty"`
}

type historiesOutput struct{ Body *historiesBody }

func (s *Server) registerHistories() {
	register(s, route{
		method: http.MethodGet, path: "/v1/history", id: "get-histories", tag: tagModels, status: http.StatusOK,
		summary: "Read several models' histories",
		description: "Returns blocks of up to 50 models on one `dates` array. The values are those of each model's own history over the same dates: no return is compounded or left out. On a date that a model does not have, its values are null. " +
			"By default the window is the one that all models have in common, and `metrics` and `fees` cover it; with `axis=union` they cover each model's own dates. " +
			"As Arrow, Parquet or CSV the per-day blocks are one table, with columns such as `SYMBOL:returns` or `SYMBOL:allocation.KEY`.",
		faults: []fault.Type{fault.PlanRequired, fault.UnknownMember, fault.NotFound, fault.NoHistory}, others: transport.Tables,
	}, s.getHistories)
}

func (s *Server) getHistories(ctx context.Context, in *historiesInput) (*historiesOutput, error) {
	q, err := s.historyQuery(ctx, &historyInput{
		Include: in.Include, StartDate: in.StartDate, EndDate: in.EndDate, FullHistory: in.FullHistory, RiskFree: in.RiskFree, Benchmark: in.Benchmark,
		ManagementFee: in.ManagementFee, FinancingRate: in.FinancingRate, CommissionBPS: in.CommissionBPS, SlippageBPS: in.SlippageBPS,
	})
	if err != nil {
		return nil, err
	}
	many, err := s.Histories.Many(ctx, accountOf(ctx), history.ManyQuery{
		Query: q, Models: in.Models, Equity: slices.Contains(in.Include, "equity"), AllDates: in.Axis == "union",
	})
	if err != nil {
		return nil, err
	}
	return &historiesOutput{&historiesBody{source: many}}, nil
}

// AppendJSON implements appender.
func (b *historiesBody) AppendJSON(to []byte) ([]byte, error) {
	w := historyWriter{b: to}
	w.open()
	w.axis(b.source)
	w.name("dates")
	w.b = transport.AppendDates(w.b, b.source.Dates)
	w.name("models")
	w.b = append(w.b, '[')
	for i, m := range b.source.Members {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.open()
		w.member(m)
		if m.Equity != nil {
			w.floats("equity", m.Equity)
		}
		w.blocks(m.History)
		w.close()
	}
	w.b = append(w.b, ']')
	w.close()
	return w.b, w.err
}

// MarshalJSON lets encoding/json write the body within another.
func (b *historiesBody) MarshalJSON() ([]byte, error) { return b.AppendJSON(nil) }

// Table implements tabular. It returns the per-day blocks, and separately what is not
// per day.
func (b *historiesBody) Table() (transport.Table, error) {
	t := b.source.Table()
	var w historyWriter
	w.open()
	w.axis(b.source)
	w.name("models")
	w.b = append(w.b, '[')
	for i, m := range b.source.Members {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.open()
		w.text("prefix", m.Prefix)
		w.member(m)
		w.writeOtherBlocks(m.History)
		w.close()
	}
	w.b = append(w.b, ']')
	w.close()
	t.About = w.b
	return t, w.err
}

func (w *historyWriter) axis(m *history.Many) { w.window(timeseries.NoDate, m.Dates, m.Note) }

func (w *historyWriter) member(m *history.Together) {
	w.text("model_id", m.ModelID)
	w.text("symbol", m.Symbol)
	w.text("name", m.Name)
	w.text("run_id", m.RunID)
	w.date("as_of", m.AsOf)
	w.window(m.Base, m.Own, m.Note)
}
