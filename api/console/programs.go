package console

import (
	"cmp"
	"strings"

	"ballast/api/web/chart"
	"ballast/program"
)

// programList is the page of the account's programs of a kind other than model.
type programList struct {
	Kind     *Kind
	Rows     []programRow
	Pager    pager
	Filter   modelFilter
	Statuses []program.Status
	Back     string
}

// programRow is one program.
type programRow struct {
	*program.Sheet
	Address, Result string
	Starred         bool
	AsOf            string
	Figures         []scalarText
}

// scalarText is a scalar of a result as text.
type scalarText struct{ Title, Text string }

// fewScalars is how many scalars a row of a list shows.
const fewScalars = 3

func (c *Console) listPrograms(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	query := r.URL.Query()
	filter := modelFilter{Status: query.Get("status"), Label: strings.TrimSpace(query.Get("label")), Favorite: query.Get("favorite") == "true"}
	f, err := filter.domain()
	if err != nil {
		return view{}, err
	}
	f.Limit, f.Offset = pageSize, (page-1)*pageSize
	found, total, err := r.kind.Programs.Models(r.Context(), r.account(), f)
	if err != nil {
		return view{}, err
	}
	list := &programList{Kind: r.kind, Pager: r.pages(page, total), Filter: filter, Statuses: program.Statuses, Back: r.URL.RequestURI()}
	for _, m := range found {
		row := programRow{Sheet: m, Address: r.kind.Address(m.Slug), Result: r.kind.result(m), Starred: m.IsFavorite != nil && *m.IsFavorite, AsOf: "–"}
		if m.Live != nil {
			row.AsOf, row.Figures = m.Live.Last.String(), scalarsOf(m.Live)
			row.Figures = row.Figures[:min(fewScalars, len(row.Figures))]
		}
		list.Rows = append(list.Rows, row)
	}
	return view{Template: "programs.html", Title: r.kind.Title, Section: r.kind.List(), Data: list}, nil
}

// scalarsOf returns the scalars of a run's result as text; none of a model's run.
func scalarsOf(run *program.Run) []scalarText {
	if run.Answer == nil {
		return nil
	}
	var out []scalarText
	for _, s := range run.Answer.Scalars {
		text := chart.Text(float64(s.Value), s.Unit)
		if unit := chart.Unit(s.Unit); unit != "" {
			text += " " + unit
		}
		out = append(out, scalarText{cmp.Or(s.Title, chart.Label(s.Name)), text})
	}
	return out
}
