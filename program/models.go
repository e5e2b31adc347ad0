package program

import (
	"context"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/optimize/optimizer"
)

// Models reads models and their builds as callers may see them, and makes the changes
// that compute nothing.
type Models struct {
	kind     *Kind
	store    ModelStore
	members  ModelFinder
	sharing  Sharing
	rules    RuleReader
	builds   BuildReader
	assets   Assets
	sessions Sessions
}

// ModelStore stores models.
type ModelStore interface {
	// ProgramID resolves a reference among the account's programs of a kind (id,
	// slug, symbol, exact name, in that order), and a slug among public ones;
	// fault.NotFound, or fault.InvalidParameter if several programs have the name.
	ProgramID(ctx context.Context, kind, accountID, ref string) (string, error)
	// Sheet reads a model by id; fault.NotFound.
	Sheet(ctx context.Context, modelID string) (*Sheet, error)
	// Served reads a model by id with only the run that it serves; fault.NotFound.
	Served(ctx context.Context, modelID string) (*Sheet, error)
	// PatchModel changes a model as ModelPatch.Apply does, and returns the same
	// faults; also fault.NotFound and fault.SymbolTaken. If the patch resumes
	// recurring work, the refresh that the model waits for is queued.
	PatchModel(ctx context.Context, modelID string, p ModelPatch) error
	// ModelGroups counts the models that a filter selects by label and gives the
	// spread of the named figures in each group; see Models.Groups.
	ModelGroups(ctx context.Context, accountID string, f ModelFilter, figures []string) ([]ModelGroup, error)
}

// RuleReader reads what optimizers are.
type RuleReader interface {
	// OptimizerDefinition reads one version of an optimizer, which may be deleted.
	OptimizerDefinition(ctx context.Context, optimizerID string, version int) (*optimizer.Definition, error)
}

// BuildReader reads builds.
type BuildReader interface {
	// Build reads a build by id; fault.NotFound.
	Build(ctx context.Context, buildID string) (*Build, error)
	// Builds lists a model's builds, newest first, without scripts.
	Builds(ctx context.Context, modelID string, limit, offset int) ([]*Build, int, error)
}

// Sheet reads a model by any reference that the caller may use: id, slug, symbol or
// exact name for the owner, the slug of a public model for others.
func (s *Models) Sheet(ctx context.Context, accountID, ref string) (*Sheet, error) {
	modelID, err := s.store.ProgramID(ctx, s.kind.Name, accountID, ref)
	if err != nil {
		return nil, err
	}
	m, err := s.sheet(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return Reader{s.sharing, accountID}.seesSheet(ctx, m)
}

// sheet reads a model by id, as its owner sees it.
func (s *Models) sheet(ctx context.Context, modelID string) (*Sheet, error) {
	m, err := s.store.Sheet(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return s.whole(ctx, m)
}

// whole adds what the model's result and members say.
func (s *Models) whole(ctx context.Context, m *Sheet) (_ *Sheet, err error) {
	if m.Live == nil {
		return m, nil
	}
	if s.kind.Trades {
		if m.View, err = s.view(ctx, m); err != nil {
			return nil, err
		}
	}
	if m.Lags, err = s.lags(ctx, m); err != nil {
		return nil, err
	}
	return m, nil
}

// Served reads a model like Sheet, but with only the run that it serves, which is all
// that reads of results need.
func (s *Models) Served(ctx context.Context, accountID, ref string) (*Sheet, error) {
	modelID, err := s.store.ProgramID(ctx, s.kind.Name, accountID, ref)
	if err != nil {
		return nil, err
	}
	m, err := s.store.Served(ctx, modelID)
	if err != nil {
		return nil, err
	}
	m.Live, err = Reader{s.sharing, accountID}.seesOne(ctx, m.Live)
	return m, err
}

// own reads a model that belongs to the caller. Another account's model is not found,
// even if it is public.
func (s *Models) own(ctx context.Context, accountID, ref string) (*Sheet, error) {
	m, err := s.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.AccountID != accountID {
		return nil, fault.Missing("model", ref)
	}
	return m, nil
}

// Builds lists the builds of one of the caller's models, without scripts.
func (s *Models) Builds(ctx context.Context, accountID, ref string, limit, offset int) ([]*Build, int, error) {
	m, err := s.own(ctx, accountID, ref)
	if err != nil {
		return nil, 0, err
	}
	return s.builds.Builds(ctx, m.ID, limit, offset)
}

// Build reads one of the caller's builds, by a current or legacy id.
func (s *Models) Build(ctx context.Context, accountID, ref string) (*Build, error) {
	buildID, ok := id.Parse(id.Build, ref)
	if !ok {
		return nil, fault.Missing("build", ref)
	}
	b, err := s.builds.Build(ctx, buildID)
	if err != nil {
		return nil, fault.AsMissing(err, "build", ref)
	}
	if b.AccountID != accountID {
		return nil, fault.Missing("build", ref)
	}
	return b, nil
}
