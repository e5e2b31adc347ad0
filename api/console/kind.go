package console

import (
	"context"
	"net/url"

	"ballast/internal/fault"
	"ballast/program"
)

// Kind is a kind of programs with the services that keep them.
type Kind struct {
	Name     string // model, simulation or analysis
	Title    string // of the list: Models
	Path     string // of the list in addresses: models
	Programs Programs
	Builder  Builder
	Runs     Runs
	Changes  RunChanges
	Trash    Trash
	Call     *Call // nil if none are made by calling a function
}

// Programs reads and changes programs of one kind. Methods return faults.
// *program.Models implements it.
type Programs interface {
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
	Models(ctx context.Context, accountID string, f program.ModelFilter) ([]*program.Sheet, int, error)
	Patch(ctx context.Context, accountID, ref string, p program.ModelPatch) (*program.Sheet, error)
}

// Builder creates programs of one kind and builds them again. *program.Builder implements
// it.
type Builder interface {
	Create(ctx context.Context, accountID string, r program.CreateRequest) (*program.Sheet, error)
	Rebuild(ctx context.Context, accountID, ref string, r program.RebuildRequest) (*program.Sheet, error)
}

// Runs reads the runs of programs. *program.Runs implements it.
type Runs interface {
	Runs(ctx context.Context, accountID, ref string, f program.RunFilter) ([]*program.Run, int, error)
	Run(ctx context.Context, accountID, runID string) (*program.Run, error)
}

// RunChanges starts runs and changes them. *program.Runs implements it.
type RunChanges interface {
	StartRun(ctx context.Context, accountID, ref string, r program.RunRequest) (*program.Run, error)
	// Promote makes a run's inputs the defaults of its model.
	Promote(ctx context.Context, accountID, runID string) (*program.Run, error)
	PatchRun(ctx context.Context, accountID, runID string, p program.RunPatch) (*program.Run, error)
	DeleteRun(ctx context.Context, accountID, runID string) (string, error)
}

// Trash deletes programs and restores them. *program.Trash implements it.
type Trash interface {
	Delete(ctx context.Context, accountID, ref string) (*program.Trashed, error)
	Trash(ctx context.Context, accountID string, limit, offset int) ([]*program.Trashed, int, error)
	Restore(ctx context.Context, accountID, modelID string) (*program.Sheet, error)
	Purge(ctx context.Context, accountID, modelID string) (string, error)
}

// List is the address of the list of the kind's programs.
func (k *Kind) List() string {
	if k.IsModel() {
		return Root
	}
	return Root + "/" + k.Path
}

// IsModel reports whether programs of the kind have drafts, revisions, symbols and an
// equity.
func (k *Kind) IsModel() bool { return k.Name == program.KindModel }

// Address is the address of the page of a program.
func (k *Kind) Address(ref string) string { return Root + "/" + k.Path + "/" + url.PathEscape(ref) }

// result is the address of the page of what a program serves; "" if there is nothing.
func (k *Kind) result(m *program.Sheet) string {
	switch {
	case m.Live == nil:
		return ""
	case k.IsModel():
		return "/model/" + url.PathEscape(m.Slug)
	}
	return "/run/" + m.Live.ID
}

// kindNamed returns the kind with a name; nil if there is none.
func (c *Console) kindNamed(name string) *Kind {
	for _, k := range c.Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// own reads one of the account's programs. Public ones of others look as if they did not
// exist, because these pages are for owners.
func (c *Console) own(ctx context.Context, r *request) (*program.Sheet, error) {
	m, err := r.kind.Programs.Sheet(ctx, r.account(), r.model())
	if err == nil && m.AccountID != r.account() {
		return nil, fault.Missing(r.kind.Name, r.model())
	}
	return m, err
}
