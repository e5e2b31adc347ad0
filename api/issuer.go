package api

import (
	"context"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"

	"ballast/account"
	"ballast/internal/fault"
)

// attemptSeconds is how long the browser keeps the cookie of a sign-in that has
// begun.
const attemptSeconds = 600

// attemptCookie ties a sign-in to the browser. The browser comes back from the
// issuer's site, and then Lax is the strictest mode in which it sends the cookie.
func (s *Server) attemptCookie(value string, seconds int) *http.Cookie {
	c := s.cookie(value, seconds)
	c.Name, c.SameSite = strings.Replace(c.Name, "session", "signin", 1), http.SameSiteLaxMode
	return c
}

// finish takes the browser's sign-in attempt, which works once, and admits the person
// whom the issuer names.
func (s *Server) finish(ctx context.Context, r *http.Request) (b *begun, onward string, err error) {
	query := r.URL.Query()
	kept, err := s.SignIns.TakeSignin(ctx, account.Hash(query.Get("state")))
	if err != nil {
		return nil, "", err
	}
	browser := ""
	if cookies := r.CookiesNamed(s.attemptCookie("", 0).Name); len(cookies) == 1 {
		browser = cookies[0].Value
	}
	hash := account.Hash(browser)
	if subtle.ConstantTimeCompare(hash[:], kept.Browser[:]) != 1 {
		return nil, "", fault.New(fault.Unauthenticated, "This sign-in was started in another browser. Start again at /signin.")
	}
	if query.Get("code") == "" {
		return nil, "", fault.New(fault.Unauthenticated, "The issuer did not sign you in. Start again at /signin.").
			Wrap(fmt.Errorf("the issuer says %q", query.Get("error")))
	}
	person, err := s.Signin.Issuer.Redeem(ctx, browser, query.Get("code"))
	if err != nil {
		return nil, "", err
	}
	b = &begun{session: s.Signin.session()}
	if b.session.AccountID, err = s.SignIns.Admit(ctx, *person, s.Signin.Plan); err != nil {
		return nil, "", err
	}
	b.session.Person = person
	return b, kept.ReturnTo, s.begin(ctx, b)
}
