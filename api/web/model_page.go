package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/timeseries"
)

func (s *Site) modelPageOf() Page {
	return s.resultPageOf("get-model-page", "/model/{slug}", "Page of a model",
		"Shows the run that a model serves: its description, holdings, growth compared with a benchmark, and figures. Anybody may read the page of a public model; its owner, when signed in, may also read that of a private one.",
		"No model with that slug exists that the reader may see",
		&huma.Param{Name: "slug", In: "path", Required: true, Description: "The model's slug", Schema: &huma.Schema{Type: huma.TypeString}},
		s.serveModelPage)
}

func (s *Site) serveModelPage(w http.ResponseWriter, r *http.Request) {
	page, err := s.modelPage(r)
	s.serveResult(w, r, page, err)
}

func (s *Site) modelPage(r *http.Request) (*resultPage, error) {
	readerID, err := s.reader(r)
	if err != nil {
		return nil, err
	}
	slug := mux.Vars(r)["slug"]
	missing := &resultPage{Title: "Page not found", Refusal: "There is no public model at this address. Its owner can read it when signed in."}
	if readerID == "" {
		missing.SignIn = "/signin?return_to=" + url.QueryEscape("/model/"+url.PathEscape(slug))
	}
	m, err := s.Models.Sheet(r.Context(), readerID, slug)
	if fault.TypeOf(err) == fault.NotFound || err == nil && m.Slug != slug {
		return missing, nil
	}
	if err != nil {
		return nil, err
	}
	page := &resultPage{Title: m.Name, Label: m.Symbol, Description: m.Description, first: m.ViewStart()}
	if m.Live == nil {
		page.State = "The model has no result yet. Reload this page when its build has ended."
		if m.Status == program.StatusFailed {
			page.State = "The model has no result: its build failed."
			if m.Failure != nil && m.AccountID == readerID {
				page.State += " " + sentence(m.Failure.Message)
			}
		}
		return page, nil
	}
	read := func(ctx context.Context, q history.Query) (*history.History, error) {
		return s.Histories.History(ctx, readerID, slug, q)
	}
	err = s.fill(r.Context(), readerID, page, m.Live, read, history.Query{}, r.URL.Query())
	if fault.TypeOf(err) == fault.NotFound { // it was deleted or made private since it was read
		return missing, nil
	}
	if err != nil || page.AsOf == "" {
		return page, err
	}
	page.Limit, page.Fresh = limitOf(m), s.freshness(m)
	page.Downloads = downloadsOf("/model/"+url.PathEscape(slug), "")
	if readerID != "" {
		page.Downloads.Script = "/v1/models/" + url.PathEscape(slug) + "/script"
	}
	if m.AccountID == readerID {
		err = s.forOwner(r, page, m)
	}
	return page, err
}

// forOwner adds what the page of a model shows to its owner alone.
func (s *Site) forOwner(r *http.Request, page *resultPage, m *program.Sheet) (err error) {
	page.Warnings = append(s.ownWarnings(m), page.Warnings...)
	if page.Studies, err = s.Studies.StudiesOf(r.Context(), m.AccountID, m.ID, mostStudies); err != nil {
		return err
	}
	page.Timing, err = timingOf(r.Context(), r.URL.Query(), func(ctx context.Context) (*history.History, error) {
		q := history.Query{Timing: true, Start: timeseries.NoDate, End: timeseries.NoDate}
		if start := page.View.start(m.Live.Last); start > page.first {
			q.Start = start
		}
		return s.Histories.History(ctx, m.AccountID, m.Slug, q)
	})
	return err
}

// freshness says whether a model's result reaches the latest finished session.
func (s *Site) freshness(m *program.Sheet) string {
	session := program.Nightly{}.Session(s.Now())
	switch state := m.RefreshState(session).State; {
	case state == "refreshing":
		return "A newer result is being computed."
	case m.Live.Last >= session:
		return "That is the latest finished session."
	case state == "off":
		return fmt.Sprintf("The latest finished session is %s; the model is not refreshed by itself.", session)
	default:
		return fmt.Sprintf("The latest finished session is %s: the result is stale.", session)
	}
}

// mostStudies is how many simulations and analyses the page of a model lists.
const mostStudies = 50

// ownWarnings are for the owner only: what is wrong with the model's refreshes and
// its last rebuild.
func (s *Site) ownWarnings(m *program.Sheet) []string {
	var warnings []string
	if m.Warning != "" {
		warnings = append(warnings, sentence(m.Warning))
	}
	for _, b := range m.RefreshState(program.Nightly{}.Session(s.Now())).Blockers {
		warnings = append(warnings, sentence("the model is not up to date: "+b.Message))
	}
	return warnings
}

// reader returns the account of the reader, who is signed in or sends a key. It
// returns "" for anybody else.
func (s *Site) reader(r *http.Request) (string, error) {
	visitor, err := s.Visitors.Visitor(r)
	if err != nil || visitor == nil {
		return "", err
	}
	return visitor.AccountID, nil
}
