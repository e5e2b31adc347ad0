package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/account"
	"ballast/program"
	"ballast/program/jobs"
)

// Runs that nobody could execute yet wait as pending jobs, which River neither fetches
// nor looks at. Each has a turn, a number that grows from run to run of an account and
// class by one divided by the weight of the class, and that begins at the smallest turn of
// all if no run of the account and class waits. Released in the order of turns, accounts
// whose waiting runs are of the same class get equal shares, whatever they have queued,
// and of two classes the one of twice the weight gets twice as much. This is start-time
// fair queuing (Goyal, Vin and Cheng, 1996), where each account and class is a flow and
// every run has length 1.

// runIndexes are the indexes on River's table for the statements of this package, by
// name. River's own cover its states and queues.
var runIndexes = map[string]string{
	"river_job_lanes": `create index river_job_lanes on river_job ((args ->> 'account_id'), queue, state, id)
		where kind = 'run' and state in ('available', 'running')`,
	"river_job_turns": `create index river_job_turns on river_job (queue, (args ->> 'account_id'), ((metadata ->> 'turn')::float8), id)
		where kind = 'run' and state = 'pending'`,
	"river_job_class_turns": `create index river_job_class_turns on river_job (queue, (args ->> 'account_id'), (metadata ->> 'class'), ((metadata ->> 'turn')::float8))
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
	// waiting runs of the same class; how many more jobs the queue takes; and the first
	// turn of all. The class $7 of a run is that of its source $6.
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
				select count(*) from river_job j where j.kind = 'run' and j.args ->> 'account_id' = a.id and j.state in ('available', 'running')) as allowed
		from accounts a left join (select unnest($4::text[]) as plan, unnest($5::bigint[]) as most) k on k.plan = a.plan
		where a.id in (select account_id from runs where id = any($3))
	), classes as (
		select unnest($6::text[]) as source, unnest($7::text[]) as class
	), flows as (
		select f.account_id, f.class, (select (metadata ->> 'turn')::float8 from river_job j
			where j.kind = 'run' and j.state = 'pending' and j.queue = $1 and j.args ->> 'account_id' = f.account_id and j.metadata ->> 'class' = f.class
			order by (metadata ->> 'turn')::float8 desc limit 1) as last
		from (select distinct r.account_id, c.class from runs r join classes c on c.source = r.source where r.id = any($3)) f
	)
	select r.id, r.account_id, c.class, o.taken, o.allowed, f.last, room.room, room.first
	from runs r join owners o on o.id = r.account_id join classes c on c.source = r.source
	join flows f on f.account_id = r.account_id and f.class = c.class cross join room
	where r.id = any($3) order by array_position($3, r.id)`

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
	sources, classes := classesOfSources()
	rows, err := tx.Query(ctx, places, queue, jobs.FirstLane(queue), runIDs, plans, most, sources, classes)
	if err != nil {
		return err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[place])
	if err != nil || len(found) == 0 {
		return err
	}
	// What is left to the account, and the last turn of its runs of the class, as the rows
	// report them before the first run is placed.
	owners, flows := map[string]*place{}, map[string]*place{}
	params := make([]river.InsertManyParams, len(found))
	direct := int64(0)
	for i := range found {
		p := &found[i]
		owner := firstOf(owners, p.AccountID, p)
		flow := firstOf(flows, p.AccountID+" "+string(p.Class), p)
		opts := &river.InsertOpts{Queue: queue}
		switch {
		case !owner.Taken:
			owner.Taken, opts.Queue = true, jobs.FirstLane(queue)
			owner.Allowed--
		case flow.Last == nil && owner.Allowed > 0 && direct < p.Room:
			direct++
			owner.Allowed--
		default:
			turn := p.First
			if flow.Last != nil {
				turn = max(turn, *flow.Last+1/p.Class.Weight())
			}
			flow.Last = &turn
			opts.Pending, opts.Metadata = true, fmt.Appendf(nil, `{"turn": %v, "class": %q}`, turn, p.Class)
		}
		params[i] = river.InsertManyParams{Args: jobs.RunArgs{RunID: p.RunID, AccountID: p.AccountID}, InsertOpts: opts}
	}
	_, err = db.queue.InsertManyTx(ctx, tx, params)
	return err
}

// place is a row of the statement places.
type place struct {
	RunID, AccountID string
	Class            program.Class
	Taken            bool     // the account has a job in the lane
	Allowed          int64    // how many more the account's plan allows
	Last             *float64 // the last turn of the account's waiting runs of the class
	Room             int64    // how many more the queue takes
	First            float64  // the first turn of all waiting runs
}

// firstOf returns the place kept under the key, which is p if there is none.
func firstOf(kept map[string]*place, key string, p *place) *place {
	if found, ok := kept[key]; ok {
		return found
	}
	kept[key] = p
	return p
}

// classesOfSources returns all sources of runs and the class of each.
func classesOfSources() (sources, classes []string) {
	for _, s := range program.Sources {
		sources, classes = append(sources, string(s)), append(classes, string(s.Class()))
	}
	return sources, classes
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
