package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// A cascade refreshes what holds a model that has published, members before what
// holds them and each once, however many of its members move. Publishing marks
// everything above the model as waiting; a waiting model is queued when none of
// its members waits or runs any more and one of them serves another run than the
// live run has read. Whatever ends a publishing run looks at the models right
// above. One whose refresh has failed keeps waiting, for its next retry or for
// the next member that moves, and holds up nobody.

// cascade marks everything above a model that has published, and queues what is ready.
func (db *DB) cascade(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, modelID string) error {
	rows, err := q.LockAbove(ctx, modelID)
	if err != nil || len(rows) == 0 {
		return err
	}
	var above, holders []string
	for _, r := range rows {
		above = append(above, r.ID)
		if r.Holds {
			holders = append(holders, r.ID)
		}
	}
	if err := q.MarkWaiting(ctx, above); err != nil {
		return err
	}
	return db.settle(ctx, tx, q, holders...)
}

// settleAbove queues what is ready of the models that hold the given ones.
func (db *DB) settleAbove(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, modelIDs ...string) error {
	holders, err := q.LockHolders(ctx, modelIDs)
	if err != nil || len(holders) == 0 {
		return err
	}
	return db.settle(ctx, tx, q, holders...)
}

// settle queues those of the models that are ready. One whose members have come
// to rest without moving has nothing to wait for, and neither have, for its
// sake, the models above it. The models are locked.
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
