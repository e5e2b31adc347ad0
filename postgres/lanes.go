package postgres

import (
	"context"

	"ballast/program/jobs"
)

// The table of jobs belongs to River, which knows no accounts. These statements
// therefore use the account id in the job's arguments, on which runIndexes has indexes.
const (
	// The statement's snapshot still shows the leaving job in its lane, so leave
	// excludes it.
	leave = `with gone as (
		update river_job set queue = $2 where id = $4 and queue = $3
	), next (id) as (
		select coalesce((
			select j.id from river_job j
			where j.kind = 'run' and j.args ->> 'account_id' = $1 and j.queue = $2 and j.state = 'available'
				and ($5 or j.scheduled_at <= now())
			order by j.id limit 1 for update skip locked
		), (
			select j.id from river_job j
			where j.kind = 'run' and j.args ->> 'account_id' = $1 and j.queue = $2 and j.state = 'pending'
			order by (j.metadata ->> 'turn')::float8, j.id limit 1 for update skip locked
		))
		where not exists (
			select from river_job f where f.kind = 'run' and f.args ->> 'account_id' = $1
				and f.queue = $3 and f.state in ('available', 'running') and f.id <> $4)
	)
	update river_job j set queue = $3, state = 'available', scheduled_at = least(j.scheduled_at, now()) from next where j.id = next.id
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
