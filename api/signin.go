package api

import (
	"bytes"
	"context"
	"crypto/subtle"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/account"
	"ballast/account/openid"
	"ballast/internal/fault"
	"ballast/program"
)

//go:embed web/signin.html
var signinSource string

var signinTemplate = template.Must(template.New("signin").Parse(signinSource))

// signinPage is the page to sign in and out.
type signinPage struct {
	Style    template.CSS
	Title    string
	Refusal  string
	Who      string // signed in as
	Issuer   string // that one may sign in with
	ReturnTo string
	Onward   string // page that the browser goes on to by itself
	Models   []modelRow
	More     int // models in all, where not all are listed
}

// modelRow is one of the models of whoever is signed in.
type modelRow struct{ Slug, Name, Symbol, Status, AsOf string }

// mostModelRows bounds the list of models.
const mostModelRows = 100

// attemptSeconds is how long the browser keeps a sign-in that has begun.
const attemptSeconds = 600

func (s *Server) registerSignin() {
	pages := []struct {
		method, path, id, summary, description string
		handler                                http.HandlerFunc
	}{
		{http.MethodGet, "/signin", "get-signin", "Page to sign in", "A form for a key, the way to the issuer where there is one, and the way out.", s.showSignin},
		{http.MethodPost, "/signin", "post-signin", "Sign in with a form", "Makes a session of the key of the form, as POST /v1/session does.", s.postSignin},
		{http.MethodPost, "/signout", "post-signout", "Sign out with a form", "Ends the session, as DELETE /v1/session does.", s.postSignout},
		{http.MethodGet, "/signin/start", "start-signin", "Sign in with the issuer", "Sends the browser to the OpenID Connect issuer.", s.startSignin},
		{http.MethodGet, "/signin/callback", "finish-signin", "Return from the issuer", "Where the issuer sends the browser back to; makes the session.", s.finishSignin},
	}
	for _, p := range pages {
		if s.Signin.Issuer == nil && strings.HasPrefix(p.path, "/signin/") {
			continue
		}
		s.router.Path(p.path).Methods(p.method).HandlerFunc(p.handler)
		responses := s.documentFaults([]fault.Type{fault.Unauthenticated, fault.Forbidden, fault.RateLimited, fault.Internal, fault.Unavailable})
		for status, description := range map[string]string{"200": "The page", "303": "To the next page", "400": "The form cannot be read", "401": "The key, or the sign-in, is refused", "403": "The person may not come in, or the request comes from elsewhere"} {
			responses[status] = textResponse("text/html", description)["200"]
		}
		for _, response := range responses {
			response.Content["text/html"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
			if response.Content["application/json"] == nil && !strings.HasPrefix(response.Description, "The page") {
				response.Content["application/json"] = &huma.MediaType{Schema: s.errorSchema()}
			}
		}
		responses["303"].Content = nil // the next page is all there is to say
		s.api.OpenAPI().AddOperation(&huma.Operation{
			OperationID: p.id, Method: p.method, Path: p.path, Tags: []string{tagService}, Summary: p.summary, Description: p.description, Responses: responses,
		})
	}
}

func (s *Server) showSignin(w http.ResponseWriter, r *http.Request) {
	page := signinPage{Title: "Sign in", ReturnTo: returnTo(r.URL.Query().Get("return_to"))}
	if s.sessionOf(r) != "" {
		switch i, err := s.identify(r.Context(), r); {
		case err == nil:
			p := profileOf(i)
			page.Title, page.Who = "Signed in", p.Name
			if err := s.showModels(r.Context(), &page, i.AccountID); err != nil {
				s.writeRefusal(w, r.Context(), err)
				return
			}
		case fault.TypeOf(err) != fault.Unauthenticated:
			s.writeRefusal(w, r.Context(), err)
			return
		}
	}
	s.writeSignin(w, r, http.StatusOK, page)
}

// showModels puts an account's newest models on a page.
func (s *Server) showModels(ctx context.Context, page *signinPage, accountID string) error {
	models, total, err := s.Models.Models(ctx, accountID, program.ModelFilter{Limit: mostModelRows})
	if err != nil {
		return err
	}
	for _, m := range models {
		row := modelRow{Slug: m.Slug, Name: m.Name, Symbol: m.Symbol, Status: string(m.Status)}
		if m.Live != nil {
			row.AsOf = m.Live.Last.String()
		}
		page.Models = append(page.Models, row)
	}
	if total > len(models) {
		page.More = total
	}
	return nil
}

func (s *Server) postSignin(w http.ResponseWriter, r *http.Request) {
	ctx, note := s.beginNote(r.Context(), route{method: r.Method, id: "create-session"})
	err := s.checkOrigin(r)
	if err == nil {
		r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
		if formErr := r.ParseForm(); formErr != nil {
			err = fault.New(fault.MalformedRequest, "The form cannot be read.").Wrap(formErr)
		}
	}
	exchangeOf(ctx).session = s.sessionOf(r)
	var b *begun
	if err == nil {
		b, err = s.signIn(ctx, strings.TrimSpace(r.PostForm.Get("key")))
	}
	s.endNote(ctx, note, err)
	if err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	http.SetCookie(w, b.cookie)
	http.Redirect(w, r, returnTo(r.PostForm.Get("return_to")), http.StatusSeeOther)
}

func (s *Server) postSignout(w http.ResponseWriter, r *http.Request) {
	ctx, note := s.beginNote(r.Context(), route{method: r.Method, id: "end-session"})
	err := s.checkOrigin(r)
	if err == nil {
		err = s.signOut(ctx, s.sessionOf(r))
	}
	s.endNote(ctx, note, err)
	if err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	http.SetCookie(w, s.noCookie())
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
}

// attemptCookie keeps a sign-in in the browser. The issuer's answer comes from
// its own site, so Lax is the strictest that a browser would send then.
func (s *Server) attemptCookie(value string, seconds int) *http.Cookie {
	c := s.cookie(value, seconds)
	c.Name, c.SameSite = strings.Replace(c.Name, "session", "signin", 1), http.SameSiteLaxMode
	return c
}

func (s *Server) startSignin(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	attempt := openid.NewAttempt()
	err := s.limitRefused(exchangeOf(ctx))
	address := ""
	if err == nil {
		address, err = s.Signin.Issuer.Address(ctx, attempt)
	}
	if err == nil {
		err = s.Signins.BeginSignin(ctx, account.Signin{
			State: account.Hash(attempt.State), Browser: account.Hash(attempt.Browser), ReturnTo: returnTo(r.URL.Query().Get("return_to")),
		})
	}
	if err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	s.noteRefused(exchangeOf(ctx)) // each is kept until it is finished, so they are bounded as tries are
	http.SetCookie(w, s.attemptCookie(attempt.Browser, attemptSeconds))
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, address, http.StatusSeeOther)
}

func (s *Server) finishSignin(w http.ResponseWriter, r *http.Request) {
	ctx, note := s.beginNote(r.Context(), route{method: http.MethodPost, id: "finish-signin"})
	x := exchangeOf(ctx)
	x.session = s.sessionOf(r)
	err := s.limitRefused(x)
	var b *begun
	var onward string
	if err == nil {
		b, onward, err = s.finish(ctx, r)
		if t := fault.TypeOf(err); err != nil && (t == fault.Unauthenticated || t == fault.Forbidden) {
			s.noteRefused(x)
		}
	}
	s.endNote(ctx, note, err)
	http.SetCookie(w, s.attemptCookie("", -1))
	if err != nil {
		s.refuseSignin(w, r, err)
		return
	}
	http.SetCookie(w, b.cookie)
	// A redirect would still count as coming from the issuer's site, and the strict
	// cookie would stay behind; a page of our own begins anew.
	s.writeSignin(w, r, http.StatusOK, signinPage{Title: "Signed in", Onward: onward})
}

// finish takes the attempt of the browser, once, and admits whom the issuer
// vouches for.
func (s *Server) finish(ctx context.Context, r *http.Request) (b *begun, onward string, err error) {
	query := r.URL.Query()
	kept, err := s.Signins.TakeSignin(ctx, account.Hash(query.Get("state")))
	if err != nil {
		return nil, "", err
	}
	browser := ""
	if cookies := r.CookiesNamed(s.attemptCookie("", 0).Name); len(cookies) == 1 {
		browser = cookies[0].Value
	}
	hash := account.Hash(browser)
	if subtle.ConstantTimeCompare(hash[:], kept.Browser[:]) != 1 {
		return nil, "", fault.New(fault.Unauthenticated, "This sign-in was begun in another browser. Begin again.")
	}
	if query.Get("code") == "" {
		return nil, "", fault.New(fault.Unauthenticated, "The issuer has not signed you in. Begin again.").
			Wrap(fmt.Errorf("the issuer says %q", query.Get("error")))
	}
	person, err := s.Signin.Issuer.Redeem(ctx, browser, query.Get("code"))
	if err != nil {
		return nil, "", err
	}
	b = &begun{session: s.Signin.session()}
	if b.session.AccountID, err = s.Signins.Admit(ctx, *person, s.Signin.Plan); err != nil {
		return nil, "", err
	}
	b.session.Person = person
	return b, kept.ReturnTo, s.begin(ctx, b)
}

// refuseSignin shows why somebody is not signed in; failures of the service are
// logged as everywhere.
func (s *Server) refuseSignin(w http.ResponseWriter, r *http.Request, err error) {
	refused := s.refuse(r.Context(), err)
	message := refused.body.Error.Message
	if fault.TypeOf(err) == fault.Unauthenticated && message == errUnauthenticated().Message {
		message = "The key is not known or was revoked."
	}
	for name, values := range refused.headers {
		if name != "Www-Authenticate" { // a browser would ask for a password
			w.Header()[name] = values
		}
	}
	s.log.InfoContext(r.Context(), "sign-in refused", "request_id", exchangeOf(r.Context()).id, "error", err)
	s.writeSignin(w, r, refused.status, signinPage{Title: "Sign in", Refusal: message, ReturnTo: "/signin"})
}

func (s *Server) writeSignin(w http.ResponseWriter, r *http.Request, status int, page signinPage) {
	page.Style = template.CSS(referenceStyle) //nolint:gosec // our own file
	if s.Signin.Issuer != nil {
		page.Issuer = s.Signin.Name
	}
	var body bytes.Buffer
	if err := signinTemplate.Execute(&body, page); err != nil {
		s.writeRefusal(w, r.Context(), fmt.Errorf("render the page to sign in: %w", err))
		return
	}
	htmlHeaders(w.Header())
	policy := strings.Replace(w.Header().Get("Content-Security-Policy"), "form-action 'none'", "form-action 'self'", 1)
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
}

// returnTo is a path of this service, /signin where it is anything else.
func returnTo(path string) string {
	if !strings.HasPrefix(path, "/") || len(path) > 500 ||
		strings.HasPrefix(path, "//") || strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }) {
		return "/signin"
	}
	return path
}
