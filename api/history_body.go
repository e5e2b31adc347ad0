package api

import (
	"ballast/api/transport"
	"ballast/catalog/backfill"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// historyBody is a window of a model's history. It writes its own JSON from the
// domain's columns; the exported fields only describe it in the OpenAPI document.
type historyBody struct {
	ModelID      string               `json:"model_id"`
	RunID        string               `json:"run_id"`
	AsOf         *timeseries.Date     `json:"as_of"`
	Window       historyWindowBody    `json:"window"`
	Dates        []timeseries.Date    `json:"dates" doc:"Shared by all per-day blocks"`
	Labels       map[string]labelBody `json:"labels" doc:"Names every key"`
	Returns      number.Floats        `json:"returns,omitempty" doc:"Daily gross returns, as fractions"`
	Allocation   *allocationBody      `json:"allocation,omitempty"`
	Tree         *nodeBody            `json:"tree,omitempty" doc:"The model with its member models expanded; children add up to their node"`
	Latest       *latestBody          `json:"latest,omitempty" doc:"The end of the result, whatever the window"`
	Custom       *customBody          `json:"custom,omitempty" doc:"The model's own diagnostics"`
	Metrics      *metrics.Block       `json:"metrics,omitempty"`
	Fees         *feesBody            `json:"fees,omitempty" doc:"After costs"`
	Contribution *contributionBody    `json:"contribution,omitempty" doc:"Parts of each day's return, which add up to total"`
	Timing       *history.Timing      `json:"timing,omitempty" doc:"The same model with its schedule moved to every other session of its period"`

	source *history.History
}

type historyWindowBody struct {
	Base  *timeseries.Date `json:"base" doc:"The session before start; the first return is measured from its close"`
	Start *timeseries.Date `json:"start"`
	End   *timeseries.Date `json:"end"`
	Note  string           `json:"note,omitempty" doc:"Why a window has no dates"`
}

type labelBody struct {
	Kind   string `json:"kind" enum:"asset,model,cash,custom"`
	ID     string `json:"id,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	Name   string `json:"name"`

	Spliced []backfill.Splice `json:"spliced,omitempty" doc:"For an asset: the spans that a backfill provided, earliest first"`
}

type allocationBody struct {
	Weights    map[string]number.Floats `json:"weights" doc:"By ticker and CASH, as fractions of equity at each close"`
	Rebalances []rebalanceBody          `json:"rebalances"`
}

type rebalanceBody struct {
	Date     timeseries.Date      `json:"date" doc:"Date of the fill"`
	Decided  timeseries.Date      `json:"decided"`
	Reason   string               `json:"reason" enum:"start,schedule,suspended,delisted,ruin"`
	Turnover number.Float         `json:"turnover" doc:"Traded notional, as a fraction of equity"`
	Trades   map[string]tradeBody `json:"trades" doc:"By the model's own members"`
}

type tradeBody struct {
	Before number.Float `json:"before"`
	Target number.Float `json:"target"`
	Traded number.Float `json:"traded"`
}

type nodeBody struct {
	Key      string        `json:"key"`
	Weights  number.Floats `json:"weights" doc:"Weights in the whole model at each close, as fractions of its equity"`
	Children []*nodeBody   `json:"children" doc:"Empty for assets and CASH"`
}

type latestBody struct {
	AsOf       timeseries.Date         `json:"as_of"`
	Allocation map[string]number.Float `json:"allocation" doc:"By ticker and CASH, at the last close"`
	Target     map[string]number.Float `json:"target" doc:"By ticker and CASH: the last decision, with every member model at its own last decision"`
	Decision   decisionBody            `json:"decision"`
}

type decisionBody struct {
	Date     timeseries.Date         `json:"date"`
	Weights  map[string]number.Float `json:"weights" doc:"By the model's own members and CASH"`
	Resolved map[string]number.Float `json:"resolved" doc:"By ticker and CASH: the decision, with every member model as it stood at that date's close"`
}

type customBody struct {
	Series map[string]number.Floats `json:"series" doc:"null on dates without a record"`
	Values map[string]number.Float  `json:"values" doc:"The last recorded value of each series in the window or before it"`
}

type feesBody struct {
	Returns number.Floats  `json:"returns" doc:"Daily net returns, as fractions"`
	Metrics *metrics.Block `json:"metrics" doc:"Metrics of the net returns"`
	Costs   costsBody      `json:"costs" doc:"Sums of the daily deductions, as fractions of equity"`
}

type costsBody struct {
	Management number.Float `json:"management"`
	Financing  number.Float `json:"financing"`
	Commission number.Float `json:"commission"`
	Slippage   number.Float `json:"slippage"`
	Total      number.Float `json:"total"`
}

type contributionBody struct {
	Keys  map[string]number.Floats `json:"keys" doc:"By the model's own members and CASH"`
	Total number.Floats            `json:"total" doc:"The day's return"`
}

// AppendJSON implements appender.
func (h *historyBody) AppendJSON(b []byte) ([]byte, error) {
	w := historyWriter{b: b}
	w.prepare(h.source)
	defer w.release()
	w.history(h.source)
	return w.b, w.err
}

// MarshalJSON lets encoding/json write the body inside another body.
func (h *historyBody) MarshalJSON() ([]byte, error) { return h.AppendJSON(nil) }

// Table implements tabular: the per-day blocks are the table, everything else is
// metadata.
func (h *historyBody) Table() (transport.Table, error) {
	t, p := h.source.Table(), h.source
	var w historyWriter
	w.open()
	w.head(p)
	w.writeOtherBlocks(p)
	w.close()
	t.About = w.b
	return t, w.err
}

// writeOtherBlocks writes what a table of per-day blocks has no column for.
func (w *historyWriter) writeOtherBlocks(p *history.History) {
	w.labels(p.Labels)
	if p.Allocation != nil {
		w.name("rebalances")
		w.rebalances(p.Allocation.Rebalances)
	}
	if p.Latest != nil {
		w.latest(p.Latest)
	}
	if p.Custom != nil {
		w.name("custom_values")
		w.weights(p.Custom.Values)
	}
	if p.Metrics != nil {
		w.value("metrics", p.Metrics)
	}
	if p.Fees != nil {
		w.value("fees_metrics", p.Fees.Metrics)
		w.value("fees_costs", costsOf(p.Fees))
	}
	if p.Timing != nil {
		w.value("timing", p.Timing)
	}
}

func costsOf(f *history.Fees) costsBody {
	c := f.Costs
	return costsBody{
		Management: number.Float(c.Management), Financing: number.Float(c.Financing), Commission: number.Float(c.Commission),
		Slippage: number.Float(c.Slippage), Total: number.Float(c.Total),
	}
}
