package postgres

import (
	"context"
	"errors"
	"time"

	"ballast/account"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
)

// snapshotBatch is how many old snapshots are looked for at a time.
const snapshotBatch = 200

// Retention deletes the snapshots that plans keep no longer. It is a sweeper.
type Retention struct{ DB *DB }

// Sweep deletes them one by one, as their owners would: those that results rest
// on stay. Their files are then named by nothing.
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
