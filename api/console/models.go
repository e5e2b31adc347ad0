package console

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/timeseries"
)

// modelList is the page of the account's models.
type modelList struct {
	Rows     []modelRow
	Pager    pager
	Columns  []column
	Filter   modelFilter
	Statuses []program.Status
	Back     string // the address of this list
}

// modelFilter is what the address says about which models are listed.
type modelFilter struct {
	Status, Label, Sort string
	Favorite            bool
}

// Active reports whether the filter leaves anything out.
func (f modelFilter) Active() bool { return f.Status != "" || f.Label != "" || f.Favorite }

// modelRow is one model.
type modelRow struct {
	ID, Slug, Name, Symbol, Description string
	Address, Status, AsOf, Freshness    string
	Warning                             string
	Labels                              []string
	Favorite                            bool
	CAGR, Drawdown, Sharpe              float64
	Line                                *sparkline
	Created                             time.Time
}

// column is a heading of a table, with the address that sorts by it.
type column struct {
	Name    string
	Address string // "" if the list cannot be sorted by it
	Order   string // ascending or descending if the list is sorted by it
	Number  bool
}

// modelColumns are the columns of the list. The first press on a column of figures
// sorts the best first, which is the least deep drawdown.
var modelColumns = []struct {
	name, key  string
	descending bool
}{
	{"Model", program.SortName, false}, {"Growth", "", false}, {"CAGR", "cagr", true}, {"Max drawdown", "max_drawdown", true}, {"Sharpe", "sharpe", true},
	{"Status", "", false}, {"As of", "", false}, {"Created", program.SortCreated, true},
}

func (c *Console) listModels(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	query := r.URL.Query()
	filter := modelFilter{Status: query.Get("status"), Label: strings.TrimSpace(query.Get("label")), Sort: query.Get("sort"), Favorite: query.Get("favorite") == "true"}
	f, err := filter.domain()
	if err != nil {
		return view{}, err
	}
	f.Figures, f.Limit, f.Offset = true, pageSize, (page-1)*pageSize
	models, total, err := r.kind.Programs.Models(r.Context(), r.account(), f)
	if err != nil {
		return view{}, err
	}
	list := &modelList{Pager: r.pages(page, total), Filter: filter, Statuses: program.Statuses, Back: r.URL.RequestURI(), Columns: columnsOf(r, f.Sort)}
	session := program.Nightly{}.Session(c.Now())
	for _, m := range models {
		row := modelRowOf(m, session)
		row.Address = r.kind.Address(m.Slug)
		list.Rows = append(list.Rows, row)
	}
	if err := c.drawLines(r.Context(), r.account(), models, list.Rows); err != nil {
		return view{}, err
	}
	return view{Template: "models.html", Title: "Models", Section: Root, Data: list}, nil
}

// domain returns the filter as the list of models takes it.
func (f modelFilter) domain() (program.ModelFilter, error) {
	out := program.ModelFilter{Status: program.Status(f.Status)}
	if f.Status != "" && !slices.Contains(program.Statuses, out.Status) {
		return out, fault.New(fault.InvalidParameter, "There is no status %q.", f.Status).
			With(fault.Detail{Field: "status", Message: "is not a status", Accepted: texts(program.Statuses)})
	}
	if f.Label != "" {
		out.Labels = []string{f.Label}
	}
	if f.Favorite {
		yes := true
		out.Favorite = &yes
	}
	by, descending := strings.CutPrefix(f.Sort, "-")
	var keys []string
	for _, column := range modelColumns {
		if column.key != "" {
			keys = append(keys, column.key)
		}
	}
	if by != "" && !slices.Contains(keys, by) {
		return out, fault.New(fault.InvalidParameter, "The list cannot be sorted by %q.", f.Sort).
			With(fault.Detail{Field: "sort", Message: "is not a column; a leading minus reverses the order", Accepted: keys})
	}
	out.Sort = program.ModelSort{By: by, Descending: descending}
	return out, nil
}

func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// columnsOf returns the headings, each of which sorts by its column or, if the list is
// already sorted by it, reverses the order.
func columnsOf(r *request, sorted program.ModelSort) []column {
	columns := make([]column, len(modelColumns))
	for i, m := range modelColumns {
		columns[i] = column{Name: m.name, Number: m.descending && m.key != program.SortCreated}
		if m.key == "" {
			continue
		}
		descending := m.descending
		if sorted.By == m.key {
			columns[i].Order, descending = "ascending", !sorted.Descending
			if sorted.Descending {
				columns[i].Order = "descending"
			}
		}
		key := m.key
		if descending {
			key = "-" + key
		}
		columns[i].Address = r.with("page", "", "sort", key)
	}
	return columns
}

func modelRowOf(m *program.Sheet, session timeseries.Date) modelRow {
	row := modelRow{
		ID: m.ID, Slug: m.Slug, Name: m.Name, Symbol: m.Symbol, Description: m.Description, Status: string(m.Status), Warning: m.Warning,
		Labels: m.Labels, Favorite: m.IsFavorite != nil && *m.IsFavorite,
		CAGR: m.Figures.Figure("cagr"), Drawdown: m.Figures.Figure("max_drawdown"), Sharpe: m.Figures.Figure("sharpe"),
		Created: m.CreatedAt,
	}
	if m.Live != nil {
		row.AsOf = m.Live.Last.String()
		row.Freshness = m.RefreshState(session).State
	}
	return row
}

// setFavorite marks a model as a favorite, or no longer.
func (c *Console) setFavorite(r *request) (view, error) {
	favorite := r.PostForm.Get("favorite") == "true"
	patch := program.ModelPatch{IsFavorite: program.Change[*bool]{Given: true, To: &favorite}}
	err := c.change(r, "patch-"+r.kind.Name, func(ctx context.Context) error {
		_, err := r.kind.Programs.Patch(ctx, r.account(), r.model(), patch)
		return err
	})
	return view{Next: r.back(r.kind.List())}, err
}

// deleteModel moves a model to the Trash.
func (c *Console) deleteModel(r *request) (view, error) {
	err := c.change(r, "delete-"+r.kind.Name, func(ctx context.Context) error {
		_, err := r.kind.Trash.Delete(ctx, r.account(), r.model())
		return err
	})
	return view{Next: Root + "/trash?" + url.Values{"deleted": {r.model()}, "kind": {r.kind.Name}}.Encode()}, err
}
