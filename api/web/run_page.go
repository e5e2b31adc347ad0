package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program/history"
)

func (s *Site) runPageOf() Page {
	return s.resultPageOf("get-run-page", "/run/{run_id}", "Page of a shared run",
		"Shows a shared run to anybody: its model's name and description, holdings, growth compared with a benchmark, figures and inputs. The page exists as long as the run is shared.",
		"No shared run has that id",
		&huma.Param{Name: "run_id", In: "path", Required: true, Description: "Run id, in its current or legacy form", Schema: &huma.Schema{Type: huma.TypeString}},
		s.serveRunPage)
}

// resultPageOf describes a result page.
func (s *Site) resultPageOf(id, path, summary, description, missing string, parameter *huma.Param, handler http.HandlerFunc) Page {
	return Page{
		Method: http.MethodGet, Path: path, ID: id, Summary: summary, Description: description,
		Answers: map[int]string{http.StatusOK: "The page", http.StatusNotFound: missing},
		Faults:  []fault.Type{fault.Internal, fault.Unavailable},
		Parameters: []*huma.Param{parameter, {
			Name: "benchmark", In: "query", Description: "Symbol of the asset to compare with; by default SPY, if it has bars", Schema: &huma.Schema{Type: huma.TypeString},
		}},
		Handler: handler,
	}
}

// serveRunPage reads the run as somebody without an account would.
func (s *Site) serveRunPage(w http.ResponseWriter, r *http.Request) {
	page, err := s.runPage(r)
	s.serveResult(w, r, page, err)
}

func (s *Site) runPage(r *http.Request) (*resultPage, error) {
	missing := &resultPage{Title: "Page not found", Refusal: "There is no shared run at this address. Its owner may have stopped sharing it, or deleted it."}
	run, err := s.Runs.Run(r.Context(), "", mux.Vars(r)["run_id"])
	if fault.TypeOf(err) == fault.NotFound {
		return missing, nil
	}
	if err != nil {
		return nil, err
	}
	page := &resultPage{Title: run.ProgramName, Label: run.Label}
	page.Description, err = s.Runs.RunDescription(r.Context(), "", run.ID)
	if err == nil {
		read := func(ctx context.Context, q history.Query) (*history.History, error) {
			return s.Histories.RunHistory(ctx, "", run.ID, q)
		}
		err = s.fill(r.Context(), page, run, read, history.Query{Full: true, Benchmark: r.URL.Query().Get("benchmark")})
	}
	if fault.TypeOf(err) == fault.NotFound { // it was deleted or unshared since it was read
		return missing, nil
	}
	return page, err
}
