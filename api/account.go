package api

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"ballast/account"
	"ballast/billing"
)

// profileBody is the identity behind a request's credentials.
type profileBody struct {
	ID       string   `json:"id" doc:"Opaque and stable"`
	Kind     string   `json:"kind" enum:"api_key,session"`
	KeyID    string   `json:"key_id,omitempty"`
	Scopes   []string `json:"scopes" enum:"read,run,write" doc:"What these credentials may do"`
	DailyCap *int64   `json:"daily_cap_cents" doc:"The most that work started with the key may cost in a day (UTC); null if there is no cap"`
	Name     string   `json:"name,omitempty"`
	Email    string   `json:"email,omitempty"`
}

type profileOutput struct{ Body profileBody }

// accountBody is an account and what it owns.
type accountBody struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Email       *string         `json:"email"`
	Plan        string          `json:"plan" enum:"free,pro,business"`
	Role        string          `json:"role" enum:"member,admin"`
	CreatedAt   time.Time       `json:"created_at"`
	Collections collectionsBody `json:"collections" doc:"Number of objects that the account owns, by kind"`
	Quotas      quotasBody      `json:"quotas" doc:"How much of each quota the account has used. Daily quotas start again at midnight UTC"`
}

type quotasBody struct {
	Models      quotaBody `json:"models" doc:"Including those in the Trash"`
	Drafts      quotaBody `json:"drafts"`
	Keys        quotaBody `json:"keys" doc:"Keys that have not been revoked"`
	Webhooks    quotaBody `json:"webhooks"`
	Backfills   quotaBody `json:"backfills"`
	StoredBytes quotaBody `json:"stored_bytes" doc:"Scripts, prompts, drafts, results and everything else that the account stores; routine refreshes are not counted"`
	BuildsADay  quotaBody `json:"builds_a_day" doc:"Created models, rebuilds, promotions and draft tests"`
	ChangesADay quotaBody `json:"changes_a_day" doc:"Requests that change something"`
}

type quotaBody struct {
	Used  int64  `json:"used"`
	Limit *int64 `json:"limit" doc:"null if there is no limit"`
}

type collectionsBody struct {
	Models      int `json:"models"`
	Simulations int `json:"simulations"`
	Analyses    int `json:"analyses"`
	Runs        int `json:"runs"`
	Backfills   int `json:"backfills"`
	Optimizers  int `json:"optimizers"`
	Webhooks    int `json:"webhooks"`
	Shares      int `json:"shares"`
	Trash       int `json:"trash"`
}

type accountOutput struct{ Body accountBody }

func (s *Server) registerAccount() {
	register(s, route{
		method: http.MethodGet, path: "/v1/account/profile", id: "get-profile", tag: tagAccount, status: http.StatusOK,
		summary: "Read the profile", description: "The identity behind this request's credentials. Reading it creates nothing.",
	}, s.getProfile)
	register(s, route{
		method: http.MethodGet, path: "/v1/account", id: "get-account", tag: tagAccount, status: http.StatusOK,
		summary: "Read the account", description: "Identity, plan, collection sizes and quotas.",
	}, s.getAccount)
	s.registerBilling()
	s.registerKeys()
}

func (s *Server) getProfile(ctx context.Context, _ *struct{}) (*profileOutput, error) {
	return &profileOutput{profileOf(exchangeOf(ctx).identity)}, nil
}

// profileOf converts an identity to its wire form. For a person who signed in through
// the issuer, name and email come from the issuer and may change; the id stays the
// same.
func profileOf(i *account.Identity) profileBody {
	p := profileBody{ID: i.AccountID, Kind: "api_key", KeyID: i.KeyID, Scopes: names(i.Scopes), DailyCap: i.DailyCapCents, Name: i.AccountName, Email: i.Email}
	if i.SessionID != "" {
		p.Kind = "session"
	}
	p.Name, p.Email = cmp.Or(i.PersonName, p.Name), cmp.Or(i.PersonEmail, p.Email)
	return p
}

func (s *Server) getAccount(ctx context.Context, _ *struct{}) (*accountOutput, error) {
	a, err := s.Accounts.Account(ctx, accountOf(ctx))
	if err != nil {
		return nil, err
	}
	uses, err := s.Billing.Quotas(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	return &accountOutput{accountBody{
		ID: a.ID, Name: a.Name, Email: textOrNull(a.Email), Plan: string(a.Plan), Role: string(a.Role), CreatedAt: a.CreatedAt.UTC(),
		Collections: collectionsOf(a.Collections), Quotas: quotasOf(uses),
	}}, nil
}

func quotasOf(uses []billing.Use) quotasBody {
	var b quotasBody
	fields := map[billing.Quota]*quotaBody{
		billing.Models: &b.Models, billing.Drafts: &b.Drafts, billing.Keys: &b.Keys, billing.Webhooks: &b.Webhooks, billing.Backfills: &b.Backfills,
		billing.StoredBytes: &b.StoredBytes, billing.BuildsADay: &b.BuildsADay, billing.ChangesADay: &b.ChangesADay,
	}
	for _, u := range uses {
		f := fields[u.Quota]
		f.Used = u.Used
		if u.Limit > 0 {
			f.Limit = &u.Limit
		}
	}
	return b
}

func collectionsOf(c account.Collections) collectionsBody { return collectionsBody(c) }
