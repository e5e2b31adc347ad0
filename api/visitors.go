package api

import (
	"net/http"
	"strings"

	"ballast/account"
	"ballast/account/openid"
	"ballast/api/web"
	"ballast/internal/fault"
)

// pageHost implements web.Visitors and web.Refusals. It lets the pages use the
// server's credentials, limits, audit log and errors.
type pageHost struct{ *Server }

// Visitor implements web.Visitors.
func (h pageHost) Visitor(r *http.Request) (*account.Identity, error) {
	if h.sessionOf(r) == "" && r.Header.Get("Authorization") == "" {
		return nil, nil //nolint:nilnil // a visitor without credentials is not an error
	}
	identity, err := h.identify(r.Context(), r)
	if fault.TypeOf(err) == fault.Unauthenticated { // the session has ended
		return nil, nil //nolint:nilnil // as above
	}
	return identity, err
}

// maxForm is the most bytes that the sign-in form may have.
const maxForm = 16 << 10

// SignIn implements web.Visitors.
func (h pageHost) SignIn(w http.ResponseWriter, r *http.Request) error {
	ctx, note := h.beginNote(r.Context(), route{method: r.Method, id: "create-session"})
	err := h.checkOrigin(r)
	if err == nil {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		err = parseForm(r)
	}
	exchangeOf(ctx).session = h.sessionOf(r)
	var b *begun
	if err == nil {
		b, err = h.signIn(ctx, strings.TrimSpace(r.PostForm.Get("key")))
	}
	h.endNote(ctx, note, err)
	if err == nil {
		http.SetCookie(w, b.cookie)
	}
	return err
}

// SignOut implements web.Visitors.
func (h pageHost) SignOut(w http.ResponseWriter, r *http.Request) error {
	ctx, note := h.beginNote(r.Context(), route{method: r.Method, id: "end-session"})
	err := h.checkOrigin(r)
	if err == nil {
		err = h.signOut(ctx, h.sessionOf(r))
	}
	h.endNote(ctx, note, err)
	if err == nil {
		http.SetCookie(w, h.noCookie())
	}
	return err
}

// BeginSignIn implements web.Visitors.
func (h pageHost) BeginSignIn(w http.ResponseWriter, r *http.Request, returnTo string) (address string, err error) {
	ctx := r.Context()
	if err := h.limitRefused(exchangeOf(ctx)); err != nil {
		return "", err
	}
	attempt := openid.NewAttempt()
	if address, err = h.Signin.Issuer.Address(ctx, attempt); err != nil {
		return "", err
	}
	err = h.SignIns.BeginSignin(ctx, account.Signin{
		State: account.Hash(attempt.State), Browser: account.Hash(attempt.Browser), ReturnTo: returnTo,
	})
	if err != nil {
		return "", err
	}
	h.noteRefused(exchangeOf(ctx)) // each attempt is stored until it is finished, so attempts are limited like refused credentials
	http.SetCookie(w, h.attemptCookie(attempt.Browser, attemptSeconds))
	return address, nil
}

// FinishSignIn implements web.Visitors.
func (h pageHost) FinishSignIn(w http.ResponseWriter, r *http.Request) (returnTo string, err error) {
	ctx, note := h.beginNote(r.Context(), route{method: http.MethodPost, id: "finish-signin"})
	x := exchangeOf(ctx)
	x.session = h.sessionOf(r)
	var b *begun
	if err = h.limitRefused(x); err == nil {
		b, returnTo, err = h.finish(ctx, r)
		if t := fault.TypeOf(err); err != nil && (t == fault.Unauthenticated || t == fault.Forbidden) {
			h.noteRefused(x)
		}
	}
	h.endNote(ctx, note, err)
	http.SetCookie(w, h.attemptCookie("", -1))
	if err == nil {
		http.SetCookie(w, b.cookie)
	}
	return returnTo, err
}

// Refuse implements web.Refusals.
func (h pageHost) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	h.writeRefusal(w, r.Context(), err)
}

// Explain implements web.Refusals.
func (h pageHost) Explain(r *http.Request, err error) web.Explanation {
	refused := h.refuse(r.Context(), err)
	h.log.InfoContext(r.Context(), "page refused", "request_id", exchangeOf(r.Context()).id, "error", err)
	refused.headers.Del("WWW-Authenticate") // a browser would ask for a password
	e := web.Explanation{Status: refused.status, Header: refused.headers, Message: refused.body.Error.Message}
	if fault.TypeOf(err) == fault.Unauthenticated && e.Message == errUnauthenticated().Message {
		e.Message = "The key is not known or was revoked."
	}
	return e
}
