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

// Builder creates models and rebuilds them: from a script, or from a prompt for which
// a script is written.
type Builder struct {
	models  *Models
	writer  *writer
	store   BuildChanges
	symbols SymbolReader
	assets  Assets
	log     *slog.Logger
	now     func() time.Time
}

// BuildChanges adds builds. Each method is one transaction that also queues the
// resulting jobs. It returns the model, with its run in progress, as the transaction
// left it, even if the run ends soon after.
type BuildChanges interface {
	// CreateModel adds a model with its first build and run and queues the run. It
	// returns fault.SymbolTaken if the account has another model with that symbol.
	// The caller makes the slug unique.
	CreateModel(ctx context.Context, m *Model, b *Build, r *Run) (*Sheet, error)
	// Rebuild adds a build and its run to a model and queues the run. The model keeps
	// serving what it serves; if it serves nothing, its status becomes building
	// again. It returns fault.RebuildConflict while a build of the model is in
	// progress, and fault.SymbolTaken if another model of the account has the symbol.
	Rebuild(ctx context.Context, b *Build, r *Run, symbol string) (*Sheet, error)
}

// Create stores a new model with its first build and run; the same transaction queues
// the run. A script that breaks the contract is refused with all its problems.
// Without a script, one is written from the prompt: at once if the grammar
// understands it, otherwise in the background by the language model.
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

// named gives an implementation the name and symbol that its owner asked for, which
// take precedence over those of the script, and checks the labels.
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

// slug makes a public address from a name. The random end of the id makes it unique.
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
