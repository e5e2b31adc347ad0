package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// refreshing returns the plans that include recurring refreshes.
func (db *DB) refreshing() []string {
	var names []string
	for _, plan := range account.Plans {
		if db.policy.Terms(plan).NightlyRefresh {
			names = append(names, string(plan))
		}
	}
	return names
}

// Refresh queues the models whose bars or members have changed.
func (db *DB) Refresh(ctx context.Context, r program.Refresh) (program.Refreshed, error) {
	var found program.Refreshed
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		found = program.Refreshed{}
		rows, err := q.RefreshDue(ctx, dbsqlc.RefreshDueParams{Now: stamp(r.Now), Force: r.Force, Plans: db.refreshing()})
		if err != nil {
			return err
		}
		due, waiting, still := []string{}, []string{}, map[string]bool{}
		for _, row := range rows {
			switch {
			case row.Due:
				due = append(due, row.ID)
			case row.Waits:
				waiting = append(waiting, row.ID)
			default:
				still[row.ID] = true
			}
		}
		above, err := db.awaken(ctx, tx, q, due)
		if err != nil {
			return err
		}
		session := toDate(r.Session)
		if err := q.NoteRequested(ctx, dbsqlc.NoteRequestedParams{Ids: append(above, due...), Session: session}); err != nil {
			return err
		}
		for _, id := range above {
			delete(still, id)
		}
		now := stamp(r.Now)
		unchanged := make([]string, 0, len(still))
		for id := range still {
			unchanged = append(unchanged, id)
		}
		if err := q.NoteUnchanged(ctx, dbsqlc.NoteUnchangedParams{Ids: unchanged, Now: &now, Session: session}); err != nil {
			return err
		}
		found = program.Refreshed{Due: len(due), Waiting: len(above), Unchanged: len(unchanged)}
		// Some of these may wait for a retry, or for members that have ended meanwhile.
		return db.settle(ctx, tx, q, waiting...)
	})
	return found, wrap(err, "start the refresh of %s", r.Session)
}
