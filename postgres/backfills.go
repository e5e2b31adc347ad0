package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"ballast/billing"
	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program/backfills"
)

const backfillIndex = "backfills_asset_unique"

// BackfillsOf returns an account's active backfills by asset id.
func (db *DB) BackfillsOf(ctx context.Context, accountID string, assetIDs []string) (map[string]*backfills.Backfill, error) {
	rows, err := db.queries.BackfillsOf(ctx, dbsqlc.BackfillsOfParams{AccountID: accountID, AssetIds: assetIDs})
	if err != nil {
		return nil, wrap(err, "read backfills of %s", accountID)
	}
	found := make(map[string]*backfills.Backfill, len(rows))
	for _, r := range rows {
		if found[r.AssetID], err = backfillOf(backfillRow(r)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Backfills lists an account's active backfills, newest first.
func (db *DB) Backfills(ctx context.Context, accountID string, limit, offset int) ([]*backfills.Backfill, int, error) {
	var out []*backfills.Backfill
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountBackfills(ctx, accountID); err != nil {
			return err
		}
		rows, err := q.Backfills(ctx, dbsqlc.BackfillsParams{AccountID: accountID, Most: skip(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		out = make([]*backfills.Backfill, len(rows))
		for i, r := range rows {
			if out[i], err = backfillOf(backfillRow(r)); err != nil {
				return err
			}
		}
		return nil
	})
	return out, int(total), wrap(err, "list backfills of %s", accountID)
}

// BackfillVersion reads one version of a backfill, which may be deleted.
func (db *DB) BackfillVersion(ctx context.Context, backfillID string, version int) (*backfills.Backfill, error) {
	row, err := db.queries.BackfillVersion(ctx, dbsqlc.BackfillVersionParams{ID: backfillID, Version: skip(version)})
	if absent(err) {
		return nil, fault.Missing("backfill", fmt.Sprintf("%s, version %d", backfillID, version))
	}
	if err != nil {
		return nil, wrap(err, "read backfill %s", backfillID)
	}
	return backfillOf(backfillRow(row))
}

// BarsVersions returns the version of the bars of each asset.
func (db *DB) BarsVersions(ctx context.Context, assetIDs []string) (map[string]int64, error) {
	rows, err := db.queries.BarsVersions(ctx, assetIDs)
	if err != nil {
		return nil, wrap(err, "read versions of bars")
	}
	versions := make(map[string]int64, len(rows))
	for _, r := range rows {
		versions[r.ID] = r.BarsVersion
	}
	return versions, nil
}

// backfillRow is the row type that all queries of versions share.
type backfillRow dbsqlc.BackfillsRow

func backfillOf(r backfillRow) (*backfills.Backfill, error) {
	sources, serr := decode[[]backfills.Source](r.Sources)
	spliced, perr := decode[[]backfill.Splice](r.Spliced)
	if err := errors.Join(serr, perr); err != nil {
		return nil, fmt.Errorf("read backfill %s: %w", r.ID, err)
	}
	return &backfills.Backfill{
		ID: r.ID, AccountID: r.AccountID, AssetID: r.AssetID, Symbol: r.Symbol, Version: int(r.Version),
		Sources: *sources, Spliced: *spliced, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

// CreateBackfill adds a backfill and queues the models that it affects.
func (db *DB) CreateBackfill(ctx context.Context, b *backfills.Backfill, check func(backfills.Graph) error) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := enter(ctx, q, b, check); err != nil {
			return err
		}
		if err := db.checkQuotas(ctx, q, b.AccountID, 2*rowBytes, billing.Backfills); err != nil {
			return err
		}
		if err := q.InsertBackfill(ctx, dbsqlc.InsertBackfillParams{
			ID: b.ID, AccountID: b.AccountID, AssetID: b.AssetID, Version: int32(b.Version), CreatedAt: stamp(b.CreatedAt),
		}); err != nil {
			return err
		}
		if err := insertVersion(ctx, q, b); err != nil {
			return err
		}
		return db.follow(ctx, tx, q, b.AccountID, b.AssetID)
	})
	if violates(err, backfillIndex) {
		return fault.New(fault.SymbolTaken, "You already have a backfill of %s. Change it with PATCH, or delete it first.", b.Symbol).
			With(fault.Detail{Field: "symbol", Message: "already has a backfill"}).Wrap(err)
	}
	return wrap(err, "add backfill %s", b.ID)
}

// ReviseBackfill activates another version and queues the models that it affects.
func (db *DB) ReviseBackfill(ctx context.Context, b *backfills.Backfill, check func(backfills.Graph) error) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := enter(ctx, q, b, check); err != nil {
			return err
		}
		now, err := q.LockBackfill(ctx, dbsqlc.LockBackfillParams{ID: b.ID, AccountID: b.AccountID})
		if absent(err) {
			return fault.Missing("backfill", b.ID)
		}
		if err != nil {
			return err
		}
		if err := db.checkQuotas(ctx, q, b.AccountID, rowBytes); err != nil {
			return err
		}
		b.Version = int(now.Version) + 1
		if err := q.ReviseBackfill(ctx, dbsqlc.ReviseBackfillParams{ID: b.ID, Version: int32(b.Version), Now: stamp(b.UpdatedAt)}); err != nil {
			return err
		}
		if err := insertVersion(ctx, q, b); err != nil {
			return err
		}
		return db.follow(ctx, tx, q, b.AccountID, b.AssetID)
	})
	return wrap(err, "revise backfill %s", b.ID)
}

// DeleteBackfill deactivates a backfill and queues the models that this affects.
func (db *DB) DeleteBackfill(ctx context.Context, accountID, backfillID string) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := lockForBackfills(ctx, q, accountID); err != nil {
			return err
		}
		b, err := q.LockBackfill(ctx, dbsqlc.LockBackfillParams{ID: backfillID, AccountID: accountID})
		if absent(err) {
			return fault.Missing("backfill", backfillID)
		}
		if err != nil {
			return err
		}
		now := stamp(db.now())
		if err := q.DeleteBackfill(ctx, dbsqlc.DeleteBackfillParams{ID: backfillID, Now: now}); err != nil {
			return err
		}
		return db.follow(ctx, tx, q, accountID, b.AssetID)
	})
	return wrap(err, "delete backfill %s", backfillID)
}

func insertVersion(ctx context.Context, q *dbsqlc.Queries, b *backfills.Backfill) error {
	sources, serr := encode(&b.Sources)
	spliced, perr := encode(&b.Spliced)
	if err := errors.Join(serr, perr); err != nil {
		return err
	}
	return q.InsertBackfillVersion(ctx, dbsqlc.InsertBackfillVersionParams{
		BackfillID: b.ID, Version: int32(b.Version), Sources: sources, Spliced: spliced, CreatedAt: stamp(b.UpdatedAt),
	})
}
