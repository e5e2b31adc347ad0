package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/timeseries/bars"
)

// Commit makes a change the next version.
func (db *DB) Commit(ctx context.Context, c bars.Change) (bars.Version, error) {
	next := c.Base + 1
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		// The lock lasts until the transaction ends, so changes are committed one at a
		// time.
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(barsLock)); err != nil {
			return err
		}
		latest, err := q.LatestBarVersion(ctx)
		if err != nil {
			return err
		}
		if latest != c.Base {
			return bars.ErrConflict
		}
		if err := q.InsertBarVersion(ctx, dbsqlc.InsertBarVersionParams{
			Version: next, Kind: string(c.Record.Kind), File: c.Record.File, Sha256: c.Record.SHA256,
			Rows: c.Record.Rows, Report: json.RawMessage(c.Record.Report), At: stamp(c.Record.At),
		}); err != nil {
			return err
		}
		if err := changeAssets(ctx, q, next, c.Assets); err != nil {
			return err
		}
		if err := changeSegments(ctx, q, next, c); err != nil {
			return err
		}
		return db.tellRestated(ctx, tx, q, next, c.Restated)
	})
	if err != nil {
		return 0, wrap(err, "commit bars onto version %d", c.Base)
	}
	return next, nil
}

// changeAssets updates the bar ranges and versions of assets, and inserts unknown
// ones.
func changeAssets(ctx context.Context, q *dbsqlc.Queries, version bars.Version, assets []bars.Asset) error {
	if len(assets) == 0 {
		return nil
	}
	p := dbsqlc.UpdateBarAssetsParams{Version: version}
	for _, a := range assets {
		p.Ids = append(p.Ids, a.ID)
		p.Conventions = append(p.Conventions, string(a.Convention))
		p.FirstDates = append(p.FirstDates, toDate(a.First))
		p.LastDates = append(p.LastDates, toDate(a.Last))
		p.BarRows = append(p.BarRows, a.Rows)
		p.WeekendRows = append(p.WeekendRows, a.WeekendRows)
		p.SevenDays = append(p.SevenDays, a.SevenDay)
	}
	known, err := q.BarAssetsByID(ctx, p.Ids)
	if err != nil {
		return err
	}
	if len(known) < len(assets) {
		if err := insertAssets(ctx, q, assets, known); err != nil {
			return err
		}
	}
	updated, err := q.UpdateBarAssets(ctx, p)
	if err != nil {
		return err
	}
	if int(updated) != len(assets) {
		return fmt.Errorf("%d of %d assets were updated: %w", updated, len(assets), bars.ErrConflict)
	}
	return nil
}

// insertAssets adds catalog records for assets that the catalog does not know.
func insertAssets(ctx context.Context, q *dbsqlc.Queries, assets []bars.Asset, known []dbsqlc.BarAssetsByIDRow) error {
	have := make(map[string]bool, len(known))
	for _, r := range known {
		have[r.ID] = true
	}
	var p dbsqlc.InsertBarAssetsParams
	for _, a := range assets {
		if have[a.ID] {
			continue
		}
		p.Ids = append(p.Ids, a.ID)
		p.Symbols = append(p.Symbols, a.Symbol)
		p.Words = append(p.Words, nameWords(a.Symbol))
	}
	inserted, err := q.InsertBarAssets(ctx, p)
	if err != nil {
		return err
	}
	if int(inserted) != len(p.Ids) {
		return fmt.Errorf("another import has just added a new symbol: %w", bars.ErrConflict)
	}
	return nil
}

// changeSegments ends the removed segments and adds the new ones.
func changeSegments(ctx context.Context, q *dbsqlc.Queries, version bars.Version, c bars.Change) error {
	if len(c.Removed) > 0 {
		p := dbsqlc.RemoveSegmentsParams{Version: version}
		for _, r := range c.Removed {
			p.Objects = append(p.Objects, r.Object)
			p.RowGroups = append(p.RowGroups, int32(r.RowGroup))
			p.RowOffsets = append(p.RowOffsets, r.Offset)
		}
		removed, err := q.RemoveSegments(ctx, p)
		if err != nil {
			return err
		}
		if int(removed) != len(c.Removed) {
			return fmt.Errorf("%d of %d removed segments were current: %w", removed, len(c.Removed), bars.ErrConflict)
		}
	}
	added := make([]dbsqlc.InsertSegmentsParams, len(c.Added))
	for i, a := range c.Added {
		added[i] = dbsqlc.InsertSegmentsParams{
			Object: a.Object, RowGroup: int32(a.RowGroup), RowOffset: a.Offset, AssetID: a.AssetID, Rows: a.Rows,
			FirstDate: toDate(a.First), LastDate: toDate(a.Last), AddedIn: version,
		}
	}
	_, err := q.InsertSegments(ctx, added)
	return err
}
