-- name: InsertRun :exec
insert into runs (id, account_id, program_id, build_id, status, publishes, source, intent, label, shared, inputs,
    entries, script_hash, harness_version, progress_step, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- name: RunsByID :many
-- Includes runs of models in the Trash, since results may have been computed on them.
select sqlc.embed(r), m.name as program_name, b.inputs_schema, m.live_run_id is not distinct from r.id as live
from runs r join programs m on m.id = r.program_id join builds b on b.id = r.build_id
where r.id = any(@ids::text[]);

-- name: RunByID :one
-- RunsByID for a single run. Its plan does not depend on the argument, so the server
-- keeps it.
select sqlc.embed(r), m.name as program_name, b.inputs_schema, m.live_run_id is not distinct from r.id as live
from runs r join programs m on m.id = r.program_id join builds b on b.id = r.build_id
where r.id = @id and (@trashed::boolean or m.deleted_at is null);

-- name: RunsInFlight :many
select sqlc.embed(r), m.name as program_name, b.inputs_schema, m.live_run_id is not distinct from r.id as live
from runs r join programs m on m.id = r.program_id join builds b on b.id = r.build_id
where r.program_id = any(@program_ids::text[]) and r.publishes and r.status in ('queued', 'running')
order by r.source in ('create', 'rebuild', 'promote', 'apply'), r.id;

-- name: Runs :many
select sqlc.embed(r), m.name as program_name, b.inputs_schema, m.live_run_id is not distinct from r.id as live
from runs r join programs m on m.id = r.program_id join builds b on b.id = r.build_id
where r.program_id = @program_id
    and (not @updates_only::boolean or r.source in ('refresh', 'cascade'))
order by r.created_at desc, r.id desc
limit @most offset @skip;

-- name: CountRuns :one
select count(*) from runs
where program_id = @program_id and (not @updates_only::boolean or source in ('refresh', 'cascade'));

-- name: CountManualRun :one
-- Counts one more run of the day and returns the total. The row's lock makes
-- concurrent requests of one account wait.
insert into manual_runs as c (account_id, day, started) values (@account_id, @day, 1)
on conflict (account_id) do update
set started = case when c.day = excluded.day then c.started + 1 else 1 end, day = excluded.day
returning started;

-- name: HasRunInFlight :one
select exists (select from runs where program_id = $1 and publishes and status in ('queued', 'running'));

-- name: RunWith :one
-- The newest run of a build with these inputs that has not failed.
select id from runs where build_id = $1 and inputs = $2 and status <> 'failed' order by created_at desc, id desc limit 1;

-- name: HasBuildInFlight :one
select exists (
    select from runs where program_id = $1 and publishes and status in ('queued', 'running')
        and source in ('create', 'rebuild', 'promote', 'apply')
);

-- name: LockStarts :exec
-- No other run of the account starts until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('starts of ' || account_id, 0)) from runs where id = @id and status = 'queued';

-- name: RunWaits :one
-- Whether a run that was not started may be started later.
select exists (
    select from runs r join programs m on m.id = r.program_id
    where r.id = @id and r.status in ('queued', 'running') and m.deleted_at is null
);

-- name: StartRun :one
-- Marks a run as running, and its build if that is queued. It does nothing while the
-- account has as many runs running as its plan allows. If a crash loses this update, the
-- job starts the run again, so the commit need not wait for the disk.
with building as (
    update builds b set status = 'running' from runs o
    where o.id = @id and o.status in ('queued', 'running') and b.id = o.build_id and b.status = 'queued'
)
update runs r set status = 'running', started_at = coalesce(r.started_at, @now)
from builds b join whole_programs m on m.id = b.program_id
where r.id = @id and r.status in ('queued', 'running') and b.id = r.build_id and m.id = r.program_id and m.deleted_at is null
    and set_config('synchronous_commit', 'off', true) = 'off'
    and (r.status = 'running' or not exists (
        select from accounts a join (select unnest(@plans::text[]) as plan, unnest(@most::bigint[]) as most) k on k.plan = a.plan
        where a.id = r.account_id
            and k.most <= (select count(*) from runs o where o.account_id = r.account_id and o.status = 'running')
    ))
returning sqlc.embed(r), sqlc.embed(b), sqlc.embed(m);

-- name: YieldRun :exec
update runs set status = 'queued' where id = $1 and status = 'running';

-- name: SetRunProgress :execrows
update runs set progress_step = @step, progress_done = @done, progress_total = @total
where id = @id and status in ('queued', 'running');

-- name: RunProgram :one
select program_id from runs where id = $1;

-- name: LockRun :one
select * from runs where id = $1 for update;

-- name: LockUnended :one
-- A run that has not ended, locked after its program. The next statement reads the
-- current rows.
select r.program_id from runs r join programs p on p.id = r.program_id
where r.id = @run_id and r.status in ('queued', 'running') and p.deleted_at is null
for no key update of p for update of r;

-- name: Unended :one
-- A run and its program, with the program's members, and whether the account has
-- webhooks that listen for events.
select sqlc.embed(m), sqlc.embed(r), array(select s.member_id from memberships s where s.holder_id = m.id)::text[] as held,
    exists (select from webhooks w where w.account_id = m.account_id and w.enabled)::boolean as listened
from runs r join whole_programs m on m.id = r.program_id
where r.id = @run_id;

-- name: CompleteRun :exec
-- The harness version is the worker's: the run, or the run that it repeats, may have
-- been queued under an earlier one. The trial is recorded by its strategy, and by the
-- whole script for models from before strategies were recorded.
with ended as (
    update runs r set status = 'complete', harness_version = @harness_version, data_version = @data_version, members = @members, summary = @summary,
        usage = @usage, result_hash = @result_hash, tables = @tables, tables_bytes = @tables_bytes, base = @base, first_date = @first_date,
        last_date = @last_date, superseded = @superseded, failure = null, progress_step = 'done',
        progress_done = 1, progress_total = 1,
        started_at = coalesce(r.started_at, @finished_at), finished_at = @finished_at
    where r.id = @id
    returning r.program_id, r.script_hash, md5((r.inputs - 'initial_cash')::text) as tried, r.finished_at
)
insert into trials (program_id, strategy, inputs, ended_at, sharpe)
select program_id, @strategy::text, tried, finished_at, sqlc.narg(sharpe) from ended e
where exists (select from models m where m.id = e.program_id) and not exists (select from trials t where t.program_id = e.program_id and t.strategy = e.script_hash and t.inputs = e.tried)
on conflict do nothing;

-- name: RecordTrials :exec
-- Trials of sweeps, which have no runs of their own. A model that was deleted meanwhile
-- is left out. The order prevents deadlocks between sweeps of the same points.
insert into trials (program_id, strategy, inputs, ended_at, sharpe)
select m.id, n.strategy, n.tried, @ended_at, n.sharpe
from (
    select unnest(@program_ids::text[]) as program_id, unnest(@strategies::text[]) as strategy, unnest(@script_hashes::text[]) as script_hash,
        md5((unnest(@inputs::jsonb[]) - 'initial_cash')::text) as tried, nullif(unnest(@sharpes::float8[]), 'NaN') as sharpe
) n
join models m on m.id = n.program_id
where not exists (select from trials t where t.program_id = n.program_id and t.strategy = n.script_hash and t.inputs = n.tried)
order by 1, 2, 3
on conflict do nothing;

-- name: FailRun :exec
update runs set status = 'failed', failure = @failure, usage = @usage, progress_step = 'done', finished_at = @now
where id = @id;

-- name: RepeatRuns :exec
-- Queues each run again under a new id.
insert into runs (id, account_id, program_id, build_id, status, publishes, source, inputs, script_hash,
    harness_version, created_at)
select n.id, r.account_id, r.program_id, r.build_id, 'queued', true, coalesce(nullif(@source::text, ''), r.source),
    r.inputs, r.script_hash, r.harness_version, @now
from (select unnest(@ids::text[]) as id, unnest(@run_ids::text[]) as run_id) n
join runs r on r.id = n.run_id;

-- name: ResultObjects :many
-- The bucket objects that runs name.
select (t.value ->> 'object')::text as object from runs r, jsonb_each(r.tables) t where r.id = any(@run_ids::text[]);

-- name: EndedRuns :many
select id from runs where id = any(@ids::text[]) and status in ('complete', 'failed');

-- name: NotifyRunEnded :exec
select pg_notify('run_ended', @id::text);

-- name: PatchRun :exec
update runs set label = @label, shared = @shared where id = @id;

-- name: RestsOn :many
-- The models whose live result was computed on a run, at any depth.
with recursive pins (id) as (
    select r.id from runs r
    where r.account_id = @account_id
        and r.members @> jsonb_build_array(jsonb_build_object('run_id', @run_id::text))
    union
    select r.id from pins p join runs r on r.account_id = @account_id
        and r.members @> jsonb_build_array(jsonb_build_object('run_id', p.id))
)
select m.id, m.name, m.symbol from programs m where m.live_run_id in (select id from pins) order by m.created_at, m.id;

-- name: DeleteRun :exec
delete from runs where id = $1;

-- name: OldSnapshots :many
-- Snapshots that are older than their account's plan keeps them.
select r.id from runs r join programs m on m.id = r.program_id join accounts a on a.id = r.account_id
join (select unnest(@plans::text[]) as plan, unnest(@ended_before::timestamptz[]) as ended_before) k on k.plan = a.plan
where not r.publishes and r.status in ('complete', 'failed') and m.deleted_at is null
    and r.finished_at < k.ended_before and r.id > @after::text
order by r.id limit @most;

-- name: TrialSharpes :many
-- The trials of a model, always in the same order.
select sharpe from trials where program_id = @program_id order by strategy, inputs;
