package api

import (
	"context"

	"ballast/account"
	"ballast/account/openid"
	"ballast/billing"
	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/catalog/series"
	"ballast/export"
	"ballast/notify/webhook"
	"ballast/optimize/optimizer"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/program/generate"
	"ballast/program/history"
	"ballast/program/optimizers"
	"ballast/program/shares"
	"ballast/query"
	"ballast/script"
)

// Models reads and changes models. For this and all interfaces below: methods return
// faults, and accountID is the caller's account. *program.Models implements it.
type Models interface {
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
	Models(ctx context.Context, accountID string, f program.ModelFilter) ([]*program.Sheet, int, error)
	// Groups puts the models that a filter selects into groups by label, with the
	// spread of the figures of these names.
	Groups(ctx context.Context, accountID string, f program.ModelFilter, figures []string) ([]program.ModelGroup, error)
	Patch(ctx context.Context, accountID, ref string, p program.ModelPatch) (*program.Sheet, error)
	// Script returns the standalone file of a model's script.
	Script(ctx context.Context, accountID, ref, url string) (*program.ScriptFile, error)
}

// Builder creates models and rebuilds them. *program.Builder implements it.
type Builder interface {
	Create(ctx context.Context, accountID string, r program.CreateRequest) (*program.Sheet, error)
	Rebuild(ctx context.Context, accountID, ref string, r program.RebuildRequest) (*program.Sheet, error)
	Validate(ctx context.Context, accountID, script string) (*program.Validation, error)
	ValidatePrompt(ctx context.Context, accountID, prompt string) (*program.PromptValidation, error)
	Optimizer(ctx context.Context, accountID, prompt string) (*generate.Optimizer, error)
}

// Builds reads the builds of models. *program.Models implements it.
type Builds interface {
	Builds(ctx context.Context, accountID, ref string, limit, offset int) ([]*program.Build, int, error)
	Build(ctx context.Context, accountID, buildID string) (*program.Build, error)
}

// Runs reads runs. *program.Runs implements it.
type Runs interface {
	Run(ctx context.Context, accountID, runID string) (*program.Run, error)
	Runs(ctx context.Context, accountID, ref string, f program.RunFilter) ([]*program.Run, int, error)
	// RunScript returns the run's own script, or nil if it cannot be read.
	RunScript(ctx context.Context, accountID, runID string) (*script.Script, error)
	// Wait returns the run when it has ended, or its current state after the longest
	// wait.
	Wait(ctx context.Context, accountID, runID string) (*program.Run, error)
}

// RunChanges starts runs and changes them. *program.Runs implements it.
type RunChanges interface {
	StartRun(ctx context.Context, accountID, ref string, r program.RunRequest) (*program.Run, error)
	// Promote makes a run's inputs the defaults of its model and returns the run that
	// is queued for it.
	Promote(ctx context.Context, accountID, runID string) (*program.Run, error)
	PatchRun(ctx context.Context, accountID, runID string, p program.RunPatch) (*program.Run, error)
	DeleteRun(ctx context.Context, accountID, runID string) (string, error)
}

// Drafts edits copies of what models serve. *program.Drafts implements it.
type Drafts interface {
	Draft(ctx context.Context, accountID, ref string) (*program.Draft, error)
	SaveDraft(ctx context.Context, accountID, ref string, e program.DraftEdit) (*program.Draft, error)
	// TestDraft returns the same revision for the same key.
	TestDraft(ctx context.Context, accountID, ref, key string) (*program.Revision, error)
}

// Revisions reads what models have served, and tests of drafts. The methods for one
// revision return its script too. *program.Drafts implements it.
type Revisions interface {
	Revisions(ctx context.Context, accountID, ref string, f program.RevisionFilter) ([]*program.Revision, int, error)
	Revision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error)
	LabelRevision(ctx context.Context, accountID, ref, revision, label string) (*program.Revision, string, error)
	ApplyRevision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error)
}

// Trash deletes models and restores them. *program.Trash implements it.
type Trash interface {
	// Delete moves a model to the Trash. Restore and Purge take its exact id.
	Delete(ctx context.Context, accountID, ref string) (*program.Trashed, error)
	Trash(ctx context.Context, accountID string, limit, offset int) ([]*program.Trashed, int, error)
	Restore(ctx context.Context, accountID, modelID string) (*program.Sheet, error)
	Purge(ctx context.Context, accountID, modelID string) (string, error)
}

// Histories reads results.
type Histories interface {
	// History reads a model's live run, or the run that the query names.
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	RunHistory(ctx context.Context, accountID, runID string, q history.Query) (*history.History, error)
	Many(ctx context.Context, accountID string, q history.ManyQuery) (*history.Many, error)
	Compare(ctx context.Context, accountID string, q history.CompareQuery) (*history.Comparison, error)
}

// Catalog reads assets. catalog.Service implements it.
type Catalog interface {
	// Asset returns an asset by id, legacy id or symbol in any case; fault.NotFound.
	Asset(ctx context.Context, ref string) (*catalog.Asset, error)
	// Evidence returns the evidence for an asset's classification.
	Evidence(ctx context.Context, assetID string) ([]classify.Evidence, error)
	// Assets returns a page with its total and facets; fault.UnknownTag,
	// fault.InvalidParameter. The records are shared and must not be changed.
	Assets(ctx context.Context, f catalog.Filter) (*catalog.Page, error)
	// AssetHistory reads daily total returns; fault.NotFound, fault.NoHistory.
	AssetHistory(ctx context.Context, ref string, q catalog.HistoryQuery) (*catalog.History, error)
}

// Backfills reads and changes backfills. Methods return faults. ref is an id or the
// symbol of the asset. *backfills.Service implements it.
type Backfills interface {
	Create(ctx context.Context, accountID, symbol string, sources []backfills.SourceRequest) (*backfills.Backfill, error)
	Backfills(ctx context.Context, accountID string, limit, offset int) ([]*backfills.Backfill, int, error)
	Backfill(ctx context.Context, accountID, ref string) (*backfills.Backfill, error)
	// Revise fits a backfill again, with new sources unless they are nil.
	Revise(ctx context.Context, accountID, ref string, sources []backfills.SourceRequest) (*backfills.Backfill, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// Optimizers keeps rules for weights. ref is a name or an id. *optimizers.Service
// implements it.
type Optimizers interface {
	Create(ctx context.Context, accountID, name string, d optimizer.Definition) (*optimizers.Optimizer, error)
	Optimizers(ctx context.Context, accountID string, limit, offset int) ([]*optimizers.Optimizer, int, error)
	Find(ctx context.Context, accountID, ref string) (*optimizers.Optimizer, error)
	// Revise makes a new version, which change derives from the current one.
	Revise(ctx context.Context, accountID, ref string, change func(o *optimizers.Optimizer)) (*optimizers.Optimizer, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// OptimizerAnswers reads more of optimizers. *optimizers.Service implements it.
type OptimizerAnswers interface {
	// Versions lists all versions, newest first, with their number.
	Versions(ctx context.Context, accountID, ref string, limit, offset int) ([]*optimizers.Optimizer, int, error)
	// Solve computes weights and stores nothing.
	Solve(ctx context.Context, accountID, ref string, r optimizers.SolveRequest) (*optimizers.Solved, error)
}

// Series reads and changes series from outside. *series.Service implements it.
type Series interface {
	// Put adds a series or values to one, and reports whether the series is new.
	Put(ctx context.Context, accountID string, p series.Post) (put *series.Series, created bool, err error)
	// Series lists what the account may read, with the total before paging.
	Series(ctx context.Context, accountID string, limit, offset int) ([]*series.Series, int, error)
	// Find returns a series by name or id; fault.NotFound.
	Find(ctx context.Context, accountID, ref string) (*series.Series, error)
	// SeriesTable returns the values of a version.
	SeriesTable(ctx context.Context, seriesID string, version int) (*series.Table, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// SeriesColumns reads single columns of series. *series.Service implements it.
type SeriesColumns interface {
	// Column reads NAME.KEY; fault.UnknownMember.
	Column(ctx context.Context, accountID, reference string) (*series.Values, error)
}

// BackfilledAssets reports which assets have a backfill. *backfills.Service implements
// it.
type BackfilledAssets interface {
	// Of returns an account's current backfills, by asset id.
	Of(ctx context.Context, accountID string, assetIDs []string) (map[string]*backfills.Backfill, error)
}

// Queries answers SQL statements.
type Queries interface {
	// Query answers a statement over what an account may read. The caller closes the
	// answer. fault.InvalidQuery, fault.QueryMemory, fault.QueryTime, fault.QueryRows
	// and fault.NotFound.
	Query(ctx context.Context, accountID string, r query.Request) (QueryAnswer, error)
}

// QueryAnswer is the rows of a statement.
type QueryAnswer interface {
	query.Rows
	// Close ends the statement, whether or not its rows were read.
	Close()
}

// Exports opens whole tables. export.Service implements it.
type Exports interface {
	// Open starts reading a table for an account; the caller closes it. Errors are
	// faults.
	Open(ctx context.Context, accountID string, q export.Query) (*export.Rows, error)
}

// Credentials finds the identities behind the secrets that callers send.
type Credentials interface {
	// Authenticate returns the identity behind the hash of an unrevoked key;
	// fault.Unauthenticated. It records the time of use, to the minute.
	Authenticate(ctx context.Context, hash [32]byte) (*account.Identity, error)
	// AuthenticateSession returns the identity behind a session that has not ended,
	// and extends the session; fault.Unauthenticated.
	AuthenticateSession(ctx context.Context, hash [32]byte) (*account.Identity, error)
}

// Accounts reads accounts.
type Accounts interface {
	// Account returns an account with the sizes of its collections, or fault.NotFound.
	Account(ctx context.Context, id string) (*account.Account, error)
}

// Keys stores the keys of accounts.
type Keys interface {
	// CreateKey stores a key under the hash of its secret. A key without scopes gets all.
	CreateKey(ctx context.Context, k *account.Key, hash [32]byte) error
	// Keys lists an account's keys that begin with prefix, newest first, including
	// revoked ones. An empty accountID or prefix matches any.
	Keys(ctx context.Context, accountID, prefix string) ([]*account.Key, error)
	// RevokeKey ends a key of the account at once; fault.NotFound. Revoking a revoked
	// key changes nothing.
	RevokeKey(ctx context.Context, accountID, keyID string) (*account.Key, error)
}

// Sessions stores sessions.
type Sessions interface {
	// CreateSession stores a session under the hash of its secret, and sets when it
	// ends.
	CreateSession(ctx context.Context, s *account.Session, hash [32]byte) error
	// EndSession ends a session; one that does not exist is not an error.
	EndSession(ctx context.Context, hash [32]byte) error
}

// SignIns stores sign-ins that have begun, and finds the account of a person who has
// signed in.
type SignIns interface {
	// BeginSignin stores a sign-in for ten minutes, or until it is taken.
	BeginSignin(ctx context.Context, s account.Signin) error
	// TakeSignin returns and removes the sign-in with this state;
	// fault.Unauthenticated.
	TakeSignin(ctx context.Context, state [32]byte) (*account.Signin, error)
	// Admit finds a person's account: the one that they signed in to before, or else
	// an account with their email address that nobody has signed in to, or else,
	// unless plan is "", a new account on that plan; fault.Forbidden.
	Admit(ctx context.Context, p account.Person, plan account.Plan) (accountID string, err error)
}

// Issuer signs people in. openid.Provider implements it.
type Issuer interface {
	// Address returns where the browser goes to sign in; fault.Unavailable.
	Address(ctx context.Context, a openid.Attempt) (string, error)
	// Redeem exchanges the code that a browser brought back for the person;
	// fault.Unauthenticated, fault.Forbidden, fault.Unavailable.
	Redeem(ctx context.Context, browser, code string) (*account.Person, error)
}

// Shares keeps links to results. *shares.Service implements it.
type Shares interface {
	Create(ctx context.Context, accountID string, r shares.Request) (s *shares.Share, token string, err error)
	Shares(ctx context.Context, accountID, model, run string, limit, offset int) ([]*shares.Share, int, error)
	Share(ctx context.Context, accountID, shareID string) (*shares.Share, error)
	Patch(ctx context.Context, accountID, shareID string, p shares.Patch) (*shares.Share, error)
	Delete(ctx context.Context, accountID, shareID string) error
}

// Webhooks stores the endpoints that receive events. *webhook.Service implements it.
type Webhooks interface {
	Create(ctx context.Context, accountID string, p webhook.Patch) (*webhook.Webhook, error)
	Webhook(ctx context.Context, accountID, ref string) (*webhook.Webhook, error)
	Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*webhook.Webhook, int, error)
	Patch(ctx context.Context, accountID, ref string, p webhook.Patch) (*webhook.Webhook, error)
	Delete(ctx context.Context, accountID, ref string) (string, error)
}

// Deliveries reads what was sent to endpoints, and sends it again. *webhook.Service
// implements it.
type Deliveries interface {
	Test(ctx context.Context, accountID, ref string) (*webhook.Delivery, error)
	Deliveries(ctx context.Context, accountID, ref string, status webhook.Status, limit, offset int) ([]*webhook.Delivery, int, error)
	Redeliver(ctx context.Context, accountID, ref, deliveryRef string) (*webhook.Delivery, error)
}

// Billing reads what accounts can spend and have used. billing.Store implements it.
type Billing interface {
	// Statement reads an account's balance. The first read opens it.
	Statement(ctx context.Context, accountID string) (*billing.Statement, error)
	// Charges lists an account's charges, newest first, with the total before paging.
	Charges(ctx context.Context, accountID string, f billing.Filter) ([]*billing.Charge, int, error)
	// Quotas returns how much of each quota an account has used.
	Quotas(ctx context.Context, accountID string) ([]billing.Use, error)
}

// Check reports why a part of the service is not ready; nil means that it is ready.
type Check func(ctx context.Context) error
