package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/timeseries"
	"ballast/timeseries/bars/syncing"
)

// BeginLoad takes the lease for loading an asset, if it is free.
func (db *DB) BeginLoad(ctx context.Context, assetID, holder string, lease time.Duration, force bool) (syncing.State, bool, error) {
	row, err := db.queries.BeginLoad(ctx, dbsqlc.BeginLoadParams{AssetID: assetID, Holder: holder, Lease: lease.Seconds(), Force: force})
	if err == nil {
		return syncing.State{
			Provider: row.Provider, Outcome: syncing.Outcome(row.Outcome), Message: row.Message, Quiet: int(row.Quiet), WholeAge: seconds(row.WholeAge),
		}, true, nil
	}
	if !absent(err) {
		return syncing.State{}, false, wrap(err, "begin load of %s", assetID)
	}
	state, err := db.queries.LoadState(ctx, assetID)
	return syncing.State{
		Provider: state.Provider, Leased: state.Leased, Outcome: syncing.Outcome(state.Outcome), Message: state.Message,
		Quiet: int(state.Quiet), AskIn: seconds(state.AskIn), WholeAge: seconds(state.WholeAge),
	}, false, wrap(err, "read load of %s", assetID)
}

// RenewLoad extends a lease.
func (db *DB) RenewLoad(ctx context.Context, assetID, holder string, lease time.Duration) (bool, error) {
	n, err := db.queries.RenewLoad(ctx, dbsqlc.RenewLoadParams{AssetID: assetID, Holder: holder, Lease: lease.Seconds()})
	return n > 0, wrap(err, "renew load of %s", assetID)
}

// EndLoad releases a lease and records how the load ended.
func (db *DB) EndLoad(ctx context.Context, assetID, holder string, e syncing.End) error {
	return wrap(db.queries.EndLoad(ctx, dbsqlc.EndLoadParams{
		AssetID: assetID, Holder: holder, Provider: e.Provider, Whole: e.Whole, Outcome: string(e.Outcome), Message: e.Message,
		Quiet: int32(min(e.Quiet, 1<<20)), Wait: e.Wait.Seconds(),
	}), "end load of %s", assetID)
}

// ForgetUnknown allows assets that no provider knew to be requested again at once.
func (db *DB) ForgetUnknown(ctx context.Context) error {
	return wrap(db.queries.ForgetUnknown(ctx), "reset the assets that no provider knew")
}

// HeldAssets returns the assets held by models that refresh by themselves.
func (db *DB) HeldAssets(ctx context.Context) ([]syncing.Asset, error) {
	rows, err := db.queries.HeldAssets(ctx)
	held := make([]syncing.Asset, len(rows))
	for i, r := range rows {
		held[i] = syncing.Asset{ID: r.ID, Symbol: r.Symbol, Coin: r.Type == "crypto", SevenDay: r.SevenDay, Delisted: r.Delisted, Last: fromDate(r.LastPriceDate)}
	}
	return held, wrap(err, "list the assets that models hold")
}

// RefreshHolders queues the models that refresh automatically and hold an asset whose
// bars have changed since their live run, and marks those above them.
func (db *DB) RefreshHolders(ctx context.Context, assetID string, session timeseries.Date) (program.Refreshed, error) {
	var found program.Refreshed
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		due, err := q.HoldersDue(ctx, assetID)
		if err != nil || len(due) == 0 {
			return err
		}
		above, err := db.awaken(ctx, tx, q, due)
		if err != nil {
			return err
		}
		found = program.Refreshed{Due: len(due), Waiting: len(above)}
		return q.NoteRequested(ctx, dbsqlc.NoteRequestedParams{Ids: append(above, due...), Session: toDate(session)})
	})
	return found, wrap(err, "refresh the holders of %s", assetID)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
