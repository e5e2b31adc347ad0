package postgres

import (
	"context"

	"ballast/operate/doctor"
)

// examination is a query that returns findings, each row a subject and a message.
type examination struct {
	name, query, advice string
	repair              func(ctx context.Context, db *DB) error
	notice              bool // not an error: the installation works
}

// unfinished lists the states of jobs that have not ended.
const unfinished = `('available', 'pending', 'retryable', 'running', 'scheduled')`

// Queries for what can be repaired. The first column is the id.
const (
	runsWithoutJob = `select r.id, format('has been %s since %s, but no job works on it', r.status, r.created_at) from runs r
		where r.status in ('queued', 'running') and not exists (
			select from river_job j where j.kind = 'run' and j.args @> jsonb_build_object('run_id', r.id) and j.state in ` + unfinished + `)`
	jobsWithoutRun = `select j.id::text, format('works on %s, which does not exist', j.args ->> 'run_id') from river_job j
		where j.kind = 'run' and j.state in ('available', 'pending', 'retryable', 'scheduled')
			and not exists (select from runs r where r.id = j.args ->> 'run_id')`
	jobsOfTheDead = `select j.id::text, format('is run by %s, which has not renewed its lease for %s seconds', j.attempted_by[array_upper(j.attempted_by, 1)], 20)
		from river_job j where j.state = 'running' and not exists (
			select from workers w where w.id = j.attempted_by[array_upper(j.attempted_by, 1)] and w.renewed_at > now() - interval '20 seconds')`
	modelsWithoutRun = `select m.id, format('is %s, but has no run in progress', m.status) from programs m
		where m.status in ('building', 'updating') and m.deleted_at is null
			and not exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running'))`
	deliveriesWithoutJob = `select d.id, 'is pending, but no job sends it' from deliveries d join webhooks w on w.id = d.webhook_id
		where d.status = 'pending' and w.enabled and not exists (
			select from deliveries f join river_job j on j.kind = 'deliver' and j.args @> jsonb_build_object('delivery_id', f.id) and j.state in ` + unfinished + `
			where f.webhook_id = d.webhook_id and f.program_id = d.program_id)`
)

// examinations are in the order of repairing: a run that is queued again is no longer
// stuck.
var examinations = []examination{
	{
		name: "role",
		query: `select current_user::text, 'can run programs and read files on the database server' from pg_roles
			where rolname = current_user and (rolsuper or pg_has_role(oid, 'pg_execute_server_program', 'member'))`,
		advice: "connect as a role that owns the database and is not a superuser",
		notice: true,
	},
	{
		name: "transactions",
		query: `select pid::text, format('has had a transaction open for %s: %s', date_trunc('second', now() - xact_start), left(query, 80)) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
				and (now() - xact_start > interval '10 minutes' or state like 'idle in transaction%' and now() - state_change > interval '1 minute')`,
		advice: "end it (select pg_terminate_backend(PID)) unless it is a backup: it keeps vacuum from removing old rows, and may hold locks",
	},
	{
		name: "locks",
		query: `select pid::text, format('has been blocked by %s for %s: %s', array_to_string(pg_blocking_pids(pid), ', '), date_trunc('second', now() - query_start), left(query, 80))
			from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0 and now() - query_start > interval '10 seconds'`,
		advice: "see what the blocking processes do (pg_stat_activity), and end the one that hangs",
	},
	{name: "leases", query: jobsOfTheDead, advice: "start a service or a worker, which takes over the job within 20 seconds; --fix releases it now", repair: freeJobs},
	{name: "runs", query: runsWithoutJob, advice: "--fix queues the run again", repair: requeueRuns},
	{name: "jobs", query: jobsWithoutRun, advice: "--fix deletes the job", repair: dropJobs},
	{name: "models", query: modelsWithoutRun, advice: "--fix makes it serve its last result, or marks it failed if it has none; then rebuild it", repair: settleModels},
	{name: "deliveries", query: deliveriesWithoutJob, advice: "--fix queues it", repair: requeueDeliveries},
	{
		name: "depths",
		query: `select m.id, format('has depth %s, but its members make it %s', m.depth, d.depth) from programs m
			join lateral (select max(c.depth) + 1 as depth from memberships s join programs c on c.id = s.member_id where s.holder_id = m.id) d on true
			where m.live_run_id is not null and m.deleted_at is null and coalesce(d.depth, 0) > m.depth`,
		advice: "run the model at its defaults, which recomputes its depth",
	},
}

func (db *DB) examine(ctx context.Context, e examination) ([]doctor.Finding, error) {
	rows, err := db.pool.Query(ctx, e.query+" limit 1000")
	if err != nil {
		return nil, wrap(err, "examine %s", e.name)
	}
	defer rows.Close()
	var findings []doctor.Finding
	for rows.Next() {
		f := doctor.Finding{Advice: e.advice, Notice: e.notice}
		if err := rows.Scan(&f.Subject, &f.Message); err != nil {
			return nil, wrap(err, "examine %s", e.name)
		}
		findings = append(findings, f)
	}
	return findings, wrap(rows.Err(), "examine %s", e.name)
}
