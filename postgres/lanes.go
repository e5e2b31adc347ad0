package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/program/jobs"
)

// The table of jobs belongs to River, which knows no accounts. These statements
// therefore use the account id in the job's arguments, on which laneIndex is an index.
const (
	laneIndex = `create index if not exists river_job_lanes on river_job ((args ->> 'account_id'), queue, state, id)
	where kind = 'run' and state in ('available', 'running')`

	// runLanes reports for each run whether its account has a job in the first lane.
	runLanes = `select r.id, r.account_id, exists (
		select from river_job j where j.kind = 'run' and j.args ->> 'account_id' = r.account_id
			and j.queue = $2 and j.state in ('available', 'running')) as taken
	from runs r where r.id = any($1) order by array_position($1, r.id)`

	// The statement's snapshot still shows the leaving job in its lane, so leave
	// excludes it.
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

	// fillLane steps from account to account through the index, so its cost does not
	// depend on the number of jobs of each.
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

// enqueue adds the jobs of runs to the transaction. An account's first job goes to the
// queue's first lane if the account has no other job there. Concurrent transactions
// may both take the lane, or find it taken by a job that is just leaving it; the
// workers correct that.
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
	return wrap(err, "fill the lane of %s", queue)
}
