package console

import (
	"context"
	"embed"
	"net/http"
	"slices"
	"time"

	"ballast/account"
	"ballast/api/web"
	"ballast/api/web/asset"
	"ballast/api/web/chart"
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

// Reader says what words and scripts mean. *program.Builder implements it.
type Reader interface {
	Validate(ctx context.Context, accountID, script string) (*program.Validation, error)
	ValidatePrompt(ctx context.Context, accountID, prompt string) (*program.PromptValidation, error)
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

// Histories reads results. *history.Service implements it.
type Histories interface {
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	RunHistory(ctx context.Context, accountID, runID string, q history.Query) (*history.History, error)
	Compare(ctx context.Context, accountID string, q history.CompareQuery) (*history.Comparison, error)
}

// Catalog reads assets. catalog.Service implements it.
type Catalog interface {
	// Assets returns a page with its total and facets. The records are shared and must
	// not be changed.
	Assets(ctx context.Context, f catalog.Filter) (*catalog.Page, error)
}

// Config holds what New needs.
type Config struct {
	Host      Host
	Changer   Changer
	Kinds     []*Kind // models first
	Reader    Reader
	Drafts    Drafts
	Revisions Revisions
	Histories Histories
	Catalog   Catalog
	// Estimate returns what the next run of a program would hold, in cents; nil if that is
	// not known or nothing is metered.
	Estimate   func(m *program.Sheet) *int64
	Accounts   Accounts
	Billing    Billing
	Metered    bool  // usage is charged
	BuildCents int64 // least that a build holds, where usage is charged
	Keys       Keys
	Optimizers Optimizers
	Solver     Solver
	Webhooks   Webhooks // nil: no webhooks
	Deliveries Deliveries
	Changes    Changes // nil: no audit log
	Shares     Shares  // nil: no shares
	// Origin is the beginning of the service's addresses for whoever sent a request.
	Origin func(r *http.Request) string
	Now    func() time.Time
}

//go:embed assets
var assetFiles embed.FS

// Console serves the pages.
type Console struct {
	Config
	assets *asset.Files
}

// New returns the pages. It fails if an embedded file cannot be read.
func New(c Config) (*Console, error) {
	files, err := asset.Read(Root+"/assets/", assetFiles, "assets")
	if err != nil {
		return nil, err
	}
	files.Add("chart.css", []byte(chart.Style))
	return &Console{Config: c, assets: files}, nil
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
	models := c.Kinds[0]
	pages := []web.Page{
		c.get("", models.with(c.listModels)),
		c.get("/new", c.showNew),
		c.post("/new", c.postNew),
		c.get("/models/{model}/edit", models.with(c.showDraft)),
		c.post("/models/{model}/edit", models.with(c.postDraft)),
		c.get("/models/{model}/revisions", models.with(c.listRevisions)),
		c.get("/compare", c.compareRuns),
		c.get("/screener", c.screen),
		c.post("/screener/use", c.useAsUniverse),
		{Method: http.MethodGet, Path: Root + "/symbols", Handler: c.completeSymbol},
		c.get("/trash", c.listTrash),
		c.post("/trash/{model}/restore", c.restoreModel),
		c.post("/trash/{model}/purge", c.purgeModel),
		{Method: http.MethodGet, Path: c.assets.Path(), Handler: c.assets.Serve},
	}
	for _, k := range c.Kinds {
		pages = append(pages, c.kindPages(k)...)
	}
	if c.Optimizers != nil {
		pages = append(
			pages, c.get("/optimizers", c.listOptimizers), c.get("/optimizers/new", c.newOptimizer), c.post("/optimizers/new", c.saveOptimizer),
			c.get("/optimizers/{optimizer}", c.showOptimizer), c.post("/optimizers/{optimizer}", c.saveOptimizer),
			c.post("/optimizers/{optimizer}/solve", c.solveOptimizer), c.post("/optimizers/{optimizer}/delete", c.deleteOptimizer),
		)
	}
	if c.Shares != nil {
		pages = append(
			pages, c.get("/shares", c.listShares), c.post("/shares/{share}", c.changeShare),
			c.get("/models/{model}/share", models.with(c.showShareOfModel)), c.post("/models/{model}/share", models.with(c.postShareOfModel)),
		)
	}
	return pages
}

// kindPages are the pages that programs of every kind have.
func (c *Console) kindPages(k *Kind) []web.Page {
	one := "/" + k.Path + "/{model}"
	pages := []web.Page{
		c.get(one, k.with(c.showModel)),
		c.post(one, k.with(c.saveSettings)),
		c.get(one+"/runs", k.with(c.listRuns)),
		c.get(one+"/runs/new", k.with(c.showInputs)),
		c.post(one+"/runs/new", k.with(c.startRun)),
		c.get(one+"/runs/{run}", k.with(c.showRun)),
		c.post(one+"/runs/{run}", k.with(c.changeRun)),
		c.post(one+"/rebuild", k.with(c.rebuildModel)),
		c.post(one+"/favorite", k.with(c.setFavorite)),
		c.post(one+"/delete", k.with(c.deleteModel)),
		{Method: http.MethodGet, Path: Root + one + "/progress", Handler: func(w http.ResponseWriter, r *http.Request) { c.streamProgress(w, r, k) }},
	}
	if c.Shares != nil {
		pages = append(pages, c.get(one+"/runs/{run}/share", k.with(c.showShareOfRun)), c.post(one+"/runs/{run}/share", k.with(c.postShareOfRun)))
	}
	if !k.IsModel() {
		pages = append(pages, c.get("/"+k.Path, k.with(c.listPrograms)))
	}
	return pages
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
