package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

func (s *Site) runPageOf() Page {
	page := s.resultPageOf("get-run-page", "/run/{run_id}", "Page of a shared run",
		"Shows a shared run to anybody, and any run to its owner when signed in. For a model's run: its name and description, holdings, growth compared with a benchmark, figures and inputs. For a simulation's run: the plan in words, its scalars and figures with their tables, and what is uncertain. The page exists as long as the run is shared.",
		"No shared run has that id",
		&huma.Param{Name: "run_id", In: "path", Required: true, Description: "Run id, in its current or legacy form", Schema: &huma.Schema{Type: huma.TypeString}},
		s.serveRunPage)
	page.Parameters = append(page.Parameters,
		&huma.Param{Name: "money", In: "query", Description: "For a simulation's run: nominal shows money of the day instead of prices of the start", Schema: &huma.Schema{Type: huma.TypeString}},
		&huma.Param{Name: "path", In: "query", Description: "For a simulation's run: which of the paths that the result keeps is shown, from 0", Schema: &huma.Schema{Type: huma.TypeString}})
	return page
}

// resultPageOf describes a result page.
func (s *Site) resultPageOf(id, path, summary, description, missing string, parameter *huma.Param, handler http.HandlerFunc) Page {
	return Page{
		Method: http.MethodGet, Path: path, ID: id, Summary: summary, Description: description,
		Answers: map[int]string{http.StatusOK: "The page", http.StatusNotFound: missing},
		Faults:  []fault.Type{fault.Internal, fault.Unavailable},
		Parameters: append([]*huma.Param{parameter, {
			Name: "benchmark", In: "query", Description: "Symbol of the asset to compare with; by default SPY, if it has bars", Schema: &huma.Schema{Type: huma.TypeString},
		}}, append(append(viewParameters(), costParameters()...), extraParameters()...)...),
		Handler: handler,
	}
}

func (s *Site) serveRunPage(w http.ResponseWriter, r *http.Request) {
	page, err := s.runPage(r)
	s.serveResult(w, r, page, err)
}

func (s *Site) runPage(r *http.Request) (*resultPage, error) {
	readerID, err := s.reader(r)
	if err != nil {
		return nil, err
	}
	ref := mux.Vars(r)["run_id"]
	missing := &resultPage{Title: "Page not found", Refusal: "There is no shared run at this address. Its owner may have stopped sharing it, or deleted it. The owner can read it when signed in."}
	if readerID == "" {
		missing.SignIn = "/signin?return_to=" + url.QueryEscape("/run/"+url.PathEscape(ref))
	}
	run, err := s.Runs.Run(r.Context(), readerID, ref)
	if fault.TypeOf(err) == fault.NotFound {
		return missing, nil
	}
	if err != nil {
		return nil, err
	}
	page := &resultPage{Title: run.ProgramName, Label: run.Label, first: timeseries.NoDate}
	p, err := s.Runs.RunScript(r.Context(), readerID, run.ID)
	if p != nil {
		page.Description = p.Description
	}
	switch {
	case err != nil:
	case run.Status == program.RunComplete && run.Answer != nil:
		page.about(run)
		err = s.fillAnswer(r.Context(), page, p, run, r.URL.Query())
	default:
		read := func(ctx context.Context, q history.Query) (*history.History, error) {
			return s.Histories.RunHistory(ctx, readerID, run.ID, q)
		}
		err = s.fill(r.Context(), readerID, page, run, read, history.Query{Full: true}, r.URL.Query())
		if page.AsOf != "" {
			page.Downloads = downloadsOf("/run/"+url.PathEscape(run.ID), "")
		}
	}
	if fault.TypeOf(err) == fault.NotFound { // it was deleted or unshared since it was read
		return missing, nil
	}
	return page, err
}
