-- name: InsertRevision :exec
insert into revisions (id, account_id, model_id, number, kind, build_id, run_id, base_hash, request_key, draft_version, created_at)
select @id, @account_id, @model_id::text, (select coalesce(max(v.number), 0) + 1 from revisions v where v.model_id = @model_id::text),
    @kind, @build_id, @run_id, @base_hash, @request_key, @draft_version, @created_at;

-- name: RevisionOfRun :one
select id from revisions where run_id = @run_id::text order by number limit 1;

-- name: RevisionByKey :one
select id from revisions where model_id = @model_id and request_key = @request_key::text;

-- name: Revision :one
select sqlc.embed(v), coalesce(m.approved_revision_id = v.id, false)::boolean as current,
    s.script_hash as strategy_hash, b.status as build_status, b.script_hash, b.inputs_schema, b.failure, b.usage, b.finished_at,
    r.status as run_status, r.inputs as run_inputs, r.usage as run_usage, r.progress_step, r.progress_done, r.progress_total
from revisions v
join whole_programs m on m.id = v.model_id
join builds b on b.id = v.build_id
join builds s on s.id = m.build_id
left join runs r on r.id = v.run_id
where v.model_id = @model_id and v.id = @id and m.deleted_at is null;

-- name: Revisions :many
select sqlc.embed(v), coalesce(m.approved_revision_id = v.id, false)::boolean as current,
    s.script_hash as strategy_hash, b.status as build_status, b.script_hash, b.inputs_schema, b.failure, b.usage, b.finished_at,
    r.status as run_status, r.inputs as run_inputs, r.usage as run_usage, r.progress_step, r.progress_done, r.progress_total
from revisions v
join whole_programs m on m.id = v.model_id
join builds b on b.id = v.build_id
join builds s on s.id = m.build_id
left join runs r on r.id = v.run_id
where v.model_id = @model_id and m.deleted_at is null
    and (@event::text = '' or @event::text = 'changes' and v.applied_at is not null or @event::text = 'tests' and v.request_key is not null)
order by v.number desc
limit @most offset @skip;

-- name: CountRevisions :one
select count(*) from revisions v
join whole_programs m on m.id = v.model_id
where v.model_id = @model_id and m.deleted_at is null
    and (@event::text = '' or @event::text = 'changes' and v.applied_at is not null or @event::text = 'tests' and v.request_key is not null);

-- name: LabelRevision :exec
update revisions set label = @label where id = @id;

-- name: NoteRevisionWarning :exec
update revisions set warning = @warning where run_id = @run_id::text;

-- name: ApproveRevision :exec
update models set approved_revision_id = @revision_id::text where id = @model_id;

-- name: MarkApplied :exec
update revisions set applied_at = @now where id = @id;

-- name: PublishTest :exec
-- Marks the run of a test as one that its model has served.
update runs set publishes = true where id = $1;

-- name: EndTestBuilds :exec
-- The builds of tests that ended before they started.
update builds b set status = 'failed', failure = @failure, finished_at = @now
from runs r
where r.build_id = b.id and r.id = any(@run_ids::text[]) and r.source = 'draft_test' and b.status in ('queued', 'running');

-- name: BarsMoved :one
-- Whether the bars, backfills or series that a run has read have changed since.
select (exists (
    select from series_reads x join series s on s.id = x.series_id
    where x.run_id = @run_id::text and case when s.deleted_at is null then s.version > x.version else exists (
        select from series n where n.deleted_at is null and upper(n.name) = upper(s.name) and n.account_id is not distinct from s.account_id
    ) end
) or exists (
    select from runs r cross join jsonb_array_elements(r.members) e join assets a on a.id = e ->> 'id'
    left join backfills b on b.account_id = r.account_id and b.asset_id = a.id and b.deleted_at is null
    where r.id = @run_id and e ->> 'kind' = 'asset' and (
        a.bars_version > coalesce((e ->> 'bars_version')::bigint, 0)
        or b.id is distinct from e -> 'backfill' ->> 'id' or b.version is distinct from (e -> 'backfill' ->> 'version')::integer
        or exists (
            select from jsonb_array_elements(e -> 'backfill' -> 'bars') p join assets x on x.id = p ->> 'id'
            where x.bars_version > (p ->> 'bars_version')::bigint
        )
    )
))::boolean;

-- name: MissingPins :many
-- The runs that a run was computed on, at any depth, and that were deleted since.
with recursive pins (id) as (
    select e ->> 'run_id' from runs r, jsonb_array_elements(r.members) e
    where r.id = @run_id and e ->> 'kind' = 'model'
    union
    select e ->> 'run_id' from pins p join runs r on r.id = p.id, jsonb_array_elements(r.members) e
    where e ->> 'kind' = 'model'
)
select p.id::text as id from pins p where not exists (select from runs r where r.id = p.id) order by p.id;

-- name: LockAccountGraph :exec
select pg_advisory_xact_lock(hashtextextended('graph of ' || @account_id::text, 0));

-- name: ShareGraphOfRun :exec
-- No build adds edges to the graph of the run's account until the transaction ends.
select pg_advisory_xact_lock_shared(hashtextextended('graph of ' || r.account_id, 0)) from runs r where r.id = $1;
