package web

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"ballast/internal/fault"
)

//go:embed signin.html
var signinSource string

var signinTemplate = template.Must(template.New("signin").Parse(signinSource))

// signinPage is the page to sign in and out.
type signinPage struct {
	Style    template.CSS
	Title    string
	Refusal  string
	Who      string // name of the person who is signed in
	Issuer   string // name of the issuer that people may sign in with
	ReturnTo string
	Onward   string // page to which the browser continues by itself
}

func (s *Site) signinPages() []Page {
	pages := []Page{
		{Method: http.MethodGet, Path: "/signin", ID: "get-signin", Summary: "Page to sign in", Description: "A form for a key, a link to the issuer if there is one, and a button to sign out.", Handler: s.showSignin},
		{Method: http.MethodPost, Path: "/signin", ID: "post-signin", Summary: "Sign in with a form", Description: "Creates a session for the key in the form, as POST /v1/session does.", Handler: s.postSignin},
		{Method: http.MethodPost, Path: "/signout", ID: "post-signout", Summary: "Sign out with a form", Description: "Ends the session, as DELETE /v1/session does.", Handler: s.postSignout},
	}
	if s.Issuer != "" {
		pages = append(pages,
			Page{Method: http.MethodGet, Path: "/signin/start", ID: "start-signin", Summary: "Sign in with the issuer", Description: "Sends the browser to the OpenID Connect issuer.", Handler: s.startSignin},
			Page{Method: http.MethodGet, Path: "/signin/callback", ID: "finish-signin", Summary: "Return from the issuer", Description: "The issuer sends the browser back here, and the session is created.", Handler: s.finishSignin})
	}
	for i := range pages {
		pages[i].Faults = []fault.Type{fault.Unauthenticated, fault.Forbidden, fault.RateLimited, fault.Internal, fault.Unavailable}
		pages[i].RefusesWithPage = true
		pages[i].Answers = map[int]string{
			http.StatusOK: "The page", http.StatusSeeOther: "To the next page", http.StatusBadRequest: "The form cannot be read",
			http.StatusUnauthorized: "The key, or the sign-in, is refused", http.StatusForbidden: "The person may not sign in, or the request comes from another site",
		}
	}
	return pages
}

func (s *Site) showSignin(w http.ResponseWriter, r *http.Request) {
	page := signinPage{Title: "Sign in", ReturnTo: returnTo(r.URL.Query().Get("return_to"))}
	visitor, err := s.Visitors.Visitor(r)
	if err == nil && visitor != nil && visitor.SessionID != "" {
		page.Title, page.Who = "Signed in", cmp.Or(visitor.PersonName, visitor.AccountName)
	}
	if err != nil {
		s.Refusals.Refuse(w, r, err)
		return
	}
	s.writeSignin(w, r, http.StatusOK, page)
}

func (s *Site) postSignin(w http.ResponseWriter, r *http.Request) {
	if err := s.Visitors.SignIn(w, r); err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	http.Redirect(w, r, returnTo(r.PostForm.Get("return_to")), http.StatusSeeOther)
}

func (s *Site) postSignout(w http.ResponseWriter, r *http.Request) {
	if err := s.Visitors.SignOut(w, r); err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
}

func (s *Site) startSignin(w http.ResponseWriter, r *http.Request) {
	address, err := s.Visitors.BeginSignIn(w, r, returnTo(r.URL.Query().Get("return_to")))
	if err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, address, http.StatusSeeOther)
}

func (s *Site) finishSignin(w http.ResponseWriter, r *http.Request) {
	onward, err := s.Visitors.FinishSignIn(w, r)
	if err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	// A redirect would still count as coming from the issuer's site, and the browser
	// would not send the strict cookie. A page of our own starts a new navigation.
	s.writeSignin(w, r, http.StatusOK, signinPage{Title: "Signed in", Onward: onward})
}

// refuseSignin shows why a sign-in failed.
func (s *Site) refuseSignin(w http.ResponseWriter, r *http.Request, err error) {
	e := s.Refusals.Explain(r, err)
	for name, values := range e.Header {
		w.Header()[name] = values
	}
	s.writeSignin(w, r, e.Status, signinPage{Title: "Sign in", Refusal: e.Message, ReturnTo: console})
}

func (s *Site) writeSignin(w http.ResponseWriter, r *http.Request, status int, page signinPage) {
	page.Style = template.CSS(referenceStyle) //nolint:gosec // our own file
	page.Issuer = s.Issuer
	var body bytes.Buffer
	if err := signinTemplate.Execute(&body, page); err != nil {
		s.Refusals.Refuse(w, r, fmt.Errorf("render the page to sign in: %w", err))
		return
	}
	htmlHeaders(w.Header())
	allowForms(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// console is where people go who have signed in.
const console = "/console"

// returnTo accepts a path of this service; anything else becomes the console.
func returnTo(path string) string {
	if !strings.HasPrefix(path, "/") || len(path) > 500 ||
		strings.HasPrefix(path, "//") || strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }) {
		return console
	}
	return path
}
