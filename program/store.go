package program

import (
	"context"
	"encoding/json"
	"time"

	"ballast/backtest"
	"ballast/timeseries"
)

// Store keeps programs. Every method that changes state is one transaction,
// with the rows of the jobs that follow from it.
type Store interface {
	RevisionStore
	BackfillStore
	// CreateModel adds a model with its first build and run and queues the run.
	// fault.SymbolTaken where the account has another model of that symbol; the
	// slug is made unique by the caller. It returns the model as the transaction
	// has left it, with the run in flight, however soon that ends.
	CreateModel(ctx context.Context, m *Model, b *Build, r *Run) (*Sheet, error)
	// Rebuild adds a build and its run to a model and queues the run. The model
	// goes on serving what it serves; one that serves nothing is building again.
	// fault.RebuildConflict while a build of the model is in flight,
	// fault.SymbolTaken where another model of the account has symbol. It returns
	// the model as the transaction has left it.
	Rebuild(ctx context.Context, b *Build, r *Run, symbol string) (*Sheet, error)
	// Promote adds a build that follows from the one called base, and its run, to a
	// model that serves base, sets the model updating and queues the run.
	// fault.RunConflict while a default run or a build of the model is in flight,
	// fault.NotReady where it serves nothing, ErrBuildMoved where it serves another
	// build than base. r is then the run as the transaction has left it, with the
	// fields joined.
	Promote(ctx context.Context, b *Build, r *Run, base string) error
	// Moving reports whether one of the models is about to serve another run: a
	// publishing run of it is in flight, or it waits for its own members.
	Moving(ctx context.Context, modelIDs []string) (bool, error)
	// ModelID resolves a reference (id, slug, symbol, exact name, in that order)
	// among the account's models, and a slug among public ones; fault.NotFound,
	// fault.InvalidParameter where several models have the name.
	ModelID(ctx context.Context, accountID, ref string) (string, error)
	// PatchModel changes a model as ModelPatch.Apply does, whose faults it returns;
	// fault.NotFound, fault.SymbolTaken. Where recurring work is taken up again, what
	// the model waits for is queued.
	PatchModel(ctx context.Context, modelID string, p ModelPatch) error
	// DeleteModel moves a model to the Trash, ends its queued snapshots with the
	// failure, and ends sharing and recurring work. fault.ModelBusy while a run of
	// it is in flight that has begun or publishes, fault.ModelHeld where a model
	// that is not in the Trash holds it.
	DeleteModel(ctx context.Context, d Deletion, f Failure) error
	// Trash lists an account's trashed models that have not expired, the latest
	// deletion first, with the total before paging.
	Trash(ctx context.Context, accountID string, now time.Time, limit, offset int) ([]*Trashed, int, error)
	// RestoreModel takes a model out of the Trash. fault.NotFound,
	// fault.TrashDependencies where members of it are in the Trash,
	// fault.SymbolTaken where its symbol was taken meanwhile.
	RestoreModel(ctx context.Context, accountID, modelID string, now time.Time) error
	// PurgeModel removes a trashed model with its builds and runs and leaves a
	// receipt; fault.NotFound.
	PurgeModel(ctx context.Context, d Deletion) error
	// Sheet reads a model by id; fault.NotFound.
	Sheet(ctx context.Context, modelID string) (*Sheet, error)
	// Served reads a model by id with the run that it serves; of the rest of a sheet
	// there is nothing. fault.NotFound.
	Served(ctx context.Context, modelID string) (*Sheet, error)
	// Models lists an account's models, newest first, with the total before paging.
	Models(ctx context.Context, accountID string, f ModelFilter) ([]*Sheet, int, error)
	// ModelsByKey returns the account's models whose id, symbol or exact name
	// (in that order) is one of keys, by key; of several with a name the oldest, with
	// its Namesakes. Models without a live run are among
	// them; of the rest of a sheet there is the live run alone.
	ModelsByKey(ctx context.Context, accountID string, keys []string) (map[string]*Sheet, error)
	// SymbolsInUse returns which models of the account have those of symbols that are used, by symbol.
	SymbolsInUse(ctx context.Context, accountID string, symbols []string) (map[string]string, error)
	// Below reads the graph of what models hold, from some of them down: every
	// membership that is reached, once.
	Below(ctx context.Context, modelIDs []string) ([]Membership, error)

	// CreateRun adds a run and queues it; fault.RunConflict while a default run or
	// a rebuild of the model is in flight (a test excepted), fault.NotReady where
	// the model was never built, fault.DailyRunLimit past limit runs that callers
	// have started since midnight UTC. A publishing run sets the model updating. r
	// is then the run as the transaction has left it, with the fields joined.
	CreateRun(ctx context.Context, r *Run, dailyLimit int) error
	// Run reads one by id, with the fields joined; fault.NotFound.
	Run(ctx context.Context, runID string) (*Run, error)
	// PatchRun relabels or shares a run; fault.NotFound.
	PatchRun(ctx context.Context, runID string, p RunPatch) error
	// DeleteRun removes an ended run. fault.RunInFlight before its end,
	// fault.RunLive where a model serves it, or serves what was computed on it.
	DeleteRun(ctx context.Context, runID string) error
	// RunsByID reads several in one query; those that do not exist are left out,
	// those of trashed models are not: results were computed on them.
	RunsByID(ctx context.Context, ids []string) (map[string]*Run, error)
	// PublicModels tells which of the models are shared by slug and not in the Trash.
	PublicModels(ctx context.Context, ids []string) (map[string]bool, error)
	// Runs lists a model's runs, newest first, without results.
	Runs(ctx context.Context, modelID string, f RunFilter) ([]*Run, int, error)
	// Build reads one by id; fault.NotFound.
	Build(ctx context.Context, buildID string) (*Build, error)
	// Builds lists a model's builds, newest first, without scripts.
	Builds(ctx context.Context, modelID string, limit, offset int) ([]*Build, int, error)

	// Finished returns a channel that is closed when the run has ended, or ctx is
	// done; the caller reads the run afterwards.
	Finished(ctx context.Context, runID string) (<-chan struct{}, error)
}

// ModelFilter selects models of a list.
type ModelFilter struct {
	Status   Status // "" any
	Favorite *bool
	Labels   []string // any of them, case ignored
	Limit    int
	Offset   int
}

// RunFilter selects runs of a list.
type RunFilter struct {
	UpdatesOnly bool // routine refreshes alone
	Limit       int
	Offset      int
}

// Publication is everything that a finished run makes visible.
type Publication struct {
	RunID          string
	HarnessVersion string // of the worker
	DataVersion    string
	Members        []Member
	Depth          int // of the model, from its members
	Summary        *Summary
	Usage          Usage
	ResultHash     string
	Tables         Tables
	Base           timeseries.Date
	First          timeseries.Date // NoDate where the run has a base and no return yet
	Last           timeseries.Date
	FinishedAt     time.Time
	Causality      *backtest.Causality // nil where the build was checked before
	Identity       *Identity           // what the build makes of its model where it is served; nil of other runs
	Warning        string              // for who follows what is served, "" without
	Strategy       string              // that was tried at the run's inputs, see script.Program
	Sharpe         float64             // annual, of the whole result; NaN where it has none
}

// Identity is what a build changes of its model besides the implementation.
type Identity struct {
	Name        string // "" keeps the model's own
	Symbol      string // likewise
	Description string
	Prompt      string // "" keeps the model's own
	StartRule   string // "" keeps the model's own
	Yields      bool   // to the name and the symbol that the owner has given
}

// Ending is how a run fails.
type Ending struct {
	Failure   Failure
	Usage     Usage
	Causality *backtest.Causality // nil where it was not checked
	NextRetry *time.Time          // of a refresh, nil where none is planned
}

// GeneratedScript is what a generator wrote for a build.
type GeneratedScript struct {
	BuildID      string
	Script       string
	ScriptHash   string
	InputsSchema json.RawMessage
	Validation   json.RawMessage
	Entries      Entries
	Generator    string
	Usage        Usage
	Inputs       json.RawMessage // the defaults, for the build's run
	Model        Identity        // of a model that serves nothing yet
}

// Membership is an edge of the graph of models.
type Membership struct {
	HolderID   string
	MemberID   string
	MemberName string
}
