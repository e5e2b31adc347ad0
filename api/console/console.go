package console

import (
	"context"
	"net/http"
	"slices"
	"time"

	"ballast/account"
	"ballast/api/web"
	"ballast/catalog"
	"ballast/program"
	"ballast/program/history"
)

// Host is what the pages need of the server.
type Host interface {
	// Admit returns who is signed in, or nil, and counts the request against the limits
	// of the account; fault.RateLimited.
	Admit(r *http.Request) (*account.Identity, error)
	// Form reads the form of a request, which must come from a page of the service;
	// fault.Forbidden, fault.MalformedRequest, fault.PayloadTooLarge.
	Form(w http.ResponseWriter, r *http.Request) error
	// Recurring returns whether a new program is refreshed by itself, as far as the
	// account's plan includes that; nil for the default.
	Recurring(ctx context.Context, asked *bool) (*bool, error)
	// Explain returns what a page says about an error, and logs it.
	Explain(r *http.Request, err error) web.Explanation
}

// Changer makes changes in the name of who is signed in.
type Changer interface {
	// Change makes a change and records it in the audit log as the operation with this
	// id. It returns the error of the change.
	Change(r *http.Request, operation string, change func(ctx context.Context) error) error
	// Once makes a change as Change does, unless the same form has made it with the same
	// key: then it only returns where that went on. While the first one is at work, it
	// waits for it. A change that fails may be tried again with its key.
	Once(r *http.Request, operation, key string, change func(ctx context.Context) (next string, err error)) (next string, err error)
}

// Models reads and changes models. Methods return faults. *program.Models implements it.
type Models interface {
	Models(ctx context.Context, accountID string, f program.ModelFilter) ([]*program.Sheet, int, error)
	Patch(ctx context.Context, accountID, ref string, p program.ModelPatch) (*program.Sheet, error)
}

// Sheets reads single models. *program.Models implements it.
type Sheets interface {
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// Builder says what words and scripts mean, and builds models again. *program.Builder
// implements it.
type Builder interface {
	Validate(ctx context.Context, accountID, script string) (*program.Validation, error)
	ValidatePrompt(ctx context.Context, accountID, prompt string) (*program.PromptValidation, error)
	Rebuild(ctx context.Context, accountID, ref string, r program.RebuildRequest) (*program.Sheet, error)
}

// Creator creates programs of one kind. *program.Builder implements it.
type Creator interface {
	Create(ctx context.Context, accountID string, r program.CreateRequest) (*program.Sheet, error)
}

// Drafts edits copies of what models serve. *program.Drafts implements it.
type Drafts interface {
	Draft(ctx context.Context, accountID, ref string) (*program.Draft, error)
	SaveDraft(ctx context.Context, accountID, ref string, e program.DraftEdit) (*program.Draft, error)
	// TestDraft returns the same revision for the same key.
	TestDraft(ctx context.Context, accountID, ref, key string) (*program.Revision, error)
}

// Revisions reads what models have served and tests of drafts, and applies tests.
// *program.Drafts implements it.
type Revisions interface {
	Revisions(ctx context.Context, accountID, ref string, f program.RevisionFilter) ([]*program.Revision, int, error)
	Revision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error)
	ApplyRevision(ctx context.Context, accountID, ref, revision string) (*program.Revision, string, error)
}

// Trash deletes models and restores them. *program.Trash implements it.
type Trash interface {
	Delete(ctx context.Context, accountID, ref string) (*program.Trashed, error)
	Trash(ctx context.Context, accountID string, limit, offset int) ([]*program.Trashed, int, error)
	Restore(ctx context.Context, accountID, modelID string) (*program.Sheet, error)
	Purge(ctx context.Context, accountID, modelID string) (string, error)
}

// Histories reads results. *history.Service implements it.
type Histories interface {
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	RunHistory(ctx context.Context, accountID, runID string, q history.Query) (*history.History, error)
}

// Runs lists the runs of models. *program.Runs implements it.
type Runs interface {
	Runs(ctx context.Context, accountID, ref string, f program.RunFilter) ([]*program.Run, int, error)
}

// RunChanges changes runs. *program.Runs implements it.
type RunChanges interface {
	// Promote makes a run's inputs the defaults of its model.
	Promote(ctx context.Context, accountID, runID string) (*program.Run, error)
	PatchRun(ctx context.Context, accountID, runID string, p program.RunPatch) (*program.Run, error)
}

// Catalog reads assets. catalog.Service implements it.
type Catalog interface {
	// Assets returns a page with its total and facets. The records are shared and must
	// not be changed.
	Assets(ctx context.Context, f catalog.Filter) (*catalog.Page, error)
}

// Config holds what New needs.
type Config struct {
	Host       Host
	Changer    Changer
	Models     Models
	Sheets     Sheets
	Builder    Builder            // of models
	Builders   map[string]Creator // by kind of program
	Drafts     Drafts
	Revisions  Revisions
	Trash      Trash
	Histories  Histories
	Catalog    Catalog
	Runs       Runs
	RunChanges RunChanges
	Accounts   Accounts
	Billing    Billing
	Metered    bool // usage is charged
	Keys       Keys
	Webhooks   Webhooks // nil: no webhooks
	Deliveries Deliveries
	Changes    Changes // nil: no audit log
	Now        func() time.Time
}

// Console serves the pages.
type Console struct {
	Config
	assets assets
}

// New returns the pages. It fails if an embedded file cannot be read.
func New(c Config) (*Console, error) {
	files, err := readAssets()
	return &Console{Config: c, assets: files}, err
}

// Root is the first page. All others are below it.
const Root = "/console"

// accountRoot is the first page about the account.
const accountRoot = Root + "/account"

// Pages returns all pages.
func (c *Console) Pages() []web.Page {
	return slices.Concat(c.programPages(), c.accountPages())
}

func (c *Console) programPages() []web.Page {
	return []web.Page{
		c.get("", c.listModels),
		c.get("/new", c.showNew),
		c.post("/new", c.postNew),
		c.get("/models/{model}", c.showModel),
		c.get("/models/{model}/edit", c.showDraft),
		c.post("/models/{model}/edit", c.postDraft),
		c.get("/models/{model}/runs", c.listRuns),
		c.post("/models/{model}/runs", c.changeRun),
		c.get("/models/{model}/revisions", c.listRevisions),
		c.post("/models/{model}/rebuild", c.rebuildModel),
		{Method: http.MethodGet, Path: Root + "/models/{model}/progress", Handler: c.streamProgress},
		c.post("/models/{model}/favorite", c.setFavorite),
		c.post("/models/{model}/delete", c.deleteModel),
		c.get("/screener", c.screen),
		c.post("/screener/use", c.useAsUniverse),
		{Method: http.MethodGet, Path: Root + "/symbols", Handler: c.completeSymbol},
		c.get("/trash", c.listTrash),
		c.post("/trash/{model}/restore", c.restoreModel),
		c.post("/trash/{model}/purge", c.purgeModel),
		{Method: http.MethodGet, Path: Root + "/assets/{name}", Handler: c.serveAsset},
	}
}

func (c *Console) accountPages() []web.Page {
	pages := []web.Page{
		c.get("/account", c.showAccount),
		c.get("/account/keys", c.listKeys),
		c.post("/account/keys", c.createKey),
		c.post("/account/keys/{key}/revoke", c.revokeKey),
		c.get("/account/charges", c.listCharges),
	}
	if c.Changes != nil {
		pages = append(pages, c.get("/account/changes", c.listChanges))
	}
	if c.Webhooks != nil {
		pages = append(
			pages, c.get("/account/webhooks", c.listWebhooks), c.post("/account/webhooks", c.createWebhook),
			c.get("/account/webhooks/{webhook}", c.showWebhook), c.post("/account/webhooks/{webhook}", c.changeWebhook),
			c.post("/account/webhooks/{webhook}/deliveries/{delivery}/redeliver", c.redeliver),
		)
	}
	return pages
}

func (c *Console) get(path string, h handler) web.Page {
	return web.Page{Method: http.MethodGet, Path: Root + path, Handler: c.serve(h)}
}

func (c *Console) post(path string, h handler) web.Page {
	return web.Page{Method: http.MethodPost, Path: Root + path, Handler: c.serve(h)}
}
