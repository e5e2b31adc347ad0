package program

import (
	"log/slog"
	"time"

	"ballast/catalog/series"
	"ballast/program/generate"
	"ballast/script"
)

// Services are what callers may do with programs of a kind.
type Services struct {
	Models  *Models
	Builder *Builder
	Runs    *Runs
	Drafts  *Drafts
	Trash   *Trash
}

// Config holds what New needs.
type Config struct {
	Kind          *Kind        // kind of the programs; nil: ModelKind
	Known         script.Kinds // kinds of the scripts that can be validated; nil: only Kind's
	Stores        Stores
	Assets        Assets
	Sessions      Sessions
	Optimizers    generate.OptimizerReader // reads descriptions of optimizers; only the Builder of models needs it
	Grammar       generate.Generator       // writes scripts for prompts while the caller waits
	LanguageModel bool                     // whether the workers have one, for prompts that the grammar does not understand
	DailyRunLimit int                      // manual runs per account and day
	Wait          time.Duration            // longest wait of Runs.Wait
	Stopping      <-chan struct{}          // closed when the service stops, which ends all waits; nil: never
	Logger        *slog.Logger
	Now           func() time.Time // nil: time.Now
}

// Stores are what the services read and change. Every method that changes something
// is one transaction that also queues the resulting jobs.
type Stores struct {
	Models          ModelStore
	Members         ModelFinder
	Sharing         Sharing
	Symbols         SymbolReader
	Builds          BuildReader
	Rules           RuleReader
	BuildChanges    BuildChanges
	Runs            RunStore
	RunChanges      RunChanges
	Drafts          DraftStore
	Revisions       RevisionReader
	RevisionChanges RevisionChanges
	Trash           TrashStore
	Series          series.Reader
}

// New creates the services.
func New(c Config) *Services {
	now := c.Now
	if now == nil {
		now = time.Now
	}
	kind := c.Kind
	if kind == nil {
		kind = ModelKind
	}
	st := c.Stores
	known := c.Known
	if known == nil {
		known = kind.scripts()
	}
	models := &Models{kind: kind, store: st.Models, members: st.Members, sharing: st.Sharing, builds: st.Builds, rules: st.Rules, assets: c.Assets, sessions: c.Sessions}
	w := &writer{kind: kind, known: known, names: names{c.Assets, st.Members, series.Finder{Reader: st.Series}}, grammar: c.Grammar, optimizers: c.Optimizers, languageModel: c.LanguageModel, now: now}
	return &Services{
		Models: models,
		Builder: &Builder{
			models: models, writer: w, store: st.BuildChanges, symbols: st.Symbols, assets: c.Assets, log: c.Logger, now: now,
		},
		Runs: &Runs{
			models: models, known: known, store: st.Runs, changes: st.RunChanges, sharing: st.Sharing, builds: st.Builds, members: st.Members,
			assets: c.Assets, dailyCap: c.DailyRunLimit, wait: c.Wait, stopping: c.Stopping, log: c.Logger, now: now,
		},
		Drafts: &Drafts{
			models: models, writer: w, store: st.Drafts, revisions: st.Revisions, changes: st.RevisionChanges, builds: st.Builds,
			log: c.Logger, now: now,
		},
		Trash: &Trash{models: models, store: st.Trash, log: c.Logger, now: now},
	}
}
