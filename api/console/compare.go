package console

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/api/web/chart"
	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

// mostCompared is how many runs are compared at most, as in the REST interface.
const mostCompared = 8

// comparePage shows runs beside each other.
type comparePage struct {
	Runs    []comparedRun
	Window  string // that all runs have in common; "" if there is none
	Drawing template.HTML
	Figures []comparedRow
	Inputs  []comparedRow // those that differ
}

// comparedRun is one of the runs.
type comparedRun struct {
	*program.Run
	Number  int
	Name    string
	Address string
	Own     string // its own window
}

// comparedRow is a row of a table with a cell for each run.
type comparedRow struct {
	Name  string
	Cells []string
}

func (c *Console) compareRuns(r *request) (view, error) {
	ids := r.URL.Query()["run"]
	if len(ids) < 2 || len(ids) > mostCompared {
		return view{}, fault.New(fault.InvalidParameter, "%d runs are chosen. Choose 2 to %d runs and press Compare again.", len(ids), mostCompared).
			With(fault.Detail{Field: "run", Message: fmt.Sprintf("must name 2 to %d runs", mostCompared)})
	}
	found, err := c.Histories.Compare(r.Context(), r.account(), history.CompareQuery{RunIDs: ids})
	if err != nil {
		return view{}, err
	}
	page := &comparePage{}
	for i, run := range found.Runs {
		page.Runs = append(page.Runs, comparedRun{Run: run.Run, Number: i + 1, Name: cmp.Or(run.Label, run.ProgramName), Address: "/run/" + run.ID, Own: windowText(run.First, run.Last)})
	}
	for _, name := range slices.Sorted(maps.Keys(found.Inputs)) {
		row := comparedRow{Name: name}
		for _, run := range found.Runs {
			value, has := found.Inputs[name][run.ID]
			text := "–"
			if has && value != nil {
				text = strings.ReplaceAll(textOf(value), "\n", ", ")
			}
			row.Cells = append(row.Cells, text)
		}
		page.Inputs = append(page.Inputs, row)
	}
	if found.Kind == program.KindModel {
		err = c.compareModels(r.Context(), r.account(), found, page)
	} else {
		page.Figures = comparedScalars(found.Runs)
	}
	return view{Template: "compare.html", Title: "Compare runs", Section: c.kindNamed(found.Kind).List(), Data: page, Charts: true}, err
}

func windowText(first, last timeseries.Date) string {
	if first == timeseries.NoDate {
		return "–"
	}
	return first.String() + " to " + last.String()
}

// modelFigures are the figures by which runs of models are compared.
var modelFigures = []struct {
	title, name string
	format      func(float64) string
}{
	{"Total return", "total_return", percent},
	{"CAGR", "cagr", percent},
	{"Volatility", "annual_volatility", percent},
	{"Sharpe ratio", "sharpe", decimal},
	{"Sortino ratio", "sortino", decimal},
	{"Calmar ratio", "calmar", decimal},
	{"Max drawdown", "max_drawdown", percent},
	{"Best day", "best_day", percent},
	{"Worst day", "worst_day", percent},
	{"Skewness", "skewness", decimal},
}

// compareModels adds the figures and the growth of runs over the window that they have in
// common.
func (c *Console) compareModels(ctx context.Context, accountID string, found *history.Comparison, page *comparePage) error {
	for _, f := range modelFigures {
		row := comparedRow{Name: f.title}
		for _, run := range found.Runs {
			text := "–"
			if run.Metrics != nil {
				text = f.format(metrics.FiguresOf(run.Metrics).Figure(f.name))
			}
			row.Cells = append(row.Cells, text)
		}
		page.Figures = append(page.Figures, row)
	}
	if found.Start == timeseries.NoDate {
		return nil
	}
	page.Window = windowText(found.Start, found.End)
	grown := make([]growth, len(found.Runs))
	for i, run := range found.Runs {
		h, err := c.Histories.RunHistory(ctx, accountID, run.ID, history.Query{Returns: true, Start: found.Start, End: found.End})
		if err != nil {
			return err
		}
		grown[i] = growth{strconv.Itoa(i+1) + " " + page.Runs[i].Name, h.Base, h.Dates, metrics.Equity(nil, h.Returns)}
	}
	drawing := chart.Draw(overlaid(grown))
	if drawing == nil {
		return nil
	}
	var err error
	page.Drawing, err = drawing.HTML()
	return err
}

// growth is what 1 grew to. It has one value more than dates: the 1 at the base.
type growth struct {
	name   string
	base   timeseries.Date
	dates  []timeseries.Date
	values []float64
}

// overlaid draws the growth of runs on one axis. On days without a return of a run it
// shows the value of the last day with one.
func overlaid(grown []growth) chart.Figure {
	days := map[timeseries.Date]bool{}
	for _, g := range grown {
		days[g.base] = true
		for _, d := range g.dates {
			days[d] = true
		}
	}
	f := chart.Figure{ID: "growth", Title: "What 1 grew to", Kind: "line", X: chart.Column{Name: "Date", Dates: slices.Sorted(maps.Keys(days))}}
	for _, g := range grown {
		values, at := make([]float64, len(f.X.Dates)), -1
		for i, d := range f.X.Dates {
			for at < len(g.dates) && (at < 0 && g.base <= d || at >= 0 && g.dates[at] <= d) {
				at++
			}
			values[i] = math.NaN()
			if at >= 0 {
				values[i] = g.values[at]
			}
		}
		f.Y = append(f.Y, chart.Column{Name: g.name, Numbers: values})
	}
	return f
}

// comparedScalars are the scalars of runs of other kinds, in the order of the first run
// that has each.
func comparedScalars(runs []history.ComparedRun) []comparedRow {
	var names []string
	byRun := make([]map[string]string, len(runs))
	for i, run := range runs {
		byRun[i] = map[string]string{}
		for _, s := range scalarsOf(run.Run) {
			byRun[i][s.Title] = s.Text
			if !slices.Contains(names, s.Title) {
				names = append(names, s.Title)
			}
		}
	}
	rows := make([]comparedRow, len(names))
	for i, name := range names {
		rows[i].Name = name
		for _, of := range byRun {
			rows[i].Cells = append(rows[i].Cells, cmp.Or(of[name], "–"))
		}
	}
	return rows
}
