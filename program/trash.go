package program

import (
	"context"
	"log/slog"
	"time"

	"ballast/internal/fault"
	"ballast/internal/id"
)

// Retention is how long the Trash keeps a model, and how long the receipt of a purge
// is kept.
const Retention = 30 * 24 * time.Hour

// Trashed is what the Trash shows of a model: no code and no results.
type Trashed struct {
	ID        string
	Name      string
	Symbol    string
	DeletedAt time.Time
	PurgeAt   time.Time
}

// Deletion describes a deletion or a purge.
type Deletion struct {
	AccountID string
	ModelID   string
	At        time.Time
	PurgeAt   time.Time // when the Trash purges it or, for a purge, when the receipt expires
}

// Trash deletes models and restores them.
type Trash struct {
	models *Models
	store  TrashStore
	log    *slog.Logger
	now    func() time.Time
}

// Delete moves one of the caller's models to the Trash. Sharing and recurring
// work stop at once and stay off.
func (s *Trash) Delete(ctx context.Context, accountID, ref string) (*Trashed, error) {
	m, err := s.models.own(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	d := s.deletion(accountID, m.ID)
	if err := s.store.DeleteModel(ctx, d, Failure{
		Type: FailureInternal, Message: "The model was moved to the Trash before the run began.",
	}); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "model moved to the trash", "model_id", m.ID)
	return &Trashed{ID: m.ID, Name: m.Name, Symbol: m.Symbol, DeletedAt: d.At, PurgeAt: d.PurgeAt}, nil
}

func (s *Trash) deletion(accountID, modelID string) Deletion {
	now := s.now().UTC().Truncate(time.Microsecond)
	return Deletion{AccountID: accountID, ModelID: modelID, At: now, PurgeAt: now.Add(Retention)}
}

// Trash lists the caller's models in the Trash, latest deletion first, with the total
// before paging. Expired ones are left out.
func (s *Trash) Trash(ctx context.Context, accountID string, limit, offset int) ([]*Trashed, int, error) {
	return s.store.Trash(ctx, s.models.kind.Name, accountID, s.now(), limit, offset)
}

// Restore takes a model out of the Trash: active if it has a result, otherwise
// failed, not shared, and without recurring work. Nothing is computed.
func (s *Trash) Restore(ctx context.Context, accountID, ref string) (*Sheet, error) {
	modelID, ok := id.Parse(s.models.kind.id(), ref)
	if !ok {
		return nil, notInTrash(s.models.kind, ref)
	}
	if err := s.store.RestoreModel(ctx, accountID, modelID, s.now()); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "model restored", "model_id", modelID)
	return s.models.sheet(ctx, modelID)
}

// Purge deletes a model in the Trash for good, with its code, builds and runs.
func (s *Trash) Purge(ctx context.Context, accountID, ref string) (modelID string, err error) {
	modelID, ok := id.Parse(s.models.kind.id(), ref)
	if !ok {
		return "", notInTrash(s.models.kind, ref)
	}
	if err := s.store.PurgeModel(ctx, s.deletion(accountID, modelID)); err != nil {
		return "", err
	}
	s.log.InfoContext(ctx, "model purged", "model_id", modelID)
	return modelID, nil
}

// ExpiryStore purges models that the Trash has kept for long enough.
type ExpiryStore interface {
	// PurgeExpired purges up to n expired models in the Trash, leaves a receipt for
	// each, and returns their ids. It also deletes expired receipts.
	PurgeExpired(ctx context.Context, now, receiptsUntil time.Time, n int) ([]string, error)
}

func notInTrash(kind *Kind, ref string) error {
	return fault.New(fault.NotFound, "There is no %s %q in your Trash. List it for the exact ids.", kind.Name, ref)
}

// TrashStore stores deleted models. Each method that changes something is one
// transaction.
type TrashStore interface {
	// DeleteModel moves a model to the Trash, fails its queued snapshots with f, and
	// ends sharing and recurring work. It returns fault.ModelBusy while a run of the
	// model is in progress that has started or publishes, and fault.ModelHeld if a
	// model outside the Trash holds it.
	DeleteModel(ctx context.Context, d Deletion, f Failure) error
	// Trash lists an account's programs of a kind in the Trash that have not expired,
	// latest deletion first, with the total before paging.
	Trash(ctx context.Context, kind, accountID string, now time.Time, limit, offset int) ([]*Trashed, int, error)
	// RestoreModel takes a model out of the Trash. fault.NotFound,
	// fault.TrashDependencies if members of it are in the Trash, fault.SymbolTaken if
	// its symbol has been taken in the meantime.
	RestoreModel(ctx context.Context, accountID, modelID string, now time.Time) error
	// PurgeModel deletes a model in the Trash with its builds and runs and leaves a
	// receipt; fault.NotFound.
	PurgeModel(ctx context.Context, d Deletion) error
}

// TrashSweeper purges models that the Trash has kept for long enough. No row names
// their result objects any more, so the sweep deletes them.
type TrashSweeper struct {
	Store  ExpiryStore
	Logger *slog.Logger
	Now    func() time.Time
}

// purgeBatch is how many models one transaction purges.
const purgeBatch = 50

// Sweep purges everything that has expired.
func (s *TrashSweeper) Sweep(ctx context.Context) error {
	for {
		now := s.Now()
		purged, err := s.Store.PurgeExpired(ctx, now, now.Add(Retention), purgeBatch)
		if err != nil {
			return err
		}
		for _, modelID := range purged {
			s.Logger.InfoContext(ctx, "expired model purged", "model_id", modelID)
		}
		if len(purged) < purgeBatch {
			return nil
		}
	}
}
