package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// Models are locked in the usual order, members before their holders. A deletion and
// the publications that pin the model wait for each other, so no model ever holds one
// in the Trash.

// DeleteModel moves a model to the Trash.
func (db *DB) DeleteModel(ctx context.Context, d program.Deletion, f program.Failure) error {
	failure, err := encode(&f)
	if err != nil {
		return err
	}
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, d.AccountID, d.ModelID)
		m, err := lockProgram(ctx, q, d.ModelID)
		if absent(err) || (err == nil && m.AccountID != d.AccountID) {
			return fault.Missing("model", d.ModelID)
		}
		if err != nil {
			return err
		}
		now := stamp(d.At)
		ended, err := q.FailQueuedRuns(ctx, dbsqlc.FailQueuedRunsParams{ProgramID: m.ID, Failure: failure, Now: &now})
		if err != nil {
			return err
		}
		if err := q.EndTestBuilds(ctx, dbsqlc.EndTestBuildsParams{RunIds: ended, Failure: failure, Now: &now}); err != nil {
			return err
		}
		if err := idle(ctx, q, m.ID); err != nil {
			return err
		}
		if err := unheld(ctx, q, m.ID); err != nil {
			return err
		}
		if err := unread(ctx, q, &m); err != nil {
			return err
		}
		if err := q.UnshareRuns(ctx, m.ID); err != nil {
			return err
		}
		if err := q.PauseSharesOf(ctx, m.ID); err != nil {
			return err
		}
		if err := q.MoveToTrash(ctx, dbsqlc.MoveToTrashParams{ID: m.ID, Now: now, PurgeAt: stamp(d.PurgeAt)}); err != nil {
			return err
		}
		readers, err := q.LockHolders(ctx, []string{m.ID})
		if err != nil {
			return err
		}
		if err := q.PauseReaders(ctx, dbsqlc.PauseReadersParams{Ids: readers, Now: now}); err != nil {
			return err
		}
		if len(ended) > 0 {
			if err := q.ReleaseRuns(ctx, dbsqlc.ReleaseRunsParams{Ids: ended, Now: now}); err != nil {
				return err
			}
			if err := returnToKeys(ctx, q, m.AccountID, ended...); err != nil {
				return err
			}
		}
		for _, runID := range ended {
			run, err := q.LockRun(ctx, runID)
			if err != nil {
				return err
			}
			if err := db.tellFailed(ctx, tx, q, &m, &run, f); err != nil {
				return err
			}
			if err := q.NotifyRunEnded(ctx, runID); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap(err, "move model %s to the trash", d.ModelID)
}

// idle rejects a model with work in progress.
func idle(ctx context.Context, q *dbsqlc.Queries, modelID string) error {
	unended, err := q.UnendedRuns(ctx, modelID)
	if err != nil || len(unended) == 0 {
		return err
	}
	f := fault.New(fault.ModelBusy, "Work on the model is in progress; details name it. Delete the model when the work has ended.")
	for _, r := range unended {
		f.Details = append(f.Details, fault.Detail{
			Field: "model", Message: fmt.Sprintf("the %s run %s is %s", r.Source, r.ID, r.Status),
		})
	}
	return f
}

// unheld rejects a model that others hold.
func unheld(ctx context.Context, q *dbsqlc.Queries, modelID string) error {
	holders, err := q.Holders(ctx, []string{modelID})
	if err != nil || len(holders) == 0 {
		return err
	}
	f := fault.New(fault.ModelHeld, "Other models hold this one; details name them. Delete them first, or take this one out of their universes.")
	for _, h := range holders {
		f.Details = append(f.Details, fault.Detail{
			Field: "model", Message: fmt.Sprintf("%s (%s, %s) holds it", h.Name, h.Symbol, h.ID),
		})
	}
	return f
}

// Trash lists an account's trashed models, the latest deletion first.
func (db *DB) Trash(ctx context.Context, kind, accountID string, now time.Time, limit, offset int) ([]*program.Trashed, int, error) {
	out := []*program.Trashed{}
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountTrash(ctx, dbsqlc.CountTrashParams{AccountID: accountID, Kind: kind, Now: stamp(now)}); err != nil {
			return err
		}
		rows, err := q.Trash(ctx, dbsqlc.TrashParams{AccountID: accountID, Kind: kind, Now: stamp(now), Most: int32(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			out = append(out, &program.Trashed{
				ID: r.ID, Name: r.Name, Symbol: r.Symbol, DeletedAt: r.DeletedAt.UTC(), PurgeAt: r.PurgeAt.UTC(),
			})
		}
		return nil
	})
	return out, int(total), wrap(err, "list the trash of %s", accountID)
}

// RestoreModel takes a model out of the Trash.
func (db *DB) RestoreModel(ctx context.Context, accountID, modelID string, now time.Time) error {
	symbol := ""
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, accountID, modelID)
		members, err := q.LockMembersOf(ctx, dbsqlc.LockMembersOfParams{HolderID: modelID, Now: stamp(now)})
		if err != nil {
			return err
		}
		m, err := lockTrashed(ctx, q, accountID, modelID, now)
		if err != nil {
			return err
		}
		symbol = m.Symbol
		if err := untrashed(members); err != nil {
			return err
		}
		if err := q.RestoreModel(ctx, dbsqlc.RestoreModelParams{ID: m.ID, Now: stamp(db.now())}); err != nil {
			return err
		}
		readers, err := q.LockHolders(ctx, []string{m.ID})
		if err != nil {
			return err
		}
		return q.ResumeReaders(ctx, dbsqlc.ResumeReadersParams{Ids: readers, Now: stamp(db.now())})
	})
	if violates(err, symbolIndex) {
		return takenSymbol("model", symbol, "Another of your models now has the symbol %s. Change the symbol of that model, then restore this one.", err)
	}
	return wrap(err, "restore model %s", modelID)
}

// lockTrashed locks a model of an account's Trash.
func lockTrashed(ctx context.Context, q *dbsqlc.Queries, accountID, modelID string, now time.Time) (*dbsqlc.LockTrashedRow, error) {
	m, err := q.LockTrashed(ctx, dbsqlc.LockTrashedParams{ID: modelID, AccountID: accountID, Now: stamp(now)})
	if err == nil {
		return &m, nil
	}
	if !absent(err) {
		return nil, err
	}
	receipt, err := q.Receipt(ctx, dbsqlc.ReceiptParams{ProgramID: modelID, AccountID: accountID, Now: stamp(now)})
	if absent(err) {
		return nil, fault.New(fault.NotFound, "There is no model %q in your Trash. List it for the exact ids.", modelID)
	}
	if err != nil {
		return nil, err
	}
	return nil, fault.New(fault.NotFound, "The model %q was purged from your Trash at %s and cannot be brought back.",
		modelID, receipt.PurgedAt.UTC().Format(time.RFC3339))
}

// untrashed rejects members that are in the Trash.
func untrashed(members []dbsqlc.LockMembersOfRow) error {
	f := fault.New(fault.TrashDependencies, "Members of the model are in the Trash; details name them. Restore them first.")
	for _, m := range members {
		if m.Trashed {
			f.Details = append(f.Details, fault.Detail{
				Field: "model", Message: fmt.Sprintf("the member %s (%s, %s) is in the Trash", m.Name, m.Symbol, m.ID),
			})
		}
	}
	if len(f.Details) == 0 {
		return nil
	}
	return f
}

// PurgeModel removes a trashed model with its builds and runs.
func (db *DB) PurgeModel(ctx context.Context, d program.Deletion) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, d.AccountID, d.ModelID)
		m, err := lockTrashed(ctx, q, d.AccountID, d.ModelID, d.At)
		if err != nil {
			return err
		}
		return purge(ctx, q, []string{m.ID}, d.At, d.PurgeAt)
	})
	return wrap(err, "purge model %s", d.ModelID)
}

// purge deletes locked models, and removes them from the members of models in the
// Trash.
func purge(ctx context.Context, q *dbsqlc.Queries, modelIDs []string, now, receiptsUntil time.Time) error {
	if err := q.DeleteMembershipsOf(ctx, modelIDs); err != nil {
		return err
	}
	return q.PurgeModels(ctx, dbsqlc.PurgeModelsParams{Ids: modelIDs, Now: stamp(now), ExpiresAt: stamp(receiptsUntil)})
}

// PurgeExpired removes expired models from the Trash, and expired receipts.
func (db *DB) PurgeExpired(ctx context.Context, now, receiptsUntil time.Time, n int) ([]string, error) {
	var purged []string
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		var err error
		if purged, err = q.LockExpired(ctx, dbsqlc.LockExpiredParams{Now: stamp(now), Most: int32(n)}); err != nil {
			return err
		}
		if err := q.DeleteExpiredReceipts(ctx, stamp(now)); err != nil {
			return err
		}
		if len(purged) == 0 {
			return nil
		}
		return purge(ctx, q, purged, now, receiptsUntil)
	})
	if err != nil {
		return nil, wrap(err, "purge expired models")
	}
	return purged, nil
}
