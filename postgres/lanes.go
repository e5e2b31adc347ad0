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

	// leave sees the job that leaves where it was, so it excepts it.
	leave = `with gone as (
		update river_job set queue = $2 where id = $4 and queue = $3
	), next as (
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

	// fillLane goes from account to account by the index, so that it costs the same
	// however many jobs each of them has.
	fillLane = `with recursive accounts (id) as (
		(select args ->> 'account_id' from river_job where kind = 'run' and state in ('available', 'running') order by 1 limit 1)
		union all
		select (select args ->> 'account_id' from river_job
			where kind = 'run' and state in ('available', 'running') and args ->> 'account_id' > a.id order by 1 limit 1)
		from accounts a where a.id is not null
	), next as (
		select j.id from accounts a, lateral (
			select id from river_job where kind = 'run' and args ->> 'account_id' = a.id and queue = $1 and state = 'available'
				and scheduled_at <= now()
			order by id limit 1 for update skip locked) j
		where not exists (
			select from river_job f where f.kind = 'run' and f.args ->> 'account_id' = a.id
				and f.queue = $2 and f.state in ('available', 'running'))
	)
	update river_job j set queue = $2 from next where j.id = next.id
	returning pg_notify(concat(current_schema(), '.river_insert'), json_build_object('queue', $2::text)::text)`
)

// enqueue adds the jobs of runs to the transaction: of each account the first to
// the queue's first lane, where nothing is in it. Of transactions at the same time
// each may take the lane, or find it taken by a job that leaves it meanwhile: the
// workers mend that.
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

// LeaveLane implements jobs.Lanes.
func (db *DB) LeaveLane(ctx context.Context, job int64, accountID, queue string, hurry bool) error {
	_, err := db.pool.Exec(ctx, leave, accountID, queue, jobs.FirstLane(queue), job, hurry)
	return wrap(err, "remove job %d of %s from its lane", job, accountID)
}

// FillLane implements jobs.Lanes.
func (db *DB) FillLane(ctx context.Context, queue string) error {
	_, err := db.pool.Exec(ctx, fillLane, queue, jobs.FirstLane(queue))
	return wrap(err, "fill the lane beside %s", queue)
}
