package api

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// modelsInput selects models of a list and puts them in order. Bounds on figures
// are parameters that the route documents.
type modelsInput struct {
	ProgramsParameters
	Since   string   `query:"since" format:"date" doc:"Only models whose history begins on or before this day"`
	Sort    sortKey  `query:"sort" doc:"What to sort by: a figure, created_at or name. A leading minus means the highest, latest or last first. Models without the figure come last; models with equal values are newest first"`
	Include []string `query:"include" enum:"figures" doc:"figures adds the plain numbers of each live run's metrics"`
	GroupBy string   `query:"group_by" enum:"label" doc:"label adds groups: all selected models by label, independent of the page"`

	bounds []program.FigureBound
}

// sortKey is a key of a sort, with a minus in front for a descending order.
type sortKey string

// Schema implements huma.SchemaProvider.
func (sortKey) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Examples: []any{"-sharpe"}}
	for _, name := range slices.Concat([]string{program.SortCreated, program.SortName}, metrics.FigureNames) {
		s.Enum = append(s.Enum, name, "-"+name)
	}
	s.PrecomputeMessages()
	return s
}

// order is the key as the domain takes it.
func (k sortKey) order() program.ModelSort {
	by, descending := strings.CutPrefix(string(k), "-")
	return program.ModelSort{By: by, Descending: descending}
}

// maxDrawdown is the figure whose bounds are given as depths, above 0.
const maxDrawdown = "max_drawdown"

// bounded is how the bounds of a figure are called: min_sharpe and max_sharpe; of
// max_drawdown they are min_drawdown and max_drawdown.
func bounded(figure string) string { return strings.TrimPrefix(figure, "max_") }

// boundParameters document the bounds of all figures.
func boundParameters() []*huma.Param {
	var out []*huma.Param
	add := func(name, description string, schema *huma.Schema) {
		schema.Description = description
		out = append(out, &huma.Param{Name: name, In: "query", Description: description, Schema: schema})
	}
	for _, figure := range metrics.FigureNames {
		name := bounded(figure)
		if figure == maxDrawdown {
			least, most := 0.0, 1.0
			depth := func() *huma.Schema { return &huma.Schema{Type: huma.TypeNumber, Minimum: &least, Maximum: &most} }
			add("min_"+name, "Only models whose deepest drawdown is at least this fraction: 0.2 is 20 %", depth())
			add("max_"+name, "Only models whose deepest drawdown is at most this fraction: 0.2 is 20 %", depth())
			continue
		}
		add("min_"+name, fmt.Sprintf("Only models whose %s is at least this", figure), &huma.Schema{Type: huma.TypeNumber})
		add("max_"+name, fmt.Sprintf("Only models whose %s is at most this", figure), &huma.Schema{Type: huma.TypeNumber})
	}
	return out
}

// Resolve reads the bounds, which checkQuery has let pass. It implements
// huma.Resolver.
func (in *modelsInput) Resolve(hc huma.Context) []error {
	for _, figure := range metrics.FigureNames {
		least, most := queryNumber(hc, "min_"+bounded(figure)), queryNumber(hc, "max_"+bounded(figure))
		if figure == maxDrawdown { // a depth of at most 0.2 is a figure of at least -0.2
			least, most = negative(most), negative(least)
		}
		if least != nil || most != nil {
			in.bounds = append(in.bounds, program.FigureBound{Figure: figure, Least: least, Most: most})
		}
	}
	return nil
}

func queryNumber(hc huma.Context, name string) *float64 {
	v, err := strconv.ParseFloat(hc.Query(name), 64)
	if err != nil {
		return nil // left out
	}
	return &v
}

func negative(v *float64) *float64 {
	if v == nil {
		return nil
	}
	n := -*v
	return &n
}

func (in *modelsInput) filter() program.ModelFilter {
	f := in.ProgramsParameters.filter()
	f.Bounds, f.Since, f.Sort = in.bounds, dateOrNull(dateOf(in.Since)), in.Sort.order()
	f.Figures = slices.Contains(in.Include, "figures")
	return f
}

type modelsOutput struct{ Body modelListBody }

// modelListBody is a page of models, with groups of all that were selected.
type modelListBody struct {
	Data   []ModelSummaryBody `json:"data"`
	Total  int                `json:"total" doc:"Rows before paging"`
	Groups []modelGroupBody   `json:"groups,omitempty" doc:"With group_by: a group for each label, those with the most models first, at most 200; a model is in the group of each of its labels"`
}

type modelGroupBody struct {
	Label   *string                     `json:"label" doc:"null for models without labels"`
	Models  int                         `json:"models"`
	Figures map[string]figureSpreadBody `json:"figures" doc:"Distribution of cagr, annual_volatility, sharpe, max_drawdown and the figure of sort within the group"`
}

type figureSpreadBody struct {
	Lowest  number.Float `json:"lowest"`
	Median  number.Float `json:"median"`
	Highest number.Float `json:"highest"`
}

// figuresBody is the plain numbers of a run's metrics over its whole history.
type figuresBody struct{ figures *metrics.Figures }

// Schema implements huma.SchemaProvider.
func (figuresBody) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: true}
	day := func(name string) {
		s.Properties[name] = &huma.Schema{Type: huma.TypeString, Format: "date", Nullable: true}
		s.Required = append(s.Required, name)
	}
	day("start_date")
	day("end_date")
	for _, name := range metrics.FigureNames {
		s.Properties[name] = &huma.Schema{Type: huma.TypeNumber, Nullable: true, Description: "As in the metrics block"}
		s.Required = append(s.Required, name)
	}
	s.PrecomputeMessages()
	return s
}

// MarshalJSON implements json.Marshaler.
func (f figuresBody) MarshalJSON() ([]byte, error) {
	b := []byte(`{"start_date":`)
	b = appendDay(b, f.figures.Start)
	b = append(b, `,"end_date":`...)
	b = appendDay(b, f.figures.End)
	for i, name := range metrics.FigureNames {
		b = append(b, ',', '"')
		b = append(b, name...)
		b = append(b, '"', ':')
		b = number.Append(b, f.figures.Values[i])
	}
	return append(b, '}'), nil
}

func appendDay(b []byte, d timeseries.Date) []byte {
	if d == timeseries.NoDate {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = append(b, d.String()...)
	return append(b, '"')
}

// registerModelList registers the list of models.
func (s *Server) registerModelList(r route) {
	r.description = "Lists the caller's models, newest first, or in the order of `sort`. Filters apply before paging. " +
		"`min_` and `max_` followed by the name of a figure filter by it, as in `min_cagr=0.05&max_drawdown=0.25`; figures are those of the live run over its whole history, " +
		"without a benchmark and at a risk-free rate of 0. `/v1/models?sort=-sharpe&include=figures` is a leaderboard."
	r.parameters = append(r.parameters, boundParameters()...)
	register(s, r, s.listModels)
}

// groupedFigures are the figures of groups, besides that of the sort.
var groupedFigures = []string{"cagr", "annual_volatility", "sharpe", maxDrawdown}

func (s *Server) listModels(ctx context.Context, in *modelsInput) (*modelsOutput, error) {
	f := in.filter()
	found, total, err := s.Models.Models(ctx, accountOf(ctx), f)
	if err != nil {
		return nil, err
	}
	page := pageOf(found, total, func(m *program.Sheet) ModelSummaryBody {
		b := s.modelSummaryBody(ctx, m)
		if m.Figures != nil {
			b.Figures = &figuresBody{m.Figures}
		}
		return b
	})
	out := &modelsOutput{modelListBody{Data: page.Data, Total: page.Total}}
	if in.GroupBy == "" {
		return out, nil
	}
	names := groupedFigures
	if by := f.Sort.By; slices.Contains(metrics.FigureNames, by) && !slices.Contains(names, by) {
		names = append(slices.Clone(names), by)
	}
	groups, err := s.Models.Groups(ctx, accountOf(ctx), f, names)
	if err != nil {
		return nil, err
	}
	out.Body.Groups = make([]modelGroupBody, len(groups))
	for i, g := range groups {
		b := modelGroupBody{Label: textOrNull(g.Label), Models: g.Models, Figures: make(map[string]figureSpreadBody, len(names))}
		for k, name := range names {
			spread := g.Figures[k]
			b.Figures[name] = figureSpreadBody{number.Float(spread.Lowest), number.Float(spread.Median), number.Float(spread.Highest)}
		}
		out.Body.Groups[i] = b
	}
	return out, nil
}
