package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/account"
	"ballast/internal/fault"
)

// authenticate finds the identity behind a request's credentials.
func (s *Server) authenticate(ctx huma.Context, next func(huma.Context)) {
	request, _ := humamux.Unwrap(ctx)
	identity, err := s.identify(ctx.Context(), request)
	if err == nil && identity.SessionID != "" {
		err = s.checkOrigin(request)
	}
	if err == nil {
		x := exchangeOf(ctx.Context())
		x.identity = identity
		err = s.enter(x)
	}
	if err != nil {
		s.refuseTo(ctx, err)
		return
	}
	next(ctx)
}

// identify reads the Authorization header or, if there is none, the session cookie.
func (s *Server) identify(ctx context.Context, r *http.Request) (*account.Identity, error) {
	if secret := s.sessionOf(r); secret != "" && len(r.Header.Values("Authorization")) == 0 {
		return s.admit(ctx, secret, s.Credentials.AuthenticateSession)
	}
	return s.admit(ctx, bearer(r.Header), s.Credentials.Authenticate)
}

// admit asks the store each time, so that revoking takes effect at once in every
// process. Whatever is wrong with the credentials, even if there are none, the work
// and the response are the same, so that nobody can tell a revoked key from one that
// never existed.
func (s *Server) admit(ctx context.Context, secret string, look func(context.Context, [32]byte) (*account.Identity, error)) (*account.Identity, error) {
	hash := account.Hash(secret)
	x := exchangeOf(ctx)
	known := s.limits.credentials.Knows(credentialKey(hash))
	if err := s.limitCredential(x, hash, known); err != nil {
		return nil, err
	}
	identity, err := look(ctx, hash)
	switch {
	case err != nil && fault.TypeOf(err) == fault.Unauthenticated:
		s.limits.credentials.Forget(credentialKey(hash))
		s.noteRefused(x)
		return nil, errUnauthenticated()
	case err != nil:
		return nil, err
	}
	if !known {
		err = s.limitCredential(x, hash, true)
	}
	return identity, err
}

// limitCredential limits requests with credentials that were valid before, and
// attempts with any others.
func (s *Server) limitCredential(x *exchange, hash [32]byte, known bool) error {
	if !known {
		return s.limitRefused(x)
	}
	if wait := s.limits.credentials.Take(credentialKey(hash), s.now()); wait > 0 {
		return rateLimited(x, wait, "requests with this key or session")
	}
	return nil
}

func errUnauthenticated() *fault.Error {
	return fault.New(fault.Unauthenticated, "Send a valid API key in the header: Authorization: Bearer bk_…, or sign in at /signin.")
}

// bearer returns the secret in the Authorization header. It returns "" if the header
// is malformed or occurs more than once, because two readers might then read
// different ones.
func bearer(h http.Header) string {
	given := h.Values("Authorization")
	if len(given) != 1 {
		return ""
	}
	scheme, secret, _ := strings.Cut(given[0], " ")
	secret = strings.TrimLeft(secret, " ")
	if !strings.EqualFold(scheme, "Bearer") || !account.WellFormed(secret) {
		return ""
	}
	return secret
}
