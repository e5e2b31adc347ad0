package api

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

//go:embed web/run.html
var runPageSource string

//go:embed web/run.css
var runPageStyle string

var runPageTemplate = template.Must(template.New("run").Parse(runPageSource))

// runPage is the public page of a shared run; that of one which is not shared,
// or not there, has a Refusal alone.
type runPage struct {
	Style   template.CSS
	Title   string
	Refusal string

	Label, Status, Failure string
	Window, Base           string
	Plot                   *plot
	Figures                []figure
	Years                  []yearRow
	Inputs                 []figure
	Facts                  []figure
}

// figure is a value with its name.
type figure struct{ Name, Value string }

// yearRow is a year of returns by month.
type yearRow struct {
	Year   int
	Months [12]string
	Whole  string
}

func (s *Server) registerRunPage() {
	s.router.Path("/run/{run_id}").Methods(http.MethodGet).HandlerFunc(s.serveRunPage)
	responses := s.documentFaults([]fault.Type{fault.Internal, fault.Unavailable})
	responses["200"] = textResponse("text/html", "The page")["200"]
	responses["404"] = textResponse("text/html", "There is no shared run of that id")["200"]
	s.api.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "get-run-page", Method: http.MethodGet, Path: "/run/{run_id}", Tags: []string{tagService},
		Summary: "Page of a shared run", Description: "What a shared run shows to anybody: its model's name, its inputs, how it grew and its figures. There is a page as long as the run is shared.",
		Parameters: []*huma.Param{{
			Name: "run_id", In: "path", Required: true, Description: "Run id, in its current or legacy form", Schema: &huma.Schema{Type: huma.TypeString},
		}},
		Responses: responses,
	})
}

// serveRunPage reads the run as somebody without an account does.
func (s *Server) serveRunPage(w http.ResponseWriter, r *http.Request) {
	page, status, err := s.runPage(r.Context(), mux.Vars(r)["run_id"])
	if err != nil {
		s.writeRefusal(w, r.Context(), err)
		return
	}
	page.Style = template.CSS(referenceStyle + runPageStyle) //nolint:gosec // our own files
	var body bytes.Buffer
	if err := runPageTemplate.Execute(&body, page); err != nil {
		s.writeRefusal(w, r.Context(), fmt.Errorf("render the page of a run: %w", err))
		return
	}
	htmlHeaders(w.Header())
	w.Header().Set("Cache-Control", "no-store") // it may be shared no more a moment later
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("X-Robots-Tag", "noindex")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

func (s *Server) runPage(ctx context.Context, runID string) (page *runPage, status int, err error) {
	run, err := s.Models.Run(ctx, "", runID)
	if fault.TypeOf(err) == fault.NotFound {
		return missingRunPage(), http.StatusNotFound, nil
	}
	if err != nil {
		return nil, 0, err
	}
	page = &runPage{Title: run.ProgramName, Label: run.Label, Status: string(run.Status), Inputs: inputsShown(run.Inputs), Facts: factsOf(run)}
	if run.Failure != nil {
		page.Failure = run.Failure.Message
	}
	if run.Status != program.RunComplete {
		return page, http.StatusOK, nil
	}
	h, err := s.Models.RunHistory(ctx, "", run.ID, program.HistoryQuery{
		Returns: true, Metrics: true, Full: true, Start: timeseries.NoDate, End: timeseries.NoDate,
	})
	if fault.TypeOf(err) == fault.NotFound { // since a moment
		return missingRunPage(), http.StatusNotFound, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if len(h.Dates) > 0 {
		page.Base, page.Window = h.Base.String(), fmt.Sprintf("%s to %s", h.Dates[0], h.Dates[len(h.Dates)-1])
		page.Plot = newPlot(h.Base, h.Dates, h.Returns)
	}
	if h.Metrics != nil {
		page.Figures, page.Years = figuresOf(h.Metrics), yearRows(h.Metrics.Monthly)
	}
	return page, http.StatusOK, nil
}

func missingRunPage() *runPage {
	return &runPage{Title: "No such page", Refusal: "There is no shared run at this address. Whoever gave it to you may have stopped sharing the run, or deleted it."}
}

// inputsShown are the inputs of a run by name.
func inputsShown(raw json.RawMessage) []figure {
	values := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&values) != nil {
		return nil
	}
	var shown []figure
	for _, name := range sortedKeys(values) {
		shown = append(shown, figure{name, inputShown(values[name])})
	}
	return shown
}

func inputShown(value any) string {
	switch v := value.(type) {
	case nil:
		return "–"
	case string:
		return v
	case []any:
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = inputShown(x)
		}
		return strings.Join(texts, ", ")
	}
	return fmt.Sprint(value)
}

func factsOf(run *program.Run) []figure {
	facts := []figure{{"Run", run.ID}, {"Started", run.CreatedAt.UTC().Format("2006-01-02 15:04 MST")}, {"Script (SHA-256)", run.ScriptHash}}
	var private []string
	for _, m := range run.Members {
		if m.Private {
			private = append(private, m.Key)
		}
	}
	if len(private) > 0 {
		facts = append(facts, figure{"Members kept private", strings.Join(private, ", ")})
	}
	if run.Status == program.RunComplete {
		facts = append(facts, figure{"Result (SHA-256)", run.ResultHash}, figure{"Harness", run.HarnessVersion})
	}
	return facts
}

func figuresOf(b *metrics.Block) []figure {
	return []figure{
		{"Total return", percent(float64(b.TotalReturn), 1)}, {"A year", percent(float64(b.CAGR), 2)},
		{"Volatility", percent(float64(b.AnnualVolatility), 2)}, {"Sharpe", ratio(float64(b.Sharpe))},
		{"Sortino", ratio(float64(b.Sortino))}, {"Calmar", ratio(float64(b.Calmar))},
		{"Deepest drawdown", percent(float64(b.MaxDrawdown.Value), 1)}, {"Best year", percent(float64(b.BestYear), 1)},
		{"Worst year", percent(float64(b.WorstYear), 1)}, {"Months above 0", percent(float64(b.PositiveMonths), 0)},
		{"Turnover a year", percent(float64(b.Turnover), 0)}, {"Time in the market", percent(float64(b.TimeInMarket), 0)},
	}
}

// yearRows are years of returns, the latest first.
func yearRows(years []metrics.Year) []yearRow {
	var rows []yearRow
	for _, y := range slices.Backward(years) {
		row := yearRow{Year: y.Year, Whole: percent(float64(y.YearReturn), 1)}
		for m, v := range y.Months {
			if !math.IsNaN(float64(v)) {
				row.Months[m] = percent(float64(v), 1)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// percent is a fraction in per cent, with a true minus.
func percent(v float64, decimals int) string { return decimal(100*v, decimals, "\u202f%") }

func ratio(v float64) string { return decimal(v, 2, "") }

func decimal(v float64, decimals int, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	if v < 0 && strings.Trim(text, "0.") != "" {
		text = "−" + text
	}
	return text + unit
}
