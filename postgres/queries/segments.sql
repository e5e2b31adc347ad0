-- name: AccountsWithResults :many
-- Accounts that have live runs to gather or segments to maintain.
select a.id from accounts a
where exists (select from programs p where p.account_id = a.id and p.kind = 'model' and p.deleted_at is null and p.live_run_id is not null)
    or exists (select from segments s where s.account_id = a.id and s.dropped_at is null)
order by a.id;

-- name: RunsToGather :many
-- The live runs of an account's models, and the runs of member models that they have
-- read, at any depth.
with recursive wanted (id) as (
    select p.live_run_id from programs p
    where p.account_id = @account_id and p.kind = 'model' and p.deleted_at is null and p.live_run_id is not null
    union
    select m ->> 'run_id' from wanted w join runs r on r.id = w.id, jsonb_array_elements(r.members) m
    where coalesce(m ->> 'run_id', '') <> ''
)
select r.id, r.program_id, r.tables from wanted w join runs r on r.id = w.id
where r.account_id = @account_id and r.status = 'complete'
order by r.program_id, r.id;

-- name: Segments :many
select s.id, s.tables,
    (select coalesce(array_agg(r.run_id order by r.run_id), '{}') from segment_runs r where r.segment_id = s.id)::text[] as run_ids,
    exists (select from segment_runs r where r.segment_id = s.id
        and not exists (select from programs p where p.id = r.program_id))::boolean as purged
from segments s where s.account_id = @account_id and s.dropped_at is null
order by s.id;

-- name: SegmentGeneration :one
select coalesce((select generation from segment_generations where account_id = @account_id), 0)::bigint;

-- name: NextSegmentGeneration :execrows
-- Increments the generation, unless another change has done so since.
insert into segment_generations as g (account_id, generation) values (@account_id, @next::bigint)
on conflict (account_id) do update set generation = excluded.generation where g.generation + 1 = excluded.generation;

-- name: DropSegments :exec
with dropped as (
    update segments set dropped_at = @now::timestamptz where id = any(@ids::text[]) and dropped_at is null returning id
)
delete from segment_runs where segment_id in (select id from dropped);

-- name: AddSegment :exec
insert into segments (id, account_id, tables, added_at) values (@id, @account_id, @tables, @now);

-- name: AddSegmentRuns :exec
insert into segment_runs (run_id, program_id, segment_id)
select unnest(@run_ids::text[]), unnest(@program_ids::text[]), @segment_id;

-- name: ForgetSegments :exec
delete from segments where dropped_at < @before::timestamptz;

-- name: SegmentObjects :many
select (t.value ->> 'object')::text as key from segments s, jsonb_each(s.tables) t;
