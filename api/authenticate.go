package api

import (
	"errors"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/account"
	"ballast/internal/fault"
)

// authenticate resolves the bearer key to its identity. It asks the store each
// time, so that revoking a key takes effect at once. Missing, malformed,
// unknown and revoked keys get the same answer.
func (s *Server) authenticate(ctx huma.Context, next func(huma.Context)) {
	secret, ok := bearer(ctx.Header("Authorization"))
	if !ok {
		s.refuseTo(ctx, errUnauthenticated())
		return
	}
	identity, err := s.Accounts.Authenticate(ctx.Context(), account.Hash(secret))
	var f *fault.Error
	if errors.As(err, &f) && f.Type == fault.Unauthenticated {
		err = errUnauthenticated()
	}
	if err != nil {
		s.refuseTo(ctx, err)
		return
	}
	exchangeOf(ctx.Context()).identity = identity
	next(ctx)
}

func errUnauthenticated() error {
	return fault.New(fault.Unauthenticated, "Send a valid API key in the header: Authorization: Bearer bk_….")
}

// bearer takes a well-formed secret out of an Authorization header.
func bearer(header string) (string, bool) {
	scheme, secret, found := strings.Cut(header, " ")
	secret = strings.TrimSpace(secret)
	return secret, found && strings.EqualFold(scheme, "Bearer") && account.WellFormed(secret)
}
