package postgres

import (
	"context"

	"ballast/postgres/internal/dbsqlc"
	"ballast/timeseries/bars"
)

// BySymbol returns assets with their current segments.
func (db *DB) BySymbol(ctx context.Context, symbols []string) (bars.Snapshot, error) {
	snapshot, err := db.snapshot(ctx, bars.Latest, func(q *dbsqlc.Queries) ([]bars.Asset, error) {
		rows, err := q.BarAssetsBySymbol(ctx, symbols)
		return barAssets(rows), err
	})
	return snapshot, wrap(err, "read the bar manifest by symbol")
}

// ByID returns assets with their segments as of a version.
func (db *DB) ByID(ctx context.Context, ids []string, at bars.Version) (bars.Snapshot, error) {
	snapshot, err := db.snapshot(ctx, at, func(q *dbsqlc.Queries) ([]bars.Asset, error) {
		rows, err := q.BarAssetsByID(ctx, ids)
		same := make([]dbsqlc.BarAssetsBySymbolRow, len(rows))
		for i, r := range rows {
			same[i] = dbsqlc.BarAssetsBySymbolRow(r)
		}
		return barAssets(same), err
	})
	return snapshot, wrap(err, "read the bar manifest at version %d", at)
}

func (db *DB) snapshot(ctx context.Context, at bars.Version, assets func(*dbsqlc.Queries) ([]bars.Asset, error)) (bars.Snapshot, error) {
	var snapshot bars.Snapshot
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if snapshot.Version, err = q.LatestBarVersion(ctx); err != nil {
			return err
		}
		if snapshot.Assets, err = assets(q); err != nil {
			return err
		}
		ids := make([]string, len(snapshot.Assets))
		for i, a := range snapshot.Assets {
			ids[i] = a.ID
		}
		var rows []dbsqlc.BarSegment
		if at == bars.Latest {
			rows, err = q.SegmentsCurrent(ctx, ids)
		} else {
			rows, err = q.SegmentsAt(ctx, dbsqlc.SegmentsAtParams{AssetIds: ids, Version: at})
		}
		snapshot.Segments = barSegments(rows)
		return err
	})
	return snapshot, err
}

func barAssets(rows []dbsqlc.BarAssetsBySymbolRow) []bars.Asset {
	out := make([]bars.Asset, len(rows))
	for i, r := range rows {
		out[i] = bars.Asset{
			ID: r.ID, Symbol: r.Symbol, Convention: bars.Convention(r.Convention),
			First: fromDate(r.FirstPriceDate), Last: fromDate(r.LastPriceDate), Rows: r.BarRows,
			WeekendRows: r.WeekendRows, SevenDay: r.SevenDay, Version: r.BarsVersion,
		}
	}
	return out
}

func barSegments(rows []dbsqlc.BarSegment) []bars.Segment {
	out := make([]bars.Segment, len(rows))
	for i, r := range rows {
		out[i] = bars.Segment{
			Ref:     bars.Ref{Object: r.Object, RowGroup: int(r.RowGroup), Offset: r.RowOffset},
			AssetID: r.AssetID, Rows: r.Rows, First: fromDate(r.FirstDate), Last: fromDate(r.LastDate), AddedIn: r.AddedIn,
		}
		if r.RemovedIn != nil {
			out[i].RemovedIn = *r.RemovedIn
		}
	}
	return out
}

// Fragmented returns up to limit assets with at least the given number of segments,
// most first.
func (db *DB) Fragmented(ctx context.Context, segments, limit int) ([]string, error) {
	ids, err := db.queries.FragmentedAssets(ctx, dbsqlc.FragmentedAssetsParams{Segments: int64(segments), Most: int32(min(limit, 1<<30))})
	return ids, wrap(err, "find fragmented bars")
}

// Objects returns the key of every object that a segment names.
func (db *DB) Objects(ctx context.Context) ([]string, error) {
	keys, err := db.queries.BarObjects(ctx)
	return keys, wrap(err, "list bar objects")
}
