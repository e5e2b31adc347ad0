package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"math"
	"net/url"
	"slices"
	"strings"

	"ballast/api/web/chart"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/metrics"
	"ballast/program/history"
	"ballast/timeseries"
)

// mostOverlaid is how many results one page overlays, its own included.
const mostOverlaid = 8

// overlay compares the result of a page with others that its reader may see.
type overlay struct {
	Asked  string // the others, as the reader wrote them
	Hidden []figure
	Notes  []string // what could not be compared
	From   string   // the days that all have in common; "" if nothing is compared
	To     string
	Names  []string
	Rows   []overlayRow
	Image  template.HTML
}

// overlayRow is a statistic of all results.
type overlayRow struct {
	Name, Field string
	Cells       []string
}

// growing is a result beside others.
type growing struct {
	name string
	h    *history.History
}

// overlayFields are the statistics that are compared.
var overlayFields = []string{"total_return", "cagr", "annual_volatility", "sharpe", "sortino", "calmar", "max_drawdown.value", "ulcer_index", "worst_year", "turnover"}

// overlaid reads the results that an address names in compare, separated by commas, over
// the days that all have in common with the page's own.
func (s *Site) overlaid(ctx context.Context, readerID, title string, own *history.History, address url.Values) (*overlay, error) {
	o := &overlay{Asked: strings.TrimSpace(strings.Join(address["compare"], ", ")), Hidden: kept(address, append(costNames(), "benchmark", "years", "scale")...)}
	all := []growing{{title, own}}
	first, last := own.Dates[0], own.Dates[len(own.Dates)-1]
	seen := map[string]bool{own.RunID: true}
	for _, ref := range strings.Split(o.Asked, ",") {
		ref = strings.TrimSpace(ref)
		if ref == "" {
			continue
		}
		if len(all) == mostOverlaid {
			o.Notes = append(o.Notes, fmt.Sprintf("At most %d results are compared; “%s” and what follows it are left out.", mostOverlaid, ref))
			break
		}
		name, h, err := s.beside(ctx, readerID, ref, history.Query{Returns: true, Metrics: true, Start: first, End: last})
		var refused *fault.Error
		switch {
		case errors.As(err, &refused) && fault.TypeOf(err) != fault.Internal:
			o.Notes = append(o.Notes, fmt.Sprintf("“%s” is not compared: no model or run that you may read has this symbol, slug or id, or it has no result.", ref))
		case err != nil:
			return nil, err
		case seen[h.RunID]:
			o.Notes = append(o.Notes, fmt.Sprintf("“%s” is on the page already.", ref))
		case len(h.Dates) == 0:
			o.Notes = append(o.Notes, fmt.Sprintf("“%s” has no day in common with the page.", ref))
		default:
			seen[h.RunID] = true
			all = append(all, growing{name, h})
		}
	}
	if len(all) == 1 {
		return o, nil
	}
	return o, o.compare(all)
}

// beside reads a run by its id, or a model by what names it.
func (s *Site) beside(ctx context.Context, readerID, ref string, q history.Query) (name string, h *history.History, err error) {
	if runID, ok := id.Parse(id.Run, ref); ok {
		run, err := s.Runs.Run(ctx, readerID, runID)
		if err != nil {
			return "", nil, err
		}
		h, err = s.Histories.RunHistory(ctx, readerID, run.ID, q)
		if name = run.ProgramName; run.Label != "" {
			name += ", " + run.Label
		}
		return name, h, err
	}
	m, err := s.Models.Sheet(ctx, readerID, ref)
	if err != nil {
		return "", nil, err
	}
	h, err = s.Histories.History(ctx, readerID, ref, q)
	return m.Name, h, err
}

// compare draws the results and computes their statistics over the days between the
// latest first and the earliest last one.
func (o *overlay) compare(all []growing) error {
	first, last := all[0].h.Dates[0], timeseries.Date(math.MaxInt32)
	for _, g := range all {
		first, last = max(first, g.h.Dates[0]), min(last, g.h.Dates[len(g.h.Dates)-1])
	}
	if first > last {
		o.Notes = append(o.Notes, "These results have no days in common.")
		return nil
	}
	o.From, o.To = first.String(), last.String()
	blocks := make([]*metrics.Block, len(all))
	f := chart.Figure{ID: "compared", Title: "What 1 grew to", Kind: "line", X: chart.Column{Name: "date"}}
	for i, g := range all {
		from, _ := slices.BinarySearch(g.h.Dates, first)
		to, _ := slices.BinarySearch(g.h.Dates, last+1)
		series := timeseries.Series{Base: g.h.Base, Dates: g.h.Dates[from:to], Returns: g.h.Returns[from:to]}
		if from > 0 {
			series.Base = g.h.Dates[from-1]
		}
		blocks[i] = g.h.Metrics
		if from > 0 || to < len(g.h.Dates) {
			blocks[i] = metrics.Compute(series, metrics.Options{BarsPerYear: g.h.Metrics.Conventions.BarsPerYear})
		}
		o.Names = append(o.Names, g.name)
		equity := metrics.Equity(nil, series.Returns)
		if i == 0 {
			f.X.Dates = append([]timeseries.Date{series.Base}, series.Dates...)
		}
		f.Y = append(f.Y, chart.Column{Name: g.name, Numbers: onDates(f.X.Dates, series.Dates, equity)})
	}
	for i := range statistics {
		st := &statistics[i]
		if !slices.Contains(overlayFields, st.Field) {
			continue
		}
		row := overlayRow{Name: st.Name, Field: st.Field}
		for _, b := range blocks {
			row.Cells = append(row.Cells, st.text(st.of(b)))
		}
		o.Rows = append(o.Rows, row)
	}
	d := chart.Draw(f)
	if d == nil {
		return nil
	}
	var err error
	o.Image, err = d.HTML()
	return err
}

// onDates returns the value of the last date up to each of the given dates. values has one
// more than dates, the first at their base.
func onDates(on, dates []timeseries.Date, values []float64) []float64 {
	out, at := make([]float64, len(on)), 0
	for i, d := range on {
		for at < len(dates) && dates[at] <= d {
			at++
		}
		out[i] = values[at]
	}
	return out
}

// kept are the values of an address that a form keeps.
func kept(address url.Values, names ...string) []figure {
	var hidden []figure
	for _, name := range names {
		if v := address.Get(name); v != "" {
			hidden = append(hidden, figure{name, v})
		}
	}
	return hidden
}
