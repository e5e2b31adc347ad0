package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/account"
	"ballast/program/jobs"
)

// Runs that nobody could execute yet wait as pending jobs, which River neither fetches
// nor looks at. Each has a turn, a number that grows by one from run to run of an
// account, and that begins for an account without waiting runs at the smallest turn of
// all. Released in the order of turns, accounts get equal shares, whatever they have
// queued: this is start-time fair queuing with equal weights.

// runIndexes are the indexes on River's table for the statements of this package, by
// name. River's own cover its states and queues.
var runIndexes = map[string]string{
	"river_job_lanes": `create index river_job_lanes on river_job ((args ->> 'account_id'), queue, state, id)
		where kind = 'run' and state in ('available', 'running')`,
	"river_job_turns": `create index river_job_turns on river_job (queue, (args ->> 'account_id'), ((metadata ->> 'turn')::float8), id)
		where kind = 'run' and state = 'pending'`,
	"river_job_first_turn": `create index river_job_first_turn on river_job (queue, ((metadata ->> 'turn')::float8))
		where kind = 'run' and state = 'pending'`,
}

const (
	// fleet is how many jobs of queue $1 are to be in River: half as many again as all
	// live processes execute at a time, so that a process finds another job when it has
	// ended one. Without a process, it is what a small one needs.
	fleet = `fleet (most) as (
		select greatest(ceil(1.5 * coalesce(sum(case when $1 = '` + jobs.GenerationQueue + `' then generation_slots else run_slots end), 0)), 9)::bigint
		from workers where renewed_at > now() - interval '20 seconds'
	)`

	// places reports for each run whether its account has a job in the first lane; how
	// many more jobs the account may have in the queue, by its plan; the last turn of its
	// waiting runs; how many more jobs the queue takes; and the first turn of all.
	places = `with ` + fleet + `, room as (
		select most - (select count(*) from river_job where kind = 'run' and queue = $1 and state in ('available', 'running')) as room,
			coalesce((select (metadata ->> 'turn')::float8 from river_job
				where kind = 'run' and state = 'pending' and queue = $1 order by (metadata ->> 'turn')::float8 limit 1), 0) as first
		from fleet
	), owners as (
		select a.id, exists (
				select from river_job j where j.kind = 'run' and j.args ->> 'account_id' = a.id
					and j.queue = $2 and j.state in ('available', 'running')) as taken,
			coalesce(k.most, 1000000000) - (
				select count(*) from river_job j where j.kind = 'run' and j.args ->> 'account_id' = a.id and j.state in ('available', 'running')) as allowed,
			(select (metadata ->> 'turn')::float8 from river_job j
				where j.kind = 'run' and j.state = 'pending' and j.queue = $1 and j.args ->> 'account_id' = a.id
				order by (metadata ->> 'turn')::float8 desc limit 1) as last
		from accounts a left join (select unnest($4::text[]) as plan, unnest($5::bigint[]) as most) k on k.plan = a.plan
		where a.id in (select account_id from runs where id = any($3))
	)
	select r.id, r.account_id, o.taken, o.allowed, o.last, room.room, room.first
	from runs r join owners o on o.id = r.account_id cross join room where r.id = any($3) order by array_position($3, r.id)`

	// release lets as many waiting runs into queue $1 as it takes, in the order of their
	// turns, but of no account more than its plan executes at a time. The jobs $2 have
	// ended, although River has not recorded it yet. It steps from account to account
	// through the index, so its cost does not depend on how many runs of each wait.
	release = `with recursive ` + fleet + `, room (room) as (
		select most - (select count(*) from river_job where kind = 'run' and queue = $1 and state in ('available', 'running') and id <> all($2::bigint[]))
		from fleet
	), owners (id) as (
		(select args ->> 'account_id' from river_job
			where kind = 'run' and state = 'pending' and queue = $1 and (select room from room) > 0 order by 1 limit 1)
		union all
		select (select args ->> 'account_id' from river_job
			where kind = 'run' and state = 'pending' and queue = $1 and args ->> 'account_id' > o.id order by 1 limit 1)
		from owners o where o.id is not null
	), allowed as (
		select o.id, least((select room from room), coalesce(k.most, 1000000000) - (
			select count(*) from river_job j where j.kind = 'run' and j.args ->> 'account_id' = o.id
				and j.state in ('available', 'running') and j.id <> all($2::bigint[]))) as most
		from owners o join accounts a on a.id = o.id
		left join (select unnest($3::text[]) as plan, unnest($4::bigint[]) as most) k on k.plan = a.plan
	), next as (
		select j.id from allowed a, lateral (
			select id, (metadata ->> 'turn')::float8 as turn from river_job
			where kind = 'run' and state = 'pending' and queue = $1 and args ->> 'account_id' = a.id
			order by (metadata ->> 'turn')::float8, id limit greatest(a.most, 0)) j
		order by j.turn, j.id limit (select greatest(room, 0) from room)
	), released as (
		update river_job j set state = 'available', scheduled_at = now() from next where j.id = next.id and j.state = 'pending'
		returning pg_notify(concat(current_schema(), '.river_insert'), json_build_object('queue', $1::text)::text)
	)
	select exists (select from river_job where kind = 'run' and state = 'pending' and queue = $1
		offset (select count(*) from released))`
)

// enqueue adds the jobs of runs to the transaction. An account's first job goes to the
// queue's first lane if the account has no other job there. Others go to the queue while
// it takes them, or else wait for their turn. Concurrent transactions may both take the
// lane, or find it taken by a job that is just leaving it; the workers correct that. They
// may also both take the last place of the queue.
func (db *DB) enqueue(ctx context.Context, tx pgx.Tx, queue string, runIDs ...string) error {
	plans, most := db.concurrency()
	rows, err := tx.Query(ctx, places, queue, jobs.FirstLane(queue), runIDs, plans, most)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[place])
	if err != nil || len(found) == 0 {
		return err
	}
	ahead := map[string]*place{} // by account: its state after the runs so far
	params := make([]river.InsertManyParams, len(found))
	direct := int64(0)
	for i := range found {
		f := &found[i]
		params[i].Args = jobs.RunArgs{RunID: f.RunID, AccountID: f.AccountID}
		o, ok := ahead[f.AccountID]
		if !ok {
			o = f
			ahead[f.AccountID] = o
		}
		opts := &river.InsertOpts{Queue: queue}
		switch {
		case !o.Taken:
			o.Taken, opts.Queue = true, jobs.FirstLane(queue)
			o.Allowed--
		case o.Last == nil && o.Allowed > 0 && direct < f.Room:
			direct++
			o.Allowed--
		default:
			turn := f.First
			if o.Last != nil {
				turn = max(turn, *o.Last+1)
			}
			o.Last = &turn
			opts.Pending, opts.Metadata = true, fmt.Appendf(nil, `{"turn": %g}`, turn)
		}
		params[i].InsertOpts = opts
	}
	_, err = db.queue.InsertManyTx(ctx, tx, params)
	return err
}

// place is a row of the statement places.
type place struct {
	RunID, AccountID string
	Taken            bool     // the account has a job in the lane
	Allowed          int64    // how many more the account's plan allows
	Last             *float64 // the last turn of the account's waiting runs
	Room             int64    // how many more the queue takes
	First            float64  // the first turn of all waiting runs
}

// concurrency returns how many runs of an account its plan lets execute at a time, for
// plans that limit it.
func (db *DB) concurrency() (plans []string, most []int64) {
	for _, plan := range account.Plans {
		if n := db.policy.Terms(plan).Concurrency; n > 0 {
			plans, most = append(plans, string(plan)), append(most, int64(n))
		}
	}
	return plans, most
}

// Release implements jobs.Lanes.
func (db *DB) Release(ctx context.Context, queue string, ended []int64) (more bool, err error) {
	plans, most := db.concurrency()
	err = db.pool.QueryRow(ctx, release, queue, ended, plans, most).Scan(&more)
	return more, wrap(err, "release waiting runs of %s", queue)
}
