package web

import (
	"context"
	"embed"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ballast/account"
	"ballast/api/web/asset"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/script"
)

// Models reads models. accountID is the reader's account, "" for a stranger. Methods
// return faults. *program.Models implements it.
type Models interface {
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// Runs reads runs, in the same way as Models. *program.Runs implements it.
type Runs interface {
	Run(ctx context.Context, accountID, runID string) (*program.Run, error)
	// RunScript returns the run's own script, or nil if it cannot be read.
	RunScript(ctx context.Context, accountID, runID string) (*script.Script, error)
}

// Histories reads results. *history.Service implements it.
type Histories interface {
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	RunHistory(ctx context.Context, accountID, runID string, q history.Query) (*history.History, error)
}

// Answers reads the results of programs other than models. *result.Answers implements it.
type Answers interface {
	// ReadRun returns tables of a complete run that the reader may see, all of them
	// without names. The caller releases them. It returns fault.InvalidParameter for a
	// table that the result does not have.
	ReadRun(ctx context.Context, run *program.Run, names ...string) (*result.Found, error)
}

// Studies lists what else an account has computed of a model. *postgres.DB implements it.
type Studies interface {
	// StudiesOf returns up to most simulations and analyses of an account that have read
	// a model, the latest result first.
	StudiesOf(ctx context.Context, accountID, modelID string, most int) ([]program.Study, error)
}

// Visitors identifies who requests a page, and signs people in and out. Its methods
// set cookies themselves.
type Visitors interface {
	// Visitor returns who is signed in or sends a key; nil if the visitor is not
	// known.
	Visitor(r *http.Request) (*account.Identity, error)
	// SignIn creates a session for the key in the posted form.
	SignIn(w http.ResponseWriter, r *http.Request) error
	SignOut(w http.ResponseWriter, r *http.Request) error
	// BeginSignIn returns the issuer's address at which the browser signs in.
	// returnTo is where the browser goes afterwards.
	BeginSignIn(w http.ResponseWriter, r *http.Request, returnTo string) (address string, err error)
	// FinishSignIn creates a session from what the browser brings back from the
	// issuer.
	FinishSignIn(w http.ResponseWriter, r *http.Request) (returnTo string, err error)
}

// Refusals turns errors into what readers see.
type Refusals interface {
	// Refuse writes the error as JSON, as operations do.
	Refuse(w http.ResponseWriter, r *http.Request, err error)
	// Explain returns what a page says about the error, and logs it.
	Explain(r *http.Request, err error) Explanation
}

// Explanation is an error in the form that a page shows.
type Explanation struct {
	Status  int
	Header  http.Header
	Message string
}

// Config holds what New needs.
type Config struct {
	Models    Models
	Runs      Runs
	Histories Histories
	Answers   Answers
	Studies   Studies
	Linked    Linked // without Shares, there are no pages of shares
	Visitors  Visitors
	Refusals  Refusals
	Origin    func(*http.Request) string // address under which a reader reaches the service, without a trailing slash
	// HeadersOnly reports whether a page is requested with HEAD, which reaches the pages
	// as GET.
	HeadersOnly func(*http.Request) bool
	Issuer      string // name of the issuer that people may sign in with; "": keys only
	Now         func() time.Time
}

// Page is one route of the site.
type Page struct {
	Method, Path    string
	ID              string // operation id; "" if the page is not in the document
	Summary         string
	Description     string
	Parameters      []*huma.Param
	Answers         map[int]string // by status, what the answer shows
	Media           []string       // of the answers; nil: HTML
	Faults          []fault.Type   // shown as JSON
	RefusesWithPage bool           // errors are also shown as a page
	Handler         http.HandlerFunc
}

// Site serves the pages of the service.
type Site struct {
	Config
	reference func() (addressed, error) // rendered once
	files     *asset.Files
}

//go:embed assets
var assetFiles embed.FS

// New returns the site. Call ShowReference before it serves. It fails if an embedded file
// cannot be read.
func New(c Config) (*Site, error) {
	files, err := asset.Read("/assets/", assetFiles, "assets")
	return &Site{Config: c, files: files}, err
}

// Pages returns all pages of the site.
func (s *Site) Pages() []Page {
	pages := []Page{
		{Method: http.MethodGet, Path: "/", Handler: s.serveHome},
		{
			Method: http.MethodGet, Path: "/docs", ID: "get-docs", Summary: "Reference page", Description: "This interface as an HTML page.",
			Answers: map[int]string{http.StatusOK: "The reference"},
			Handler: func(w http.ResponseWriter, r *http.Request) { s.serveAddressed(w, r, s.reference) },
		},
		s.modelPageOf(), s.modelTableOf(), s.runPageOf(), s.runTableOf(),
		{Method: http.MethodGet, Path: s.files.Path(), Media: []string{"text/javascript"}, Handler: s.files.Serve},
	}
	pages = append(pages, s.sharePages()...)
	pages = append(pages, s.signinPages()...)
	return append(pages, s.guidePages()...)
}
