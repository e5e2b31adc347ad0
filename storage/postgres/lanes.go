package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/program/jobs"
)

// The table of jobs is the queue's own, which knows no accounts: these statements
// go by the arguments of runs, for which laneIndex has an index.
const (
	laneIndex = `create index if not exists river_job_lanes on river_job ((args ->> 'account_id'), queue, state, id)
	where kind = 'run' and state in ('available', 'running')`

	// runLanes tells of runs whether a job of their account is in a first lane.
	runLanes = `select r.id, r.account_id, exists (
		select from river_job j where j.kind = 'run' and j.args ->> 'account_id' = r.account_id
			and j.queue = $2 and j.state in ('available', 'running')) as taken
	from runs r where r.id = any($1) order by array_position($1, r.id)`

	advance = `with next as (
		select j.id from river_job j
		where j.kind = 'run' and j.args ->> 'account_id' = $1 and j.queue = $2 and j.state = 'available'
			and ($5 or j.scheduled_at <= now())
			and not exists (
				select from river_job f where f.kind = 'run' and f.args ->> 'account_id' = $1
					and f.queue = $3 and f.state in ('available', 'running') and f.id <> $4)
		order by j.id limit 1 for update skip locked
	)
	update river_job j set queue = $3, scheduled_at = least(j.scheduled_at, now()) from next where j.id = next.id
	returning pg_notify(concat(current_schema(), '.river_insert'), json_build_object('queue', $3::text)::text)`

	retreat = `update river_job set queue = $2 where id = $1`
)

// enqueue adds the jobs of runs to the transaction: of each account the first to
// the queue's first lane, where nothing is in it. Of transactions at the same time
// each may take the lane; the workers mend that.
func (db *DB) enqueue(ctx context.Context, tx pgx.Tx, queue string, runIDs ...string) error {
	rows, err := tx.Query(ctx, runLanes, runIDs, jobs.FirstLane(queue))
	if err != nil {
		return err
	}
	type lane struct {
		RunID, AccountID string
		Taken            bool
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[lane])
	if err != nil || len(found) == 0 {
		return err
	}
	taken := map[string]bool{}
	params := make([]river.InsertManyParams, len(found))
	for i, r := range found {
		params[i].Args = jobs.RunArgs{RunID: r.RunID, AccountID: r.AccountID}
		params[i].InsertOpts = &river.InsertOpts{Queue: queue}
		if !r.Taken && !taken[r.AccountID] {
			params[i].InsertOpts.Queue, taken[r.AccountID] = jobs.FirstLane(queue), true
		}
	}
	_, err = db.queue.InsertManyTx(ctx, tx, params)
	return err
}

// Advance implements jobs.Lanes.
func (db *DB) Advance(ctx context.Context, accountID, queue string, leaving int64, hurry bool) error {
	_, err := db.pool.Exec(ctx, advance, accountID, queue, jobs.FirstLane(queue), leaving, hurry)
	return wrap(err, "advance the runs of %s", accountID)
}

// Retreat implements jobs.Lanes.
func (db *DB) Retreat(ctx context.Context, job int64, queue string) error {
	_, err := db.pool.Exec(ctx, retreat, job, queue)
	return wrap(err, "put job %d back", job)
}
