package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
)

// Models reads models; accountID is the reader's, "" of a stranger. Methods answer
// faults. *program.Models is one.
type Models interface {
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
	Models(ctx context.Context, accountID string, f program.ModelFilter) ([]*program.Sheet, int, error)
}

// Runs reads runs as Models reads models. *program.Runs is one.
type Runs interface {
	Run(ctx context.Context, accountID, runID string) (*program.Run, error)
	// RunDescription is what the run's own script says of itself, "" where nothing.
	RunDescription(ctx context.Context, accountID, runID string) (string, error)
}

// Histories reads results. *history.Service is one.
type Histories interface {
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	RunHistory(ctx context.Context, accountID, runID string, q history.Query) (*history.History, error)
}

// Visitors tells who asks for a page, and signs people in and out. Its methods set
// cookies themselves.
type Visitors interface {
	// Visitor is who is signed in or sends a key, nil where nobody is known.
	Visitor(r *http.Request) (*account.Identity, error)
	// SignIn makes a session of the key in the form that was posted.
	SignIn(w http.ResponseWriter, r *http.Request) error
	SignOut(w http.ResponseWriter, r *http.Request) error
	// BeginSignIn returns the address of the issuer at which the browser signs in.
	// returnTo is where it goes on afterwards.
	BeginSignIn(w http.ResponseWriter, r *http.Request, returnTo string) (address string, err error)
	// FinishSignIn makes a session of what the issuer sent the browser back with.
	FinishSignIn(w http.ResponseWriter, r *http.Request) (returnTo string, err error)
}

// Refusals turns errors into what a reader sees of them.
type Refusals interface {
	// Refuse answers with the error in JSON, as operations do.
	Refuse(w http.ResponseWriter, r *http.Request, err error)
	// Explain returns what a page says of the error, and logs it.
	Explain(r *http.Request, err error) Explanation
}

// Explanation is an error as a page shows it.
type Explanation struct {
	Status  int
	Header  http.Header
	Message string
}

// Config is what a Site is made of.
type Config struct {
	Models    Models
	Runs      Runs
	Histories Histories
	Visitors  Visitors
	Refusals  Refusals
	Origin    func(*http.Request) string // address under which a reader reaches the service, without a final slash
	Issuer    string                     // name of the issuer that people may sign in with, "" for keys alone
	Now       func() time.Time
}

// Page is one route of the site.
type Page struct {
	Method, Path    string
	ID              string // operation id, "" of a page that is not in the document
	Summary         string
	Description     string
	Parameters      []*huma.Param
	Answers         map[int]string // what the HTML of each status is
	Faults          []fault.Type   // told in JSON
	RefusesWithPage bool           // tells every error as a page, too
	Handler         http.HandlerFunc
}

// Site is the pages of the service.
type Site struct {
	Config
	guides    []Page
	reference addressed
}

// New renders the documentation. It fails where a page of it cannot be rendered.
func New(c Config) (*Site, error) {
	s := &Site{Config: c}
	var err error
	s.guides, err = s.guidePages()
	return s, err
}

// Pages are all pages of the site.
func (s *Site) Pages() []Page {
	pages := []Page{
		{Method: http.MethodGet, Path: "/", Handler: s.serveHome},
		{
			Method: http.MethodGet, Path: "/docs", ID: "get-docs", Summary: "Reference page", Description: "This interface as a page to read.",
			Answers: map[int]string{http.StatusOK: "The reference"},
			Handler: func(w http.ResponseWriter, r *http.Request) { s.reference.write(w, s.Origin(r)) },
		},
		s.modelPageOf(), s.runPageOf(),
	}
	pages = append(pages, s.signinPages()...)
	return append(pages, s.guides...)
}
