package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/operate/doctor"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/jobs"
)

// staleLease is the age from which a worker counts as dead; it renews its lease
// four times as often.
const staleLease = 20 * time.Second

// repairFound repairs the subjects of a query. The query is run again inside the
// transaction, since they may have changed.
func (db *DB) repairFound(ctx context.Context, query string, do func(tx pgx.Tx, q *dbsqlc.Queries, ids []string) error) error {
	return db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		rows, err := tx.Query(ctx, "select f.id from ("+query+") f (id, message)")
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(ids) == 0 {
			return err
		}
		return do(tx, q, ids)
	})
}

// freeJobs makes the jobs of dead workers available.
func freeJobs(ctx context.Context, db *DB) error {
	_, err := db.Rescue(ctx, staleLease)
	return err
}

// requeueRuns gives runs a new job. The ended job is deleted first, since River would
// reject a second job for the run.
func requeueRuns(ctx context.Context, db *DB) error {
	return wrap(db.repairFound(ctx, runsWithoutJob, func(tx pgx.Tx, _ *dbsqlc.Queries, ids []string) error {
		if _, err := tx.Exec(ctx, `delete from river_job where kind = 'run' and args ->> 'run_id' = any($1) and state in ('completed', 'cancelled', 'discarded')`, ids); err != nil {
			return err
		}
		return db.enqueue(ctx, tx, jobs.RunQueue, ids...)
	}), "queue runs again")
}

func dropJobs(ctx context.Context, db *DB) error {
	return wrap(db.repairFound(ctx, jobsWithoutRun, func(tx pgx.Tx, _ *dbsqlc.Queries, ids []string) error {
		_, err := tx.Exec(ctx, "delete from river_job where id::text = any($1) and state <> 'running'", ids)
		return err
	}), "delete jobs without a run")
}

// settleModels takes models without work in progress out of the states that only such
// work sets.
func settleModels(ctx context.Context, db *DB) error {
	failure, err := encode(&program.Failure{Type: "internal", Message: "The build was lost. Rebuild the model."})
	if err != nil {
		return err
	}
	return wrap(db.repairFound(ctx, modelsWithoutRun, func(tx pgx.Tx, _ *dbsqlc.Queries, ids []string) error {
		_, err := tx.Exec(ctx, `update programs set status = case when live_run_id is null then 'failed' else 'active' end,
			failure = case when live_run_id is null then $2::jsonb else failure end, updated_at = $3 where id = any($1)`, ids, failure, stamp(db.now()))
		return err
	}), "settle models")
}

func requeueDeliveries(ctx context.Context, db *DB) error {
	return wrap(db.repairFound(ctx, deliveriesWithoutJob, func(tx pgx.Tx, _ *dbsqlc.Queries, ids []string) error {
		rows, err := tx.Query(ctx, "select id, webhook_id, account_id from deliveries where id = any($1)", ids)
		if err != nil {
			return err
		}
		deliveries, err := pgx.CollectRows(rows, pgx.RowToStructByPos[jobs.DeliverArgs])
		if err != nil {
			return err
		}
		return db.queueDeliveries(ctx, tx, deliveries...)
	}), "queue deliveries again")
}

// neverWoken lists the models that wait although none of their members
// is being refreshed. A model whose refresh failed waits for its next try instead.
const neverWoken = `select h.id from programs h where h.refresh <> '' and h.failures = 0 and h.deleted_at is null`

func (db *DB) unwoken(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries) ([]string, error) {
	rows, err := tx.Query(ctx, neverWoken+" order by h.depth, h.id for no key update")
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	waiting, err := q.Waiting(ctx, ids)
	var out []string
	for _, w := range waiting {
		if !w.MembersMove {
			out = append(out, w.ID)
		}
	}
	return out, err
}

func (db *DB) examineWaiting(ctx context.Context) ([]doctor.Finding, error) {
	var findings []doctor.Finding
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		ids, err := db.unwoken(ctx, tx, q)
		findings = findings[:0]
		for _, id := range ids {
			findings = append(findings, doctor.Finding{
				Subject: id, Message: "waits for its members, but none of them is being refreshed", Advice: "--fix queues it, or stops the waiting if none of its members has changed",
			})
		}
		return err
	})
	return findings, wrap(err, "examine waiting models")
}

// wake looks at the waiting models, as the end of a member's run does.
func (db *DB) wake(ctx context.Context) error {
	return wrap(db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		ids, err := db.unwoken(ctx, tx, q)
		if err != nil || len(ids) == 0 {
			return err
		}
		return db.settle(ctx, tx, q, ids...)
	}), "wake waiting models")
}
