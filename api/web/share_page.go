package web

import (
	"context"
	_ "embed"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gorilla/mux"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/program/shares"
	"ballast/timeseries"
)

// Shares opens shares by their tokens. *shares.Service implements it.
type Shares interface {
	// Open returns the share of a token; fault.NotFound for anything else. counted says
	// whether it counts as a view.
	Open(ctx context.Context, token string, counted bool) (*shares.Share, error)
}

// Linked reads what shares are of, by id, for anybody. It is used only for ids of open
// shares.
type Linked struct {
	Shares    Shares
	Models    Models    // program.Linked implements it
	Runs      Runs      // likewise
	Histories Histories // a *history.Service on program.Linked
}

// closed is what every address of a share says that cannot be viewed, whatever the reason.
const closed = "There is nothing to see at this address. The link may be incomplete, or whoever sent it has ended or paused the share. Ask them for a new link."

// shareFiles are what a share's address has below it, besides the files of days.
const (
	embedFile  = "embed"
	chartFile  = "chart.svg"
	scriptFile = "script.py"
)

func (s *Site) sharePages() []Page {
	if s.Linked.Shares == nil {
		return nil
	}
	token := &huma.Param{Name: "token", In: "path", Required: true, Description: "The secret part of the share's address", Schema: &huma.Schema{Type: huma.TypeString}}
	page := s.resultPageOf("get-share-page", "/share/{token}", "Page of a share",
		"Shows the parts of a result that its owner has shared by this link, to anybody who has it.",
		"The link is not one of a share that can be viewed now", token, s.serveShare)
	file := page
	file.ID, file.Path, file.Summary = "get-share-file", "/share/{token}/{file}", "File of a share"
	file.Description = "embed is a page for a frame of another site, with the growth and the figures; chart.svg a drawing of the growth; days.csv, days.parquet and days.arrow what a model did on each day, if the share shows downloads; script.py the script, if the share shows it."
	file.Parameters = append([]*huma.Param{token, {Name: "file", In: "path", Required: true, Description: "embed, chart.svg, days.csv, days.parquet, days.arrow or script.py", Schema: &huma.Schema{Type: huma.TypeString}}}, page.Parameters[1:]...)
	file.Media = []string{"text/html", "image/svg+xml", "text/csv", "application/vnd.apache.parquet", "application/vnd.apache.arrow.stream", "text/x-python"}
	file.Answers = map[int]string{http.StatusOK: "The file"}
	file.Faults, file.RefusesWithPage = append([]fault.Type{fault.NotFound}, page.Faults...), true
	file.Handler = s.serveShareFile
	return []Page{page, file}
}

func (s *Site) serveShare(w http.ResponseWriter, r *http.Request) {
	page, _, err := s.sharePage(r, true)
	s.serveShared(w, r, page, err)
}

// serveShared writes a page of a share. Whatever is not found is the same page.
func (s *Site) serveShared(w http.ResponseWriter, r *http.Request, page *resultPage, err error) {
	if fault.TypeOf(err) == fault.NotFound {
		page, err = &resultPage{Title: "Page not found", Refusal: closed}, nil
	}
	s.serveResult(w, r, page, err)
}

func (s *Site) serveShareFile(w http.ResponseWriter, r *http.Request) {
	file := mux.Vars(r)["file"]
	if file == embedFile {
		page, share, err := s.sharePage(r, true)
		if err == nil {
			page.embedded, page.shows = true, func(panel string) bool {
				return share.Shows(panel) && (panel == "growth" || panel == "figures" || panel == "answer")
			}
		}
		s.serveShared(w, r, page, err)
		return
	}
	var err error
	switch file {
	case chartFile:
		err = s.serveShareChart(w, r)
	case scriptFile:
		err = s.serveShareScript(w, r)
	default:
		err = s.serveShareDays(w, r)
	}
	if err != nil {
		s.Refusals.Refuse(w, r, err)
	}
}

// sharePage reads the page of a share; fault.NotFound.
func (s *Site) sharePage(r *http.Request, counted bool) (*resultPage, *shares.Share, error) {
	ctx, token := r.Context(), mux.Vars(r)["token"]
	share, err := s.Linked.Shares.Open(ctx, token, counted && !s.HeadersOnly(r))
	if err != nil {
		return nil, nil, err
	}
	var page *resultPage
	if share.RunID == "" {
		page, err = s.sharedModel(ctx, share, r.URL.Query())
	} else {
		page, err = s.sharedRun(ctx, share, r.URL.Query())
	}
	if err != nil {
		return nil, nil, err
	}
	page.shows = share.Shows
	if page.AsOf != "" && page.Answer == nil {
		page.Downloads = downloadsOf("/share/"+token, "")
	}
	if share.ShowScript && page.Downloads != nil {
		page.Downloads.Script = "/share/" + token + "/" + scriptFile
	}
	if !share.ShowScript {
		page.Facts = slices.DeleteFunc(page.Facts, func(f figure) bool { return f.Name == scriptFact || strings.HasPrefix(f.Name, optimizerFact) })
	}
	if !share.ShowAmounts {
		// An input of every model, and the only one that is money by its meaning.
		page.Inputs = slices.DeleteFunc(page.Inputs, func(f figure) bool { return f.Name == "initial_cash" })
	}
	return page, share, nil
}

func (s *Site) sharedModel(ctx context.Context, share *shares.Share, address url.Values) (*resultPage, error) {
	m, err := s.Linked.Models.Sheet(ctx, "", share.ProgramID)
	if err != nil {
		return nil, err
	}
	page := &resultPage{Title: m.Name, Label: m.Symbol, Description: m.Description, first: m.ViewStart()}
	if m.Live == nil {
		page.State = "The model has no result now."
		return page, nil
	}
	read := func(ctx context.Context, q history.Query) (*history.History, error) {
		return s.Linked.Histories.History(ctx, "", share.ProgramID, q)
	}
	if err := s.fill(ctx, "", page, m.Live, read, history.Query{}, address); err != nil || page.AsOf == "" {
		return page, err
	}
	page.Limit, page.Fresh = limitOf(m), s.freshness(m)
	return page, nil
}

func (s *Site) sharedRun(ctx context.Context, share *shares.Share, address url.Values) (*resultPage, error) {
	run, err := s.Linked.Runs.Run(ctx, "", share.RunID)
	if err != nil {
		return nil, err
	}
	page := &resultPage{Title: run.ProgramName, first: timeseries.NoDate}
	p, err := s.Linked.Runs.RunScript(ctx, "", run.ID)
	if err != nil {
		return nil, err
	}
	if p != nil {
		page.Description = p.Description
	}
	if run.Status == program.RunComplete && run.Answer != nil {
		page.about(run)
		if err := s.fillAnswer(ctx, page, p, run, address); err != nil {
			return nil, err
		}
		page.Answer.withoutFiles()
		return page, nil
	}
	read := func(ctx context.Context, q history.Query) (*history.History, error) {
		return s.Linked.Histories.RunHistory(ctx, "", run.ID, q)
	}
	return page, s.fill(ctx, "", page, run, read, history.Query{Full: true}, address)
}

func (s *Site) serveShareDays(w http.ResponseWriter, r *http.Request) error {
	token := mux.Vars(r)["token"]
	share, err := s.Linked.Shares.Open(r.Context(), token, false)
	if err != nil {
		return err
	}
	if !share.Shows("downloads") {
		return fault.Missing("table", mux.Vars(r)["file"])
	}
	return s.writeDays(w, r, "share", func(ctx context.Context, _ string, q history.Query) (*history.History, error) {
		if share.RunID != "" {
			q.Full = true
			return s.Linked.Histories.RunHistory(ctx, "", share.RunID, q)
		}
		return s.Linked.Histories.History(ctx, "", share.ProgramID, q)
	})
}

func (s *Site) serveShareScript(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	share, err := s.Linked.Shares.Open(ctx, mux.Vars(r)["token"], false)
	if err != nil {
		return err
	}
	runID := share.RunID
	if runID == "" && share.ShowScript {
		m, err := s.Linked.Models.Sheet(ctx, "", share.ProgramID)
		if err != nil {
			return err
		}
		if m.Live != nil {
			runID = m.Live.ID
		}
	}
	if !share.ShowScript || runID == "" {
		return fault.Missing("script", scriptFile)
	}
	p, err := s.Linked.Runs.RunScript(ctx, "", runID)
	if err != nil {
		return err
	}
	if p == nil {
		return fault.Missing("script", scriptFile)
	}
	fileHeaders(w.Header(), "text/x-python; charset=utf-8", scriptFile)
	_, _ = w.Write([]byte(p.Source))
	return nil
}

//go:embed share_chart.svg
var shareChartSource string

var shareChartTemplate = template.Must(template.New("chart").Parse(shareChartSource))

func (s *Site) serveShareChart(w http.ResponseWriter, r *http.Request) error {
	page, share, err := s.sharePage(r, false)
	if err != nil {
		return err
	}
	if !share.Shows("growth") || page.Plot == nil {
		return fault.Missing("drawing", chartFile)
	}
	w.Header().Set("Content-Type", "image/svg+xml; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if err := shareChartTemplate.Execute(w, page); err != nil {
		return errors.Join(err, r.Context().Err())
	}
	return nil
}
