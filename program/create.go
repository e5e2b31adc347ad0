package program

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/timeseries"
)

// Builder makes models and gives them other implementations: from a script, or
// from words for which a script is written.
type Builder struct {
	models  *Models
	writer  *writer
	store   BuildChanges
	symbols SymbolReader
	assets  Assets
	log     *slog.Logger
	now     func() time.Time
}

// BuildChanges adds builds. Each method is one transaction, with the rows of the
// jobs that follow from it, and returns the model as the transaction has left it,
// with the run in flight, however soon that ends.
type BuildChanges interface {
	// CreateModel adds a model with its first build and run and queues the run.
	// fault.SymbolTaken where the account has another model of that symbol; the
	// slug is made unique by the caller.
	CreateModel(ctx context.Context, m *Model, b *Build, r *Run) (*Sheet, error)
	// Rebuild adds a build and its run to a model and queues the run. The model
	// goes on serving what it serves; one that serves nothing is building again.
	// fault.RebuildConflict while a build of the model is in flight,
	// fault.SymbolTaken where another model of the account has symbol.
	Rebuild(ctx context.Context, b *Build, r *Run, symbol string) (*Sheet, error)
}

// Create stores a new model with its first build and run; the run is queued in
// the same transaction. A script that breaks the contract is refused with all
// its problems. Without a script one is written from the prompt: at once where
// the grammar understands it, else in the background by the language model.
func (s *Builder) Create(ctx context.Context, accountID string, req CreateRequest) (*Sheet, error) {
	i, err := s.writer.implement(ctx, subject{accountID: accountID}, req.Script, req.Prompt)
	if err != nil {
		return nil, err
	}
	if err := i.named(ctx, s.assets, &req); err != nil {
		return nil, err
	}
	now := s.now()
	m := &Model{
		ID: id.New(s.models.kind.id()), Kind: s.models.kind.Name, AccountID: accountID, Name: i.name, Symbol: i.symbol, OwnName: req.Name != "", OwnSymbol: req.Symbol != "", Labels: req.Labels,
		Status: StatusBuilding, AutoUpdate: orDefault(req.AutoUpdate, true), NotifyEmail: orDefault(req.NotifyEmail, true),
		Description: i.description, Prompt: req.Prompt, StartDate: timeseries.NoDate, RequestedSession: timeseries.NoDate, StartRule: i.startRule,
		CreatedAt: now, UpdatedAt: now,
	}
	m.Slug = slug(m.Name, m.ID)
	b, r := i.build(m, "create", SourceCreate, now)
	m.BuildID = b.ID
	var created *Sheet
	if m.Symbol == "" && s.models.kind.Member {
		err = withFreeSymbol(ctx, s.assets, s.symbols, accountID, "", m.Name, func(symbol string) error {
			m.Symbol = symbol
			created, err = s.store.CreateModel(ctx, m, b, r)
			return err
		})
	} else {
		created, err = s.store.CreateModel(ctx, m, b, r)
	}
	if err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "model created", "model_id", m.ID, "build_id", b.ID, "run_id", r.ID, "generator", b.Generator)
	return created, nil
}

// named gives an implementation the name and the symbol that its owner asks for,
// which go before those of the script, and checks the labels.
func (i *implementation) named(ctx context.Context, assets Assets, req *CreateRequest) error {
	p := ModelPatch{
		Name: Change[string]{req.Name != "", req.Name}, Symbol: Change[string]{req.Symbol != "", req.Symbol}, Labels: Change[[]string]{true, req.Labels},
	}
	p, details := p.checked()
	if len(details) > 0 {
		return fault.New(fault.InvalidBody, "The model cannot have this name, symbol or labels; details name each problem. Nothing was stored.").With(details...)
	}
	if err := unlisted(ctx, assets, req.Symbol, ""); err != nil {
		return err
	}
	p.Name.apply(&i.name)
	p.Symbol.apply(&i.symbol)
	req.Labels = p.Labels.To
	return nil
}

// slug makes a public address from a name; the identifier's random end makes it unique.
func slug(name, modelID string) string {
	var b strings.Builder
	dash := false
	for _, c := range strings.ToLower(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			dash = b.Len() > 0
			continue
		}
		if b.Len() >= 48 {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(c)
	}
	if b.Len() > 0 {
		b.WriteByte('-')
	}
	return b.String() + modelID[len(modelID)-10:]
}

func orDefault(v *bool, d bool) bool {
	if v == nil {
		return d
	}
	return *v
}
