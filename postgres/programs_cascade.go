package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// A cascade refreshes the models above one that has published a result: members before
// their holders, and each model once, however many of its members have changed.
// Publishing marks every model above as waiting. A waiting model is queued when none
// of its members waits or runs any more and at least one of them serves a run other
// than the one that the live run has read. The end of a publishing run, with or
// without a result, checks the models directly above. A model whose refresh has failed
// keeps waiting, for its next retry or for the next member that changes, and delays no
// other model.

// cascade marks everything above a model that has published, and queues what is ready.
func (db *DB) cascade(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, modelID string) error {
	above, err := q.LockAbove(ctx, modelID)
	if err != nil || len(above) == 0 {
		return err
	}
	if err := q.MarkWaiting(ctx, above); err != nil {
		return err
	}
	// All of them, not only the direct holders: one may have let go of its members
	// between the search and its lock, and nothing else would wake it.
	return db.settle(ctx, tx, q, above...)
}

// awaken marks locked models as due and everything above them as waiting, and queues
// what is ready. It returns the models above.
func (db *DB) awaken(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, due []string) ([]string, error) {
	above, err := q.LockAboveAll(ctx, due)
	if err != nil {
		return nil, err
	}
	if err := q.MarkDue(ctx, due); err != nil {
		return nil, err
	}
	if err := q.MarkWaiting(ctx, above); err != nil {
		return nil, err
	}
	return above, db.settle(ctx, tx, q, slices.Concat(due, above)...)
}

// settleAbove queues those of the models directly above that are ready.
func (db *DB) settleAbove(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, modelIDs ...string) error {
	holders, err := q.LockHolders(ctx, modelIDs)
	if err != nil || len(holders) == 0 {
		return err
	}
	return db.settle(ctx, tx, q, holders...)
}

// settle queues those of the models that are ready. A model whose members have all
// finished without a change stops waiting, and so do the models above that waited only
// for it. The models must be locked.
func (db *DB) settle(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, modelIDs ...string) error {
	rows, err := q.Waiting(ctx, modelIDs)
	if err != nil {
		return err
	}
	var ready, rested []string
	live := map[program.Source][]string{}
	for _, r := range rows {
		switch {
		case r.MembersMove:
			continue
		case r.Due:
			live[program.SourceRefresh] = append(live[program.SourceRefresh], r.LiveRunID)
		case r.MembersMoved:
			live[program.SourceCascade] = append(live[program.SourceCascade], r.LiveRunID)
		default:
			rested = append(rested, r.ID)
			continue
		}
		ready = append(ready, r.ID)
	}
	if len(ready) > 0 {
		if err := q.SetModelUpdating(ctx, dbsqlc.SetModelUpdatingParams{Ids: ready, Now: stamp(db.now())}); err != nil {
			return err
		}
	}
	for source, runs := range live {
		if err := db.repeat(ctx, tx, q, runs, source); err != nil {
			return err
		}
	}
	if len(rested) == 0 {
		return nil
	}
	now := stamp(db.now())
	if err := q.RestModels(ctx, dbsqlc.RestModelsParams{Ids: rested, Now: &now}); err != nil {
		return err
	}
	return db.settleAbove(ctx, tx, q, rested...)
}
