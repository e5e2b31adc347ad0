package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/catalog/screen"
	"ballast/postgres/internal/dbsqlc"
)

var _ screen.Source = (*DB)(nil)

// CatalogState returns the versions of the catalog and the bars.
func (db *DB) CatalogState(ctx context.Context) (catalog.State, error) {
	row, err := db.queries.CatalogState(ctx)
	return catalog.State{Catalog: row.Version, Bars: row.Bars}, wrap(err, "read the catalog's state")
}

// EachAsset calls f with every record, in the order of symbols, from one snapshot.
func (db *DB) EachAsset(ctx context.Context, f func(*catalog.Asset) error) (catalog.State, error) {
	var state dbsqlc.CatalogStateRow
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, db.pool, snapshot, func(tx pgx.Tx) (err error) {
		if state, err = db.queries.WithTx(tx).CatalogState(ctx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "select "+assetColumns+" from assets order by symbol")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			row, err := pgx.RowToStructByPos[assetRow](rows)
			if err != nil {
				return err
			}
			if err := f(assetOf(row)); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return catalog.State{Catalog: state.Version, Bars: state.Bars}, wrap(err, "read the catalog")
}

// BarRangesSince returns the bar ranges that changed after a version.
func (db *DB) BarRangesSince(ctx context.Context, version int64) (ranges []catalog.BarRange, latest int64, err error) {
	err = db.read(ctx, func(q *dbsqlc.Queries) error {
		state, err := q.CatalogState(ctx)
		if err != nil {
			return err
		}
		latest = state.Bars
		rows, err := q.BarRangesSince(ctx, version)
		for _, r := range rows {
			ranges = append(ranges, catalog.BarRange{ID: r.ID, Symbol: r.Symbol, First: fromDate(r.FirstPriceDate), Last: fromDate(r.LastPriceDate)})
		}
		return err
	})
	return ranges, latest, wrap(err, "read bar ranges since version %d", version)
}

// AssetEvidence returns the evidence for an asset's classification.
func (db *DB) AssetEvidence(ctx context.Context, assetID string) ([]classify.Evidence, error) {
	rows, err := db.queries.AssetEvidence(ctx, assetID)
	if err != nil || len(rows) == 0 {
		return nil, wrap(err, "read the evidence of %s", assetID)
	}
	return evidenceOf(rows[0])
}
