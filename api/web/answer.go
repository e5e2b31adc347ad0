package web

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ballast/api/web/chart"
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/analysis"
	"ballast/script/simulation"
)

// answer is the result of a run of a kind other than model, as its page shows it: in
// words, as scalars, and as figures with the tables that they are drawn from.
type answer struct {
	Words
	Window   string
	Scalars  []scalarRow
	Money    *moneyLinks
	Figures  []shownFigure
	Path     *pathSection
	Tables   []tableLinks
	JSON     string // address of the result, for readers with a key
	Script   string // address of the script, likewise
	Log      []string
	MoreLogs int
}

// Words say in sentences what a run computes, and what its result does not say.
type Words struct{ Plan, Uncertain []string }

// wordings write the sentences of a kind, from a run's script (nil if it cannot be read)
// and the run.
var wordings = map[string]func(*script.Script, *program.Run) Words{
	simulation.Kind.Name: simulationWords,
	analysis.Kind.Name:   analysisWords,
}

// analysisWords say what an analysis leaves open. What it computes is its description.
func analysisWords(_ *script.Script, run *program.Run) Words {
	w := Words{Uncertain: []string{"All of this describes the past, over the days above. How returns are related changes with time."}}
	for _, x := range []struct{ table, sentence string }{
		{"rolling_factors", "The loadings over 36 months show by how much they have changed."},
		{"factors", "Each loading has a 95 % interval, in the table of factors. One that contains 0 may be chance."},
		{"correlation", "Each pair is correlated over the days that both have, whose number is in the table. With few days, correlations vary a lot by chance."},
		{"style", "The mix is the nearest one of these indices. If none of them resembles what is explained, R² is low and the weights mean little."},
		{"tails", "Large losses are rare, so estimates of them are rough: where the three methods differ, none is certain."},
		{"stress", "What is held today was perhaps not held then. An episode that the data do not cover has no value."},
	} {
		if _, has := run.Tables[x.table]; has {
			w.Uncertain = append(w.Uncertain, x.sentence)
		}
	}
	return w
}

func simulationWords(p *script.Script, run *program.Run) Words {
	if p == nil {
		return Words{}
	}
	plan, uncertain := simulation.InWords(p, run.Inputs, run.Answer.Scalars)
	return Words{plan, uncertain}
}

// scalarRow is a scalar of a result.
type scalarRow struct {
	Title, Unit string
	cell
}

// moneyLinks switch between prices of the start and money of the day.
type moneyLinks struct {
	Real, Nominal string // addresses
	IsNominal     bool
}

// shownFigure is a figure, drawn if that is possible, and its table.
type shownFigure struct {
	ID, Title string
	Drawing   template.HTML
	Table     *shownTable
}

// maxLogLines is how many lines of the log a page shows.
const maxLogLines = 100

// fillAnswer adds the result of a complete run. It reads only tables that figures are
// drawn from.
func (s *Site) fillAnswer(ctx context.Context, page *resultPage, p *script.Script, run *program.Run, query url.Values) error {
	stored := run.Answer
	a := &answer{Tables: tablesOf(run), JSON: "/v1/runs/" + run.ID + "?include=result", Script: scriptAddress(run)}
	if words := wordings[program.KindOf(run.ProgramID)]; words != nil {
		a.Words = words(p, run)
	}
	if d := stored.Drawn; d != nil {
		a.Window = fmt.Sprintf("Computed from data of %s to %s.", d.First, d.Last)
	}
	for _, x := range stored.Scalars {
		title := x.Title
		if title == "" {
			title = chart.Label(x.Name)
		}
		a.Scalars = append(a.Scalars, scalarRow{title, chart.Unit(x.Unit), numberCell(float64(x.Value), x.Unit)})
	}
	a.Log = stored.Log[:min(len(stored.Log), maxLogLines)]
	a.MoreLogs = len(stored.Log) - len(a.Log)
	names := []string{}
	for _, f := range stored.Figures {
		if !slices.Contains(names, f.Table) {
			names = append(names, f.Table)
		}
	}
	if _, ok := run.Tables[samplePaths]; ok {
		names = append(names, samplePaths)
	}
	found, err := s.Answers.ReadRun(ctx, run, slices.Compact(names)...)
	if err != nil {
		return err
	}
	defer found.Release()
	nominal := query.Get("money") == "nominal"
	for i, f := range stored.Figures {
		t, err := tableNamed(found, f.Table)
		if err != nil {
			return err
		}
		inReal, switched := t.inMoneyOfTheDay(f)
		if switched && a.Money == nil {
			a.Money = &moneyLinks{Real: link(query, "money", ""), Nominal: link(query, "money", "nominal"), IsNominal: nominal}
		}
		if nominal && switched {
			f = inReal
		}
		shown, err := show(fmt.Sprintf("figure-%d", i+1), f, t)
		if err != nil {
			return err
		}
		shown.Table.tableLinks = linksOf(run, f.Table)
		a.Figures = append(a.Figures, *shown)
	}
	if a.Path, err = pathOf(found, query); err != nil {
		return err
	}
	page.Answer = a
	return nil
}

// show draws a figure of a table.
func show(id string, f script.Figure, t *columns) (*shownFigure, error) {
	figure := chart.Figure{ID: id, Title: f.Title, Kind: f.Kind, X: t.column(f.X, f.XUnit)}
	if figure.Title == "" {
		figure.Title = chart.Label(f.Name)
	}
	for _, y := range f.Y {
		figure.Y = append(figure.Y, t.column(y, f.YUnit))
	}
	figure.Groups = t.groups(f)
	shown := &shownFigure{ID: id, Title: figure.Title}
	drawing := chart.Draw(figure)
	shown.Table = figureTable(&figure, drawing)
	if drawing == nil {
		return shown, nil
	}
	var err error
	shown.Drawing, err = drawing.HTML()
	return shown, err
}

// withoutFiles removes the links to files, which only readers of the run itself get.
func (a *answer) withoutFiles() {
	a.JSON, a.Script, a.Tables = "", "", nil
	for i := range a.Figures {
		a.Figures[i].Table.tableLinks = tableLinks{Name: a.Figures[i].Table.Name}
	}
}

// link returns the address of the page with one parameter changed; "" takes it away.
func link(query url.Values, name, value string) string {
	changed := url.Values{}
	for key, values := range query {
		if key == "money" || key == "path" { // others are not the page's
			changed[key] = values
		}
	}
	changed.Del(name)
	if value != "" {
		changed.Set(name, value)
	}
	return "?" + changed.Encode()
}

// collections are where programs of a kind are, below /v1.
var collections = map[string]string{simulation.Kind.Name: "simulations", analysis.Kind.Name: "analyses"}

// scriptAddress is where the script of a run's program downloads.
func scriptAddress(run *program.Run) string {
	collection, known := collections[program.KindOf(run.ProgramID)]
	if !known {
		return ""
	}
	return "/v1/" + collection + "/" + url.PathEscape(run.ProgramID) + "/script"
}

// samplePaths is the table of the paths that a simulation keeps whole.
const samplePaths = "sample_paths"

// pathSection shows one of the paths that a simulation keeps.
type pathSection struct {
	shownFigure
	Number         int
	Last           int
	Previous, Next string // addresses; "" at the ends
	Note           string
}

// pathOf shows the path that the address names, the first without one. It returns nil
// for a result that keeps no paths.
func pathOf(found *result.Found, query url.Values) (*pathSection, error) {
	t, err := tableNamed(found, samplePaths)
	if err != nil || t == nil {
		return nil, err
	}
	paths, steps, values := t.column("path", ""), t.column("step", "months"), t.column("value", "usd")
	if len(paths.Numbers) == 0 || len(steps.Numbers) == 0 || len(values.Numbers) == 0 {
		return nil, nil
	}
	section := &pathSection{Last: int(slices.Max(paths.Numbers))}
	if asked := query.Get("path"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 0 || n > section.Last {
			section.Note = fmt.Sprintf("The paths 0 to %d are kept; this is path 0. Read others with the parameter path of the simulation's result.", section.Last)
		} else {
			section.Number = n
		}
	}
	x, y := chart.Column{Name: "step", Unit: steps.Unit}, chart.Column{Name: "value", Unit: values.Unit}
	for row, p := range paths.Numbers {
		if int(p) == section.Number {
			x.Numbers, y.Numbers = append(x.Numbers, steps.Numbers[row]), append(y.Numbers, values.Numbers[row])
		}
	}
	figure := chart.Figure{ID: "one-path", Title: fmt.Sprintf("Value by month of path %d, in money of the day", section.Number), Kind: "line", X: x, Y: []chart.Column{y}}
	section.shownFigure = shownFigure{ID: figure.ID, Title: figure.Title}
	drawing := chart.Draw(figure)
	section.Table = figureTable(&figure, drawing)
	if drawing != nil {
		if section.Drawing, err = drawing.HTML(); err != nil {
			return nil, err
		}
	}
	section.Table.tableLinks = linksOf(found.Run, samplePaths)
	if section.Number > 0 {
		section.Previous = link(query, "path", strconv.Itoa(section.Number-1)) + "#one-path-section"
	}
	if section.Number < section.Last {
		section.Next = link(query, "path", strconv.Itoa(section.Number+1)) + "#one-path-section"
	}
	return section, nil
}

// inMoneyOfTheDay returns a figure in prices of the start with the columns of the same
// money as it was paid; false if it is not such a figure, or its table lacks them.
func (t *columns) inMoneyOfTheDay(f script.Figure) (script.Figure, bool) {
	changed := f
	switched := false
	nominal := func(name string) string {
		plain, inReal := strings.CutSuffix(name, simulation.RealSuffix)
		if !inReal || !t.has(plain) {
			return name
		}
		switched = true
		return plain
	}
	changed.X, changed.Y = nominal(f.X), slices.Clone(f.Y)
	for i := range changed.Y {
		changed.Y[i] = nominal(f.Y[i])
	}
	changed.Title = strings.TrimSuffix(f.Title, simulation.RealMoney) + ", in money of the day"
	return changed, switched
}

// serveTable writes one table of a shared run as a file.
func (s *Site) serveTable(w http.ResponseWriter, r *http.Request) {
	if err := s.writeTable(w, r); err != nil {
		s.Refusals.Refuse(w, r, err)
	}
}
