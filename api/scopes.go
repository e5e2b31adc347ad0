package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ballast/account"
	"ballast/billing"
	"ballast/internal/fault"
)

// Sets of scopes that operations need.
var (
	toRead     = []account.Scope{account.ScopeRead}
	toRun      = []account.Scope{account.ScopeRun}
	toWrite    = []account.Scope{account.ScopeWrite}
	toBuild    = []account.Scope{account.ScopeRun, account.ScopeWrite} // work that is charged changes what is kept
	everything = account.Scopes
)

// operationScopes are the scopes that operations need, by their ids. A GET that is not
// listed needs read; any other operation that is not listed needs all scopes.
var operationScopes = map[string][]account.Scope{
	"validate-script": toRead, "solve-optimizer": toRead, "query": toRead,

	"create-model": toBuild, "create-simulation": toBuild, "create-analysis": toBuild,
	"rebuild-model": toBuild, "rebuild-simulation": toBuild, "rebuild-analysis": toBuild, "promote-run": toBuild,
	"start-run": toRun, "start-simulation-run": toRun, "start-analysis-run": toRun, "test-draft": toRun,

	"patch-model": toWrite, "patch-simulation": toWrite, "patch-analysis": toWrite,
	"delete-model": toWrite, "delete-simulation": toWrite, "delete-analysis": toWrite,
	"restore-model": toWrite, "restore-simulation": toWrite, "restore-analysis": toWrite,
	"purge-model": toWrite, "purge-simulation": toWrite, "purge-analysis": toWrite,
	"patch-run": toWrite, "delete-run": toWrite,
	"save-draft": toWrite, "patch-revision": toWrite, "apply-revision": toWrite,
	"create-backfill": toWrite, "patch-backfill": toWrite, "delete-backfill": toWrite,
	"create-optimizer": toWrite, "patch-optimizer": toWrite, "delete-optimizer": toWrite,
	"post-series": toWrite, "delete-series": toWrite,
	"create-share": toWrite, "patch-share": toWrite, "delete-share": toWrite,
	"create-webhook": toWrite, "patch-webhook": toWrite, "delete-webhook": toWrite, "test-webhook": toWrite, "redeliver": toWrite,

	"create-key": everything, "revoke-key": everything,
}

// needed returns the scopes that an operation needs.
func (s *Server) needed(method, operation string) []account.Scope {
	scopes, listed := operationScopes[operation]
	if !listed {
		scopes = everything
		if method == http.MethodGet {
			scopes = toRead
		}
	}
	if operation == "query" {
		return s.toReadMetered()
	}
	return scopes
}

// toReadMetered are the scopes that a charged read needs: SQL, and the timing block of a
// history. Where usage is not metered, it is a read like others.
func (s *Server) toReadMetered() []account.Scope {
	if s.Policy.Metered {
		return []account.Scope{account.ScopeRead, account.ScopeRun}
	}
	return toRead
}

// names converts scopes for the document.
func names(scopes []account.Scope) []string {
	out := make([]string, len(scopes))
	for i, s := range scopes {
		out[i] = string(s)
	}
	return out
}

// permit checks that the caller's key may do an operation.
func (s *Server) permit(scopes []account.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := mayDo(exchangeOf(ctx.Context()).identity, scopes); err != nil {
			s.refuseTo(ctx, err)
			return
		}
		next(ctx)
	}
}

// mayDo returns fault.Forbidden if the key behind an identity lacks one of scopes.
func mayDo(i *account.Identity, scopes []account.Scope) error {
	missing := account.Missing(scopes, i.Scopes)
	if len(missing) == 0 {
		return nil
	}
	noun := "scope"
	if len(missing) > 1 {
		noun = "scopes"
	}
	return fault.New(fault.Forbidden, "This key lacks the %s %s, which the operation needs. Use a key with %s; this one has %s.",
		noun, account.List(missing), account.List(scopes), account.List(i.Scopes)).
		With(fault.Detail{Of: "key", Field: "scopes", Message: "lacks " + account.List(missing)})
}

// spending lets work that is started in the context count against the cap of the
// caller's key.
func spending(ctx context.Context) context.Context {
	i := exchangeOf(ctx).identity
	if i == nil || i.DailyCapCents == nil {
		return ctx
	}
	return billing.BySpender(ctx, billing.Spender{KeyID: i.KeyID, CapCents: *i.DailyCapCents})
}
