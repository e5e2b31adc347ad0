package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/internal/id"
)

// Signin configures how people sign in.
type Signin struct {
	Idle   time.Duration // how long a session lasts without use; 0: 24 hours
	Most   time.Duration // how long a session lasts at most; 0: 30 days
	Issuer Issuer        // nil: people sign in with keys only
	Name   string        // name of the issuer, for the page
	Plan   account.Plan  // plan of accounts created by a first sign-in; "": none are created
}

func (c Signin) session() account.Session {
	s := account.Session{ID: id.New(id.Session), Idle: c.Idle, Most: c.Most}
	if s.Idle == 0 {
		s.Idle = 24 * time.Hour
	}
	if s.Most == 0 {
		s.Most = 30 * 24 * time.Hour
	}
	return s
}

// sessionBody is a new session; its secret is in the cookie.
type sessionBody struct {
	ID        string      `json:"id"`
	Profile   profileBody `json:"profile"`
	ExpiresAt time.Time   `json:"expires_at" doc:"When the session ends at the latest; it ends sooner if it is not used"`
}

type createSessionInput struct {
	Body struct {
		Key string `json:"key" minLength:"1" maxLength:"100" doc:"An API key"`
	} `nameHint:"SessionCreate"`
}

type createSessionOutput struct {
	Cookie http.Cookie `header:"Set-Cookie" doc:"The session: HttpOnly, SameSite=Strict"`
	Body   sessionBody
}

type endSessionInput struct{ secret string }

type endSessionOutput struct {
	Cookie http.Cookie `header:"Set-Cookie" doc:"Removes the cookie"`
}

func (s *Server) registerSessions() {
	register(s, route{
		method: http.MethodPost, path: "/v1/session", id: "create-session", tag: tagAccount, status: http.StatusCreated, open: true,
		summary: "Sign in", description: "Creates a session for a key and sets its cookie, for the pages of the service. The session ends when the key is revoked.",
	}, s.createSession)
	register(s, route{
		method: http.MethodDelete, path: "/v1/session", id: "end-session", tag: tagAccount, status: http.StatusNoContent, open: true,
		summary: "Sign out", description: "Ends the session of the cookie at once and removes the cookie. Without a session it does nothing.",
	}, s.endSession)
}

// createSession always creates a new session, so that a cookie that somebody else put
// into the browser never becomes a signed-in session.
func (s *Server) createSession(ctx context.Context, in *createSessionInput) (*createSessionOutput, error) {
	begun, err := s.signIn(ctx, in.Body.Key)
	if err != nil {
		return nil, err
	}
	return &createSessionOutput{Cookie: *begun.cookie, Body: sessionBody{
		ID: begun.session.ID, Profile: profileOf(begun.identity), ExpiresAt: begun.session.EndsAt,
	}}, nil
}

func (s *Server) endSession(ctx context.Context, in *endSessionInput) (*endSessionOutput, error) {
	if err := s.signOut(ctx, in.secret); err != nil {
		return nil, err
	}
	return &endSessionOutput{Cookie: *s.noCookie()}, nil
}

// Resolve implements huma.Resolver. It reads the session from the request.
func (in *endSessionInput) Resolve(ctx huma.Context) []error {
	in.secret = exchangeOf(ctx.Context()).session
	return nil
}

// begun is a session that was created.
type begun struct {
	session  account.Session
	identity *account.Identity
	cookie   *http.Cookie
}

// signIn creates a session for a key.
func (s *Server) signIn(ctx context.Context, key string) (*begun, error) {
	if !account.WellFormed(key) {
		key = ""
	}
	identity, err := s.admit(ctx, key, s.Credentials.Authenticate)
	if err != nil {
		return nil, err
	}
	b := &begun{session: s.Signin.session()}
	b.session.AccountID, b.session.KeyID = identity.AccountID, identity.KeyID
	return b, s.begin(ctx, b)
}

// begin stores a session, creates its cookie, and ends the browser's former session.
func (s *Server) begin(ctx context.Context, b *begun) error {
	x := exchangeOf(ctx)
	secret := account.NewSession()
	if err := s.Sessions.CreateSession(ctx, &b.session, account.Hash(secret)); err != nil {
		return err
	}
	var err error
	if b.identity, err = s.Credentials.AuthenticateSession(ctx, account.Hash(secret)); err != nil {
		return err
	}
	x.identity, b.cookie = b.identity, s.cookie(secret, int(b.session.Most.Seconds()))
	return s.signOut(context.WithoutCancel(ctx), x.session)
}

// signOut ends a session. An empty secret does nothing.
func (s *Server) signOut(ctx context.Context, secret string) error {
	if secret == "" {
		return nil
	}
	s.limits.credentials.Forget(credentialKey(account.Hash(secret)))
	return s.Sessions.EndSession(ctx, account.Hash(secret))
}

// secure reports whether callers reach the service over TLS.
func (s *Server) secure() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// cookieName returns the name of the session cookie. With the __Host- prefix,
// browsers refuse a cookie that another host, or a page without TLS, tries to set.
func (s *Server) cookieName() string {
	if s.secure() {
		return "__Host-ballast_session"
	}
	return "ballast_session"
}

func (s *Server) cookie(secret string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: s.cookieName(), Value: secret, Path: "/", MaxAge: seconds,
		Secure: s.secure(), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

func (s *Server) noCookie() *http.Cookie { return s.cookie("", -1) }

// sessionOf returns the secret in the request's session cookie. It returns "" if the
// cookie is malformed or occurs more than once.
func (s *Server) sessionOf(r *http.Request) string {
	cookies := r.CookiesNamed(s.cookieName())
	if len(cookies) != 1 || !account.WellFormedSession(cookies[0].Value) {
		return ""
	}
	return cookies[0].Value
}

// originsOf returns the check that tells our own pages from those of other origins.
func originsOf(publicURL string) (*http.CrossOriginProtection, error) {
	p := http.NewCrossOriginProtection()
	if publicURL == "" {
		return p, nil
	}
	u, err := url.Parse(publicURL)
	if err == nil {
		err = p.AddTrustedOrigin(u.Scheme + "://" + u.Host)
	}
	if err != nil {
		return nil, fmt.Errorf("public URL %q: accepted is an address such as https://ballast.example: %w", publicURL, err)
	}
	return p, nil
}

// checkOrigin refuses a change that a page of another origin makes the browser send,
// because the browser would send the cookie too.
func (s *Server) checkOrigin(r *http.Request) error {
	if err := s.origins.Check(r); err != nil {
		return fault.New(fault.Forbidden, "A session can only change things from the pages of this service. Send an API key instead.").Wrap(err)
	}
	return nil
}

// guardOrigin replaces authenticate for operations that need no credentials: no page
// of another origin can sign a browser in or out.
func (s *Server) guardOrigin(ctx huma.Context, next func(huma.Context)) {
	request, _ := humamux.Unwrap(ctx)
	if err := s.checkOrigin(request); err != nil {
		s.refuseTo(ctx, err)
		return
	}
	exchangeOf(ctx.Context()).session = s.sessionOf(request)
	next(ctx)
}
