package api

import (
	"context"

	"ballast/account"
	"ballast/account/openid"
	"ballast/billing"
	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/export"
	"ballast/notify/webhook"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/program/history"
)

// Models reads and changes models. As in all that follows, methods answer faults,
// and accountID is the caller's. *program.Models is one.
type Models interface {
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
	Models(ctx context.Context, accountID string, f program.ModelFilter) ([]*program.Sheet, int, error)
	Patch(ctx context.Context, accountID, ref string, p program.ModelPatch) (*program.Sheet, error)
	// Script gives the standalone file of a model's script.
	Script(ctx context.Context, accountID, ref, url string) (*program.ScriptFile, error)
}

// Builder makes models and gives them other implementations. *program.Builder is one.
type Builder interface {
	Create(ctx context.Context, accountID string, r program.CreateRequest) (*program.Sheet, error)
	Rebuild(ctx context.Context, accountID, ref string, r program.RebuildRequest) (*program.Sheet, error)
	Validate(ctx context.Context, accountID, script string) (*program.Validation, error)
	ValidatePrompt(ctx context.Context, accountID, prompt string) (*program.PromptValidation, error)
}

// Builds reads the builds of models. *program.Models is one.
type Builds interface {
	Builds(ctx context.Context, accountID, ref string, limit, offset int) ([]*program.Build, int, error)
	Build(ctx context.Context, accountID, buildID string) (*program.Build, error)
}

// Runs reads runs. *program.Runs is one.
type Runs interface {
	Run(ctx context.Context, accountID, runID string) (*program.Run, error)
	Runs(ctx context.Context, accountID, ref string, f program.RunFilter) ([]*program.Run, int, error)
	// RunDescription is what the run's own script says of itself, "" where nothing.
	RunDescription(ctx context.Context, accountID, runID string) (string, error)
	// Wait returns when the run has ended, or as it is after the longest wait.
	Wait(ctx context.Context, accountID, runID string) (*program.Run, error)
}

// RunChanges starts runs and changes them. *program.Runs is one.
type RunChanges interface {
	StartRun(ctx context.Context, accountID, ref string, r program.RunRequest) (*program.Run, error)
	// Promote makes a run's inputs its model's defaults, and answers with the run
	// that is queued for it.
	Promote(ctx context.Context, accountID, runID string) (*program.Run, error)
	PatchRun(ctx context.Context, accountID, runID string, p program.RunPatch) (*program.Run, error)
	DeleteRun(ctx context.Context, accountID, runID string) (string, error)
}

// Drafts edits what a model serves. *program.Drafts is one.
type Drafts interface {
	Draft(ctx context.Context, accountID, ref string) (*program.Draft, error)
	SaveDraft(ctx context.Context, accountID, ref string, e program.DraftEdit) (*program.Draft, error)
	// TestDraft answers the same revision for the same key.
	TestDraft(ctx context.Context, accountID, ref, key string) (*program.Revision, error)
}

// Revisions keeps what models have served, and tests of drafts. A revision comes
// with its script where it is read alone. *program.Drafts is one.
type Revisions interface {
	Revisions(ctx context.Context, accountID, ref string, f program.RevisionFilter) ([]*program.Revision, int, error)
	Revision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error)
	LabelRevision(ctx context.Context, accountID, ref, revision, label string) (*program.Revision, string, error)
	ApplyRevision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error)
}

// Trash deletes models and brings them back. *program.Trash is one.
type Trash interface {
	// Delete moves a model to the Trash; Restore and Purge take its exact id.
	Delete(ctx context.Context, accountID, ref string) (*program.Trashed, error)
	Trash(ctx context.Context, accountID string, limit, offset int) ([]*program.Trashed, int, error)
	Restore(ctx context.Context, accountID, modelID string) (*program.Sheet, error)
	Purge(ctx context.Context, accountID, modelID string) (string, error)
}

// Histories is what callers may read of results.
type Histories interface {
	// History reads a model's live run, or the run of it that the query names.
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	RunHistory(ctx context.Context, accountID, runID string, q history.Query) (*history.History, error)
	Compare(ctx context.Context, accountID string, q history.CompareQuery) (*history.Comparison, error)
}

// Catalog reads assets. catalog.Service is one.
type Catalog interface {
	// Asset returns one by id, legacy id or symbol in any case; fault.NotFound.
	Asset(ctx context.Context, ref string) (*catalog.Asset, error)
	// Evidence returns what an asset's classification rests on.
	Evidence(ctx context.Context, assetID string) ([]classify.Evidence, error)
	// Assets returns a page with its total and facets; fault.UnknownTag,
	// fault.InvalidParameter. The records are shared.
	Assets(ctx context.Context, f catalog.Filter) (*catalog.Page, error)
	// AssetHistory reads daily total returns; fault.NotFound, fault.NoHistory.
	AssetHistory(ctx context.Context, ref string, q catalog.HistoryQuery) (*catalog.History, error)
}

// Backfills is what callers may do with backfills. Methods answer faults; ref is
// an id or the symbol of the asset. *backfills.Service is one.
type Backfills interface {
	Create(ctx context.Context, accountID, symbol string, sources []backfills.SourceRequest) (*backfills.Backfill, error)
	Backfills(ctx context.Context, accountID string, limit, offset int) ([]*backfills.Backfill, int, error)
	Backfill(ctx context.Context, accountID, ref string) (*backfills.Backfill, error)
	// Revise fits a backfill again, with other sources where they are not nil.
	Revise(ctx context.Context, accountID, ref string, sources []backfills.SourceRequest) (*backfills.Backfill, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// BackfilledAssets tells which assets have a backfill. *backfills.Service is one.
type BackfilledAssets interface {
	// Of returns what an account has in force, by asset id.
	Of(ctx context.Context, accountID string, assetIDs []string) (map[string]*backfills.Backfill, error)
}

// Exports opens whole tables. export.Service is one.
type Exports interface {
	// Open begins to read a table for an account; the caller closes it. Faults.
	Open(ctx context.Context, accountID string, q export.Query) (*export.Rows, error)
}

// Credentials resolves what callers present.
type Credentials interface {
	// Authenticate returns the identity behind an unrevoked key's hash;
	// fault.Unauthenticated. It notes the use, to the minute.
	Authenticate(ctx context.Context, hash [32]byte) (*account.Identity, error)
	// AuthenticateSession returns the identity behind a session that goes on, and
	// moves its end; fault.Unauthenticated.
	AuthenticateSession(ctx context.Context, hash [32]byte) (*account.Identity, error)
}

// Accounts reads accounts.
type Accounts interface {
	// Account returns an account with the sizes of its collections, or fault.NotFound.
	Account(ctx context.Context, id string) (*account.Account, error)
}

// Keys keeps the keys of accounts.
type Keys interface {
	// CreateKey adds a key under the hash of its secret.
	CreateKey(ctx context.Context, k *account.Key, hash [32]byte) error
	// Keys lists an account's keys that begin so, revoked ones included, the newest
	// first; "" is any account, or any beginning.
	Keys(ctx context.Context, accountID, prefix string) ([]*account.Key, error)
	// RevokeKey ends a key of the account at once; fault.NotFound. Twice is once.
	RevokeKey(ctx context.Context, accountID, keyID string) (*account.Key, error)
}

// Sessions keeps sessions.
type Sessions interface {
	// CreateSession adds a session under the hash of its secret, and sets its end.
	CreateSession(ctx context.Context, s *account.Session, hash [32]byte) error
	// EndSession ends a session; one that is not there has ended.
	EndSession(ctx context.Context, hash [32]byte) error
}

// SignIns keeps sign-ins that are under way, and finds the account of who has
// signed in.
type SignIns interface {
	// BeginSignin keeps a sign-in until it is taken, for ten minutes.
	BeginSignin(ctx context.Context, s account.Signin) error
	// TakeSignin gives up the sign-in of a state, once; fault.Unauthenticated.
	TakeSignin(ctx context.Context, state [32]byte) (*account.Signin, error)
	// Admit finds a person's account: the one it signed in to before, else the open
	// one of its address, else a new one on a plan, where that is not "".
	// fault.Forbidden.
	Admit(ctx context.Context, p account.Person, plan account.Plan) (accountID string, err error)
}

// Issuer signs people in. openid.Provider is one.
type Issuer interface {
	// Address is where the browser signs in; fault.Unavailable.
	Address(ctx context.Context, a openid.Attempt) (string, error)
	// Redeem turns the code that a browser brought back into who it is;
	// fault.Unauthenticated, fault.Forbidden, fault.Unavailable.
	Redeem(ctx context.Context, browser, code string) (*account.Person, error)
}

// Webhooks keeps the endpoints that are told of events. *webhook.Service is one.
type Webhooks interface {
	Create(ctx context.Context, accountID string, p webhook.Patch) (*webhook.Webhook, error)
	Webhook(ctx context.Context, accountID, ref string) (*webhook.Webhook, error)
	Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*webhook.Webhook, int, error)
	Patch(ctx context.Context, accountID, ref string, p webhook.Patch) (*webhook.Webhook, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// Deliveries reads what endpoints were told, and tells it again. *webhook.Service
// is one.
type Deliveries interface {
	Test(ctx context.Context, accountID, ref string) (*webhook.Delivery, error)
	Deliveries(ctx context.Context, accountID, ref string, status webhook.Status, limit, offset int) ([]*webhook.Delivery, int, error)
	Redeliver(ctx context.Context, accountID, ref, deliveryRef string) (*webhook.Delivery, error)
}

// Billing keeps what accounts can spend. billing.Store is one.
type Billing interface {
	// Statement reads an account's balance; the first read of an account opens it.
	Statement(ctx context.Context, accountID string) (*billing.Statement, error)
	// Charges lists an account's charges, the newest first, with the total before paging.
	Charges(ctx context.Context, accountID string, f billing.Filter) ([]*billing.Charge, int, error)
	// Quotas returns how much of each quota an account has used.
	Quotas(ctx context.Context, accountID string) ([]billing.Use, error)
}

// Check reports why a part of the service is not ready, nil where it is.
type Check func(ctx context.Context) error
