package web

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/api/web/chart"
	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/program"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/query"
	"ballast/script"
	"ballast/timeseries"
)

// columns are a table of a result, read column by column.
type columns struct{ record arrow.RecordBatch }

// tableNamed returns a table of what was read, or nil.
func tableNamed(found *result.Found, name string) (*columns, error) {
	for _, t := range found.Tables {
		if t.Name == name {
			return &columns{t.Record}, nil
		}
	}
	if name == samplePaths {
		return nil, nil
	}
	return nil, fmt.Errorf("the run %s has no table %s, which a figure is drawn from", found.Run.ID, name)
}

func (t *columns) has(name string) bool { return len(t.record.Schema().FieldIndices(name)) > 0 }

// column returns a column for drawing; one that is missing is empty.
func (t *columns) column(name, unit string) chart.Column {
	c := chart.Column{Name: name, Unit: unit}
	at := t.record.Schema().FieldIndices(name)
	if len(at) == 0 {
		return c
	}
	values := t.record.Column(at[0])
	switch values := values.(type) {
	case *array.Float64:
		c.Numbers = make([]float64, values.Len())
		for i := range c.Numbers {
			if c.Numbers[i] = math.NaN(); !values.IsNull(i) {
				c.Numbers[i] = values.Value(i)
			}
		}
	case *array.Date32:
		c.Dates = make([]timeseries.Date, values.Len())
		for i := range c.Dates {
			if c.Dates[i] = timeseries.NoDate; !values.IsNull(i) {
				c.Dates[i] = timeseries.Date(values.Value(i))
			}
		}
	case *array.String:
		c.Texts = make([]string, values.Len())
		for i := range c.Texts {
			c.Texts[i] = values.Value(i)
		}
	}
	return c
}

// groups are the other columns of texts, which tell the lines of a long table apart.
func (t *columns) groups(f script.Figure) []chart.Column {
	if f.Kind != "line" && f.Kind != "scatter" {
		return nil
	}
	var groups []chart.Column
	for i, field := range t.record.Schema().Fields() {
		if _, texts := t.record.Column(i).(*array.String); texts && field.Name != f.X && !slices.Contains(f.Y, field.Name) {
			groups = append(groups, t.column(field.Name, ""))
		}
	}
	return groups
}

// cell is a value of a table, as text and as the number that the interface returns.
type cell struct{ Text, Exact string }

func numberCell(v float64, unit string) cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return cell{Text: "–"}
	}
	return cell{chart.Text(v, unit), string(number.Append(nil, v))}
}

// shownTable holds the rows that a figure is drawn from, or some of them.
type shownTable struct {
	tableLinks
	Head []string
	Rows [][]cell
	Note string // which rows are left out
}

// shownRows is how many rows a page shows of a table, about.
const shownRows = 60

// figureTable returns the table of a figure: its columns, with fewer rows if there are
// many; for a histogram, how many values each bar has.
func figureTable(f *chart.Figure, d *chart.Drawing) *shownTable {
	if d != nil && d.Bins != nil {
		t := &shownTable{Head: []string{"From", "To", "Values", "Share"}}
		for _, b := range d.Bins {
			t.Rows = append(t.Rows, []cell{numberCell(b.From, f.X.Unit), numberCell(b.To, f.X.Unit), numberCell(float64(b.Count), ""), numberCell(b.Share, "fraction")})
		}
		return t
	}
	shown := append(append(slices.Clone(f.Groups), f.X), f.Y...)
	t := &shownTable{}
	for _, c := range shown {
		t.Head = append(t.Head, chart.Label(c.Name))
	}
	n := f.X.Len()
	every := 1
	if n > shownRows {
		every = (n + shownRows - 1) / shownRows
		if f.X.Unit == "months" {
			every = 12 * ((every + 11) / 12)
		}
	}
	for row := range n {
		if row%every != 0 && row != n-1 {
			continue
		}
		cells := make([]cell, len(shown))
		for i := range shown {
			cells[i] = cellOf(&shown[i], row)
		}
		t.Rows = append(t.Rows, cells)
	}
	if every > 1 {
		t.Note = fmt.Sprintf("One of %d rows is shown, and the last; the table has %s rows.", every, chart.Text(float64(n), ""))
	}
	return t
}

func cellOf(c *chart.Column, row int) cell {
	switch {
	case row >= c.Len():
		return cell{Text: "–"}
	case c.Numbers == nil:
		return cell{Text: c.Text(row)}
	}
	return numberCell(c.Numbers[row], c.Unit)
}

// tableLinks are the addresses of a table's files.
type tableLinks struct{ Name, CSV, Parquet, Arrow string }

func linksOf(run *program.Run, table string) tableLinks {
	at := "/run/" + url.PathEscape(run.ID) + "/" + url.PathEscape(table)
	return tableLinks{table, at + ".csv", at + ".parquet", at + ".arrow"}
}

// tablesOf are the tables of a run, by name.
func tablesOf(run *program.Run) []tableLinks {
	var links []tableLinks
	for _, name := range slices.Sorted(maps.Keys(run.Tables)) {
		links = append(links, linksOf(run, name))
	}
	return links
}

// files are the forms of a table, by how the file's name ends.
var files = map[string]struct {
	media string
	write func(http.ResponseWriter, query.Rows) error
}{
	".csv":     {"text/csv; charset=utf-8", func(w http.ResponseWriter, rows query.Rows) error { return query.WriteCSV(w, rows) }},
	".parquet": {"application/vnd.apache.parquet", func(w http.ResponseWriter, rows query.Rows) error { return query.WriteParquet(w, rows) }},
	".arrow":   {"application/vnd.apache.arrow.stream", func(w http.ResponseWriter, rows query.Rows) error { return query.WriteArrow(w, rows) }},
}

func (s *Site) runTableOf() Page {
	parameter := func(name, description string) *huma.Param {
		return &huma.Param{Name: name, In: "path", Required: true, Description: description, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	return Page{
		Method: http.MethodGet, Path: "/run/{run_id}/{file}", ID: "get-run-table", Summary: "Table of a shared run",
		Description: "Returns one table of a shared run of a simulation or an analysis to anybody, and of any run to its owner when signed in, as CSV, Parquet or Arrow. A model's run has the table days: its return of each day, the weight of each holding and what each member added.",
		Parameters:  []*huma.Param{parameter("run_id", "Run id, in its current or legacy form"), parameter("file", "The table's name, then .csv, .parquet or .arrow")},
		Answers:     map[int]string{http.StatusOK: "The table"},
		Media:       []string{"text/csv", "application/vnd.apache.parquet", "application/vnd.apache.arrow.stream"},
		Faults:      []fault.Type{fault.NotFound, fault.Internal, fault.Unavailable},
		Handler:     s.serveTable,
	}
}

// writeTable writes a table of a shared run; of a model's run, the table of its days.
func (s *Site) writeTable(w http.ResponseWriter, r *http.Request) error {
	name := mux.Vars(r)["file"]
	table, ending, _ := strings.Cut(name, ".")
	form, known := files["."+ending]
	readerID, err := s.reader(r)
	if err != nil {
		return err
	}
	run, err := s.Runs.Run(r.Context(), readerID, mux.Vars(r)["run_id"])
	if err != nil {
		return err
	}
	if run.Answer == nil && run.Status == program.RunComplete {
		return s.writeDays(w, r, run.ID, func(ctx context.Context, readerID string, q history.Query) (*history.History, error) {
			q.Full = true
			return s.Histories.RunHistory(ctx, readerID, run.ID, q)
		})
	}
	if _, has := run.Tables[table]; !known || !has || run.Answer == nil {
		return fault.Missing("table", name)
	}
	found, err := s.Answers.ReadRun(r.Context(), run, table)
	if err != nil {
		return err
	}
	defer found.Release()
	record, _ := found.Record()
	fileHeaders(w.Header(), form.media, run.ID+"-"+table+"."+ending)
	_ = form.write(w, query.RowsOf(record)) // only a reader who has left makes it fail, and the headers are sent
	return nil
}
