package api

import (
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// historyBody is a window of a model's history. It writes its own JSON from the
// domain's columns; the fields are what the document shows of it.
type historyBody struct {
	ModelID    string               `json:"model_id"`
	RunID      string               `json:"run_id"`
	AsOf       *timeseries.Date     `json:"as_of"`
	Window     historyWindowBody    `json:"window"`
	Dates      []timeseries.Date    `json:"dates" doc:"Shared by all per-day blocks"`
	Labels     map[string]labelBody `json:"labels" doc:"Names every key"`
	Returns    number.Floats        `json:"returns,omitempty" doc:"Daily gross returns, fractions"`
	Allocation *allocationBody      `json:"allocation,omitempty"`
	Metrics    *metrics.Block       `json:"metrics,omitempty"`

	source *program.History
}

type historyWindowBody struct {
	Base  *timeseries.Date `json:"base" doc:"The session before start, on whose close the first return is earned"`
	Start *timeseries.Date `json:"start"`
	End   *timeseries.Date `json:"end"`
}

type labelBody struct {
	Kind   string `json:"kind" enum:"asset,model,cash,custom"`
	ID     string `json:"id,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	Name   string `json:"name"`
}

type allocationBody struct {
	Weights    map[string]number.Floats `json:"weights" doc:"By ticker and CASH, fractions of equity at each close"`
	Rebalances []rebalanceBody          `json:"rebalances"`
}

type rebalanceBody struct {
	Date     timeseries.Date      `json:"date" doc:"Of the fill"`
	Decided  timeseries.Date      `json:"decided"`
	Reason   string               `json:"reason" enum:"start,schedule,suspended,delisted,ruin"`
	Turnover number.Float         `json:"turnover" doc:"Traded notional, a fraction of equity"`
	Trades   map[string]tradeBody `json:"trades" doc:"By the model's own members"`
}

type tradeBody struct {
	Before number.Float `json:"before"`
	Target number.Float `json:"target"`
	Traded number.Float `json:"traded"`
}

// appendJSON implements appender.
func (h *historyBody) appendJSON(b []byte) ([]byte, error) {
	p := h.source
	b = append(b, `{"model_id":`...)
	b = appendText(b, p.ModelID)
	b = append(b, `,"run_id":`...)
	b = appendText(b, p.RunID)
	b = append(b, `,"as_of":`...)
	b = appendDate(b, p.AsOf)
	b = appendWindow(append(b, `,"window":`...), p.Base, p.Dates)
	b = append(b, `,"dates":`...)
	b = appendDates(b, p.Dates)
	b, err := appendLabels(append(b, `,"labels":`...), p.Labels)
	if err != nil {
		return nil, err
	}
	if p.Returns != nil {
		b = append(b, `,"returns":`...)
		b = appendFloats(b, p.Returns)
	}
	if p.Allocation != nil {
		b = append(b, `,"allocation":`...)
		b = appendAllocation(b, p.Allocation)
	}
	if p.Metrics != nil {
		b = append(b, `,"metrics":`...)
		if b, err = appendValue(b, p.Metrics); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// MarshalJSON lets encoding/json write the body inside of another.
func (h *historyBody) MarshalJSON() ([]byte, error) { return h.appendJSON(nil) }

func appendWindow(b []byte, base timeseries.Date, dates []timeseries.Date) []byte {
	start, end := timeseries.NoDate, timeseries.NoDate
	if n := len(dates); n > 0 {
		start, end = dates[0], dates[n-1]
	}
	b = appendDate(append(b, `{"base":`...), base)
	b = appendDate(append(b, `,"start":`...), start)
	b = appendDate(append(b, `,"end":`...), end)
	return append(b, '}')
}

func appendLabels(b []byte, labels []program.Label) ([]byte, error) {
	b = append(b, '{')
	for i, l := range labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, l.Key), ':')
		var err error
		if b, err = appendValue(b, labelBody{Kind: l.Kind, ID: l.ID, Symbol: l.Symbol, Name: l.Name}); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendAllocation(b []byte, a *program.Allocation) []byte {
	b = append(b, `{"weights":{`...)
	for i, key := range a.Keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, key), ':')
		b = appendFloats(b, a.Weights[i])
	}
	b = append(b, `},"rebalances":[`...)
	for i := range a.Rebalances {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRebalance(b, &a.Rebalances[i])
	}
	return append(b, `]}`...)
}

func appendRebalance(b []byte, r *program.Rebalance) []byte {
	b = appendDate(append(b, `{"date":`...), r.Date)
	b = appendDate(append(b, `,"decided":`...), r.Decided)
	b = appendText(append(b, `,"reason":`...), r.Reason)
	b = number.Append(append(b, `,"turnover":`...), r.Turnover)
	b = append(b, `,"trades":{`...)
	for i, t := range r.Trades {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, t.Key), ':')
		b = number.Append(append(b, `{"before":`...), t.Before)
		b = number.Append(append(b, `,"target":`...), t.Target)
		b = number.Append(append(b, `,"traded":`...), t.Traded)
		b = append(b, '}')
	}
	return append(b, `}}`...)
}
