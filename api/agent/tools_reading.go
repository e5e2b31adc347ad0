package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Window selects dates and a run.
type Window struct {
	StartDate string `json:"start_date,omitempty" jsonschema:"YYYY-MM-DD; default: where the model's history starts"`
	EndDate   string `json:"end_date,omitempty" jsonschema:"YYYY-MM-DD"`
	RunID     string `json:"run_id,omitempty" jsonschema:"read this run, such as a what-if, instead of what the model serves"`
}

func (w Window) query() url.Values {
	q := url.Values{}
	set(q, "start_date", w.StartDate)
	set(q, "end_date", w.EndDate)
	set(q, "run_id", w.RunID)
	return q
}

type getPerformance struct {
	Model     string `json:"model" jsonschema:"symbol, id or exact name"`
	Benchmark string `json:"benchmark,omitempty" jsonschema:"symbol of an asset, or a model, to compare with"`
	Window
	Size
}

type compareModels struct {
	Models    []string `json:"models,omitempty" jsonschema:"2 to 20 models; give either models or run_ids"`
	RunIDs    []string `json:"run_ids,omitempty" jsonschema:"2 to 8 runs, such as what-ifs"`
	Benchmark string   `json:"benchmark,omitempty" jsonschema:"symbol of an asset, or a model"`
	StartDate string   `json:"start_date,omitempty" jsonschema:"of models: YYYY-MM-DD"`
	EndDate   string   `json:"end_date,omitempty" jsonschema:"of models: YYYY-MM-DD"`
	Size
}

type getAllocation struct {
	Model      string `json:"model" jsonschema:"symbol, id or exact name"`
	Rebalances int    `json:"rebalances,omitempty" jsonschema:"how many of the last rebalances to list; default 3"`
	Window
	Size
}

func addReading(s *mcp.Server, c Config) {
	add(s, c, "get_performance", "Get performance", "A model's return, risk, drawdowns and calendar years over a window, also against a benchmark.", reads,
		func(ctx context.Context, api *caller, in getPerformance) (map[string]any, error) {
			q := in.query()
			set(q, "benchmark", in.Benchmark)
			q.Set("include", "metrics")
			var h object
			if err := api.get(ctx, &h, q, "models", in.Model, "history"); err != nil {
				return nil, err
			}
			out := h.pick("model_id", "run_id", "as_of", "window")
			m := h.object("metrics")
			figures := keyFigures(m)
			for _, f := range []string{"drawdowns", "value_at_risk_5", "conditional_value_at_risk_5", "ulcer_index", "win_rate", "best_month", "worst_month", "positive_months", "turnover", "exposure", "benchmark", "rolling"} {
				if v, ok := m[f]; ok && string(v) != "null" {
					figures[f] = v
				}
			}
			out["figures"], out["years"] = figures, years(m)
			out["more"] = api.base + address(q, "models", in.Model, "history")
			return out, nil
		})
	add(s, c, "compare", "Compare", "Models, or runs, side by side over the dates that they have in common.", reads,
		func(ctx context.Context, api *caller, in compareModels) (map[string]any, error) {
			q := url.Values{}
			set(q, "benchmark", in.Benchmark)
			path := []string{"history"}
			if len(in.RunIDs) > 0 {
				path = []string{"runs", "compare"}
				for _, id := range in.RunIDs {
					q.Add("run_ids", id)
				}
			} else {
				set(q, "start_date", in.StartDate)
				set(q, "end_date", in.EndDate)
				q.Set("include", "metrics")
				for _, m := range in.Models {
					q.Add("models", m)
				}
			}
			var h struct {
				Window json.RawMessage `json:"window"`
				Inputs json.RawMessage `json:"inputs"`
				Models []object        `json:"models"`
				Runs   []object        `json:"runs"`
			}
			if err := api.get(ctx, &h, q, path...); err != nil {
				return nil, err
			}
			var rows []any
			for _, o := range append(h.Models, h.Runs...) {
				row := o.pick("id", "model_id", "run_id", "symbol", "name", "label")
				m := o.object("metrics")
				row["figures"], row["benchmark"] = keyFigures(m), m["benchmark"]
				rows = append(rows, row)
			}
			out := map[string]any{"window": h.Window, "compared": rows, "more": api.base + address(q, path...)}
			if h.Inputs != nil {
				out["inputs_that_differ"] = h.Inputs
			}
			return out, nil
		})
	add(s, c, "get_allocation", "Get the allocation", "What a model holds now, its last decision, and its last rebalances with the trades.", reads,
		func(ctx context.Context, api *caller, in getAllocation) (map[string]any, error) {
			q := in.query()
			q.Set("include", "latest,allocation")
			var h struct {
				AsOf       json.RawMessage `json:"as_of"`
				RunID      string          `json:"run_id"`
				Labels     json.RawMessage `json:"labels"`
				Latest     json.RawMessage `json:"latest"`
				Allocation struct {
					Rebalances []json.RawMessage `json:"rebalances"`
				} `json:"allocation"`
			}
			if err := api.get(ctx, &h, q, "models", in.Model, "history"); err != nil {
				return nil, err
			}
			count := in.Rebalances
			if count <= 0 {
				count = 3
			}
			all := h.Allocation.Rebalances
			last := all[max(0, len(all)-count):]
			newest := make([]json.RawMessage, len(last))
			for i, r := range last {
				newest[len(last)-1-i] = r
			}
			return map[string]any{
				"run_id": h.RunID, "as_of": h.AsOf, "latest": h.Latest, "last_rebalances": newest, "rebalances_in_window": len(all),
				"labels": namesOf(h.Labels), "more": api.base + address(q, "models", in.Model, "history"),
			}, nil
		})
	addExplaining(s, c)
	addSeries(s, c)
}

// figures reads the key figures of a model.
func (c *caller) figures(ctx context.Context, model string, q url.Values) (map[string]any, error) {
	if q == nil {
		q = url.Values{}
	}
	q.Set("include", "metrics")
	var h object
	if err := c.get(ctx, &h, q, "models", model, "history"); err != nil {
		return nil, err
	}
	out := keyFigures(h.object("metrics"))
	out["window"] = h["window"]
	return out, nil
}

// keyFigures are the figures that are asked for first.
func keyFigures(m object) map[string]any {
	return m.pick("total_return", "cagr", "annual_volatility", "sharpe", "sortino", "calmar", "max_drawdown", "best_year", "worst_year", "probabilistic_sharpe", "deflated_sharpe")
}

// years are the returns of calendar years; those of parts of years end in *.
func years(m object) map[string]*float64 {
	var months []struct {
		Year    int      `json:"year"`
		Return  *float64 `json:"year_return"`
		Partial bool     `json:"partial"`
	}
	_ = json.Unmarshal(m["monthly"], &months) // no metrics, no years
	out := map[string]*float64{}
	for _, y := range months {
		name := fmt.Sprint(y.Year)
		if y.Partial {
			name += "*"
		}
		out[name] = y.Return
	}
	return out
}

// namesOf are the names of holdings by their keys.
func namesOf(labels json.RawMessage) map[string]string {
	var known map[string]struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(labels, &known) // no labels, no names
	out := map[string]string{}
	for key, l := range known {
		out[key] = l.Name
	}
	return out
}
