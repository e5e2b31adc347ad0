package agent

import (
	"context"
	"encoding/json"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type explainReturn struct {
	Model string `json:"model" jsonschema:"symbol, id or exact name"`
	Window
	Size
}

func addExplaining(s *mcp.Server, c Config) {
	add(s, c, "explain_return", "Explain the return", "What each holding contributed to a model's return over a window and in each calendar year, and what the model does. Contributions add up to the total return.", reads,
		func(ctx context.Context, api *caller, in explainReturn) (map[string]any, error) {
			q := in.query()
			q.Set("include", "contribution")
			var h history
			if err := api.get(ctx, &h, q, "models", in.Model, "history"); err != nil {
				return nil, err
			}
			var sheet object
			if err := api.get(ctx, &sheet, nil, "models", in.Model); err != nil {
				return nil, err
			}
			out := sheet.pick("name", "symbol", "description", "universe")
			total, byYear := h.contributions()
			out["window"], out["run_id"] = h.Window, h.RunID
			out["contribution_to_total_return"], out["by_year"] = total, byYear
			out["labels"] = namesOf(h.Labels)
			out["more"] = api.base + address(q, "models", in.Model, "history")
			return out, nil
		})
}

// history is what tools read of a history day by day.
type history struct {
	RunID        string          `json:"run_id"`
	Window       json.RawMessage `json:"window"`
	Dates        []string        `json:"dates"`
	Returns      []*float64      `json:"returns"`
	Labels       json.RawMessage `json:"labels"`
	Contribution struct {
		Keys  map[string][]*float64 `json:"keys"`
		Total []*float64            `json:"total"`
	} `json:"contribution"`
}

// contributions links the daily contributions of each holding: a day's contribution
// counts in proportion to the equity before the day, so that those of all days and
// holdings add up to the total return. Years are linked by themselves.
func (h *history) contributions() (total map[string]float64, byYear map[string]map[string]float64) {
	total, byYear = map[string]float64{}, map[string]map[string]float64{}
	equity, equityOfYear, year := 1.0, 1.0, ""
	for i, date := range h.Dates {
		if date[:4] != year {
			year, equityOfYear = date[:4], 1
			byYear[year] = map[string]float64{}
		}
		for key, values := range h.Contribution.Keys {
			total[key] += equity * at(values, i)
			byYear[year][key] += equityOfYear * at(values, i)
		}
		r := at(h.Contribution.Total, i)
		total["TOTAL"] += equity * r
		byYear[year]["TOTAL"] += equityOfYear * r
		equity *= 1 + r
		equityOfYear *= 1 + r
	}
	round(total)
	for _, of := range byYear {
		round(of)
	}
	return total, byYear
}

// at returns a value; 0 if there is none.
func at(values []*float64, i int) float64 {
	if i >= len(values) || values[i] == nil {
		return 0
	}
	return *values[i]
}

// round rounds to hundredths of a percent point, and drops holdings that contributed nothing.
func round(of map[string]float64) {
	for key, v := range of {
		if of[key] = math.Round(v*1e6) / 1e6; of[key] == 0 && key != "TOTAL" {
			delete(of, key)
		}
	}
}

type getSeries struct {
	Model     string `json:"model,omitempty" jsonschema:"symbol, id or exact name; give either model or asset"`
	Asset     string `json:"asset,omitempty" jsonschema:"symbol or id"`
	Values    string `json:"values,omitempty" jsonschema:"returns (default) or equity, the growth of 1"`
	Frequency string `json:"frequency,omitempty" jsonschema:"monthly (default), yearly or daily"`
	Window
	Size
}

func addSeries(s *mcp.Server, c Config) {
	add(s, c, "get_series", "Get a series", "Returns, or the growth of 1, of a model or an asset by month, year or day.", reads,
		func(ctx context.Context, api *caller, in getSeries) (map[string]any, error) {
			path := []string{"models", in.Model, "history"}
			q := in.query()
			if in.Asset != "" {
				if in.Model != "" || in.RunID != "" {
					return nil, errString("give either model, with or without run_id, or asset")
				}
				path = []string{"assets", in.Asset, "history"}
			} else if in.Model == "" {
				return nil, errString("name a model or an asset")
			}
			if in.Model != "" {
				q.Set("include", "returns")
			}
			var h history
			if err := api.get(ctx, &h, q, path...); err != nil {
				return nil, err
			}
			return h.series(in, api.base+address(q, path...))
		})
}

// errString is an error about a tool's parameters.
type errString string

// Error implements error.
func (e errString) Error() string { return string(e) }

// point is a value and the last date that it covers.
type point struct {
	date  string
	value float64
}

// MarshalJSON writes a pair.
func (p point) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.date, p.value}) }

// series compounds the returns to a frequency, newest first, so that what is cut off is old.
func (h *history) series(in getSeries, more string) (map[string]any, error) {
	digits := map[string]int{"": 7, "monthly": 7, "yearly": 4, "daily": 10}[in.Frequency]
	if digits == 0 {
		return nil, errString("frequency is monthly, yearly or daily")
	}
	equityAsked := in.Values == "equity"
	if !equityAsked && in.Values != "" && in.Values != "returns" {
		return nil, errString("values is returns or equity")
	}
	var points []point
	equity, before := 1.0, 1.0
	for i, date := range h.Dates {
		equity *= 1 + at(h.Returns, i)
		if i+1 < len(h.Dates) && h.Dates[i+1][:digits] == date[:digits] {
			continue
		}
		value := equity/before - 1
		if equityAsked {
			value = equity
		}
		points = append(points, point{date, math.Round(value*1e6) / 1e6})
		before = equity
	}
	for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
		points[i], points[j] = points[j], points[i]
	}
	return map[string]any{"series": points, "order": "newest first", "more": more}, nil
}
