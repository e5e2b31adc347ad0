package postgres

import (
	"context"
	"errors"
	"time"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
)

// snapshotBatch is how many expired snapshots one query returns.
const snapshotBatch = 200

// Retention is a sweeper that deletes snapshots older than their plan keeps them.
type Retention struct{ DB *DB }

// Sweep deletes snapshots one by one, under the same rules as for their owners: a
// snapshot that a live result was computed on stays. Another sweeper deletes the
// files, which no row names any more.
func (s Retention) Sweep(ctx context.Context) error {
	db := s.DB
	params := dbsqlc.OldSnapshotsParams{Most: snapshotBatch}
	for _, plan := range account.Plans {
		if terms := db.policy.Terms(plan); terms.RetentionDays > 0 {
			params.Plans = append(params.Plans, string(plan))
			params.EndedBefore = append(params.EndedBefore, stamp(db.now().Add(-time.Duration(terms.RetentionDays)*24*time.Hour)))
		}
	}
	if len(params.Plans) == 0 {
		return nil
	}
	for {
		ids, err := db.queries.OldSnapshots(ctx, params)
		if err != nil {
			return wrap(err, "find old snapshots")
		}
		for _, id := range ids {
			var refused *fault.Error
			if err := db.DeleteRun(ctx, id); err != nil && !errors.As(err, &refused) {
				return err
			}
		}
		if len(ids) < snapshotBatch {
			return nil
		}
		params.After = ids[len(ids)-1]
	}
}
