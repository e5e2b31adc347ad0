package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ballast/export"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/query"
	"ballast/script/analysis"
	"ballast/timeseries"
)

// ExportWindow limits an export to a range of dates.
type ExportWindow struct {
	StartDate string `query:"start_date" format:"date" doc:"First date, inclusive; if left out, from the first stored date"`
	EndDate   string `query:"end_date" format:"date" doc:"Last date, inclusive"`
}

type exportAssetsInput struct{ AssetFilterParameters }

type exportBarsInput struct {
	ExportWindow
	Symbols []string `query:"symbols" minLength:"1" maxLength:"40" doc:"Only these assets, in any case; if left out, all"`
	Symbol  []string `query:"symbol" minLength:"1" maxLength:"40" doc:"Same as symbols"`
}

type exportResultsInput struct {
	ExportWindow
	Models []string `query:"models" minLength:"1" doc:"Live runs of these models: ids, slugs, symbols or exact names of your own models, or slugs of public ones. If neither models nor runs are given, of all your own"`
	Model  []string `query:"model" minLength:"1" doc:"Same as models"`
	RunIDs []string `query:"run_ids" minLength:"1" doc:"These runs, live or not, your own or shared"`
	RunID  []string `query:"run_id" minLength:"1" doc:"Same as run_ids"`
}

type exportAnswersInput struct {
	Simulations []string `query:"simulations" minLength:"1" doc:"Live runs of these simulations: ids, slugs, symbols or exact names of your own, or slugs of public ones. If neither simulations nor runs are given, of all your own"`
	Simulation  []string `query:"simulation" minLength:"1" doc:"Same as simulations"`
	RunIDs      []string `query:"run_ids" minLength:"1" doc:"These runs, live or not, your own or shared"`
	RunID       []string `query:"run_id" minLength:"1" doc:"Same as run_ids"`
}

type exportAnalysesInput struct {
	Analyses []string `query:"analyses" minLength:"1" doc:"Live runs of these analyses: ids, slugs, symbols or exact names of your own, or slugs of public ones. If neither analyses nor runs are given, of all your own"`
	Analysis []string `query:"analysis" minLength:"1" doc:"Same as analyses"`
	RunIDs   []string `query:"run_ids" minLength:"1" doc:"These runs, live or not, your own or shared"`
	RunID    []string `query:"run_id" minLength:"1" doc:"Same as run_ids"`
}

type exportRunsInput struct {
	Models []string `query:"models" minLength:"1" doc:"Only runs of these models of yours"`
	Model  []string `query:"model" minLength:"1" doc:"Same as models"`
	Status string   `query:"status" enum:"queued,running,complete,failed" doc:"Only runs in this state"`
	Source string   `query:"source" enum:"create,rebuild,manual,refresh,cascade,promote,draft_test,apply" doc:"Only runs with this source"`

	UpdatesOnly bool `query:"updates_only" default:"false" doc:"Only routine refreshes"`
}

func (s *Server) registerExports() {
	registerExport(s, export.Assets, "Export assets",
		"Exports the catalog in order of symbol: the fields of its records, with tags separated by commas. It takes the same filters as the list of assets.", func(in *exportAssetsInput) export.Query {
			return export.Query{Assets: in.filter()}
		}, fault.UnknownTag)
	registerExport(s, export.Bars, "Export bars",
		"Exports daily bars in order of symbol and date, from one version of the bar store: asset_id, symbol, date, total_return, close, dividend, split.",
		func(in *exportBarsInput) export.Query {
			return in.within(export.Query{Symbols: slices.Concat(in.Symbols, in.Symbol)})
		})
	registerExport(s, export.Returns, "Export returns",
		"Exports daily returns, one run after the other: program_id, program_symbol, program_name, run_id, date, total_return.", (*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Allocations, "Export allocations",
		"Exports daily weights at the close, resolved to tickers, with every ticker and CASH on each date of a run: program_id, program_symbol, program_name, run_id, date, key, name (of the asset), weight.",
		(*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Contributions, "Export contributions",
		"Exports each own member's part of the day's return, every member and CASH on each date of a run; those of a day add up to its return: program_id, program_symbol, program_name, run_id, date, key, name, contribution.",
		(*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Tree, "Export trees",
		"Exports daily weights at every level of models of models: program_id, program_symbol, program_name, run_id, date, path (keys from the model's own member down, with slashes), depth (1 for own members), key, name, weight (of the whole model).",
		(*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Diagnostics, "Export diagnostics",
		"Exports what scripts have recorded, a row for each date and name with a value: program_id, program_symbol, program_name, run_id, date, key, value.",
		(*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Trades, "Export trades",
		"Exports a row for each member of each filled decision or forced sale: program_id, program_symbol, program_name, run_id, date (of the fill), decided, reason, key, name, before, target, traded (fractions of equity), turnover (of the whole event).",
		(*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Metrics, "Export metrics",
		"Exports a row for each run with the plain numbers of its metrics over its history, or over the window: program_id, program_symbol, program_name, run_id, start_date, end_date, and the figures of a list of models.",
		(*exportResultsInput).query, fault.NotFound, fault.NoHistory)
	registerExport(s, export.Runs, "Export runs",
		"Exports your runs, newest first: the scalar fields of their records, the inputs as JSON, and the type and message of an error.",
		func(in *exportRunsInput) export.Query {
			return export.Query{
				Models: slices.Concat(in.Models, in.Model), Status: program.RunStatus(in.Status), Source: program.Source(in.Source), UpdatesOnly: in.UpdatesOnly,
			}
		}, fault.NotFound)
	for _, t := range export.Answers {
		of := query.Find(string(t))
		var columns []string
		for _, c := range of.Columns[2:] {
			columns = append(columns, c.Name)
		}
		summary := "Export " + strings.ReplaceAll(string(t), "_", " ")
		description := func(kinds string) string {
			return fmt.Sprintf("Exports the table %s of the results of %s, one run after the other. %s Columns: program_id, program_symbol, program_name, run_id, %s.", of.Answer(), kinds, of.Doc, strings.Join(columns, ", "))
		}
		if of.Family() == analysis.Kind.Name {
			registerExport(s, t, summary, description("analyses"), (*exportAnalysesInput).query, fault.NotFound, fault.NoHistory)
		} else {
			registerExport(s, t, summary, description("simulations"), (*exportAnswersInput).query, fault.NotFound, fault.NoHistory)
		}
	}
}

// within adds the window to a query.
func (w ExportWindow) within(q export.Query) export.Query {
	q.Start, q.End = dateOf(w.StartDate), dateOf(w.EndDate)
	return q
}

func (in *exportResultsInput) query() export.Query {
	return in.within(export.Query{Models: slices.Concat(in.Models, in.Model), RunIDs: slices.Concat(in.RunIDs, in.RunID)})
}

func (in *exportAnswersInput) query() export.Query {
	return export.Query{Programs: slices.Concat(in.Simulations, in.Simulation), RunIDs: slices.Concat(in.RunIDs, in.RunID), Start: timeseries.NoDate, End: timeseries.NoDate}
}

func (in *exportAnalysesInput) query() export.Query {
	return export.Query{Programs: slices.Concat(in.Analyses, in.Analysis), RunIDs: slices.Concat(in.RunIDs, in.RunID), Start: timeseries.NoDate, End: timeseries.NoDate}
}

// openExport opens an export whose window has been checked.
func (s *Server) openExport(ctx context.Context, q export.Query) (*export.Rows, error) {
	if err := ordered(q.Start, q.End); err != nil {
		return nil, err
	}
	if s.Exports == nil {
		return nil, fault.New(fault.Unavailable, "This server does not offer exports.")
	}
	return s.Exports.Open(ctx, accountOf(ctx), q)
}

// exportQuery sets the table of a query, and clears the window for tables without
// dates.
func exportQuery(t export.Table, q export.Query) export.Query {
	q.Table = t
	if t == export.Assets || t == export.Runs {
		q.Start, q.End = timeseries.NoDate, timeseries.NoDate
	}
	return q
}

// registerExport adds the operation of one table.
func registerExport[I any](s *Server, t export.Table, summary, description string, query func(*I) export.Query, faults ...fault.Type) {
	registerStream(s, route{
		method: http.MethodGet, path: "/v1/exports/" + string(t), id: "export-" + string(t), tag: tagExports, status: http.StatusOK,
		summary: summary, description: description, faults: faults,
	}, string(t), func(ctx context.Context, in *I) (*export.Rows, error) {
		return s.openExport(ctx, exportQuery(t, query(in)))
	})
}
