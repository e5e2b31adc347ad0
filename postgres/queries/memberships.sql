-- name: DeleteMemberships :exec
-- Deletes the members that a model no longer holds.
delete from memberships where holder_id = @holder_id and member_id <> all (@held::text[]);

-- name: KeepMemberships :exec
-- The members of a model, and the runs of them that were read.
insert into memberships (holder_id, member_id, run_id)
select @holder_id::text, unnest(@member_ids::text[]), unnest(@run_ids::text[])
on conflict (holder_id, member_id) do update set run_id = excluded.run_id;

-- name: Holders :many
-- The models that hold others. Simulations and the like read their members: they hold
-- none, so a member can be deleted in spite of them.
select s.member_id, m.id, m.name, m.symbol
from memberships s join programs m on m.id = s.holder_id
where s.member_id = any(@member_ids::text[]) and m.deleted_at is null and m.kind = 'model'
order by m.created_at, m.id;

-- name: LockHolders :many
select m.id from programs m
where m.deleted_at is null and m.id in (select s.holder_id from memberships s where s.member_id = any(@member_ids::text[]))
order by m.depth, m.id
for no key update;

-- name: LockAbove :many
-- All models above a model, at any height. The models above one that waits already
-- were found when it began to wait.
with recursive above (id) as (
    select s.holder_id from memberships s where s.member_id = @member_id
    union
    select s.holder_id from above a
    join programs h on h.id = a.id and (h.refresh = '' or h.failures > 0)
    join memberships s on s.member_id = a.id
)
select m.id from programs m where m.id in (select id from above) and m.deleted_at is null
order by m.depth, m.id
for no key update of m;

-- name: Waiting :many
-- For each of the models that waits, has no default run in flight and may be
-- refreshed: whether a member is about to change, and whether one has changed. Lock
-- the models before this statement, since it sees only what was committed when it
-- began.
select h.id, coalesce(h.live_run_id, '')::text as live_run_id, h.refresh = 'due' as due,
    exists (
        select from memberships s join programs m on m.id = s.member_id
        where s.holder_id = h.id and (
            (m.refresh <> '' and m.failures = 0)
            or exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running'))
        )
    ) as members_move,
    exists (
        select from memberships s join programs m on m.id = s.member_id
        where s.holder_id = h.id and m.live_run_id is distinct from s.run_id
    ) as members_moved
from programs h
where h.id = any(@ids::text[]) and h.deleted_at is null and h.refresh <> '' and h.live_run_id is not null and h.status <> 'paused'
    and not exists (
        select from runs r where r.program_id = h.id and r.publishes and r.status in ('queued', 'running')
            and r.source not in ('create', 'rebuild', 'promote', 'apply')
    )
order by h.depth, h.id;

-- name: Moving :one
-- Whether one of the models is about to serve another run.
select exists (
    select from programs m
    where m.id = any(@ids::text[]) and m.deleted_at is null and (
        (m.refresh <> '' and m.failures = 0)
        or exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running'))
    )
);

-- name: BlockedBelow :many
-- The members of a program, at any depth, whose refreshes fail, and those in the Trash.
with recursive below (id) as (
    select s.member_id from memberships s where s.holder_id = @holder_id
    union
    select s.member_id from memberships s join below b on s.holder_id = b.id
)
select m.id, m.name, m.symbol, (case when m.deleted_at is null then m.last_error else 'is in the Trash' end)::text as last_error
from programs m join below b on b.id = m.id
where m.failures > 0 or m.deleted_at is not null order by m.depth, m.id;

-- name: LockGraph :exec
-- No other build adds edges to the account's graph until the transaction ends. Runs of
-- the served implementation add none.
select pg_advisory_xact_lock(hashtextextended('graph of ' || r.account_id, 0)) from runs r
where r.id = @run_id and r.source in ('create', 'rebuild', 'promote', 'apply');

-- name: MembershipsBelow :many
-- The graph below the given models, one edge per row.
with recursive below (id) as (
    select unnest(@ids::text[])
    union
    select s.member_id from memberships s join below b on s.holder_id = b.id
)
select s.holder_id, s.member_id, m.name from memberships s
join below b on b.id = s.holder_id join programs m on m.id = s.member_id
where m.deleted_at is null;

-- name: Readers :many
-- The simulations and analyses of an account whose served results have read a model, the
-- latest result first.
select m.id, m.kind, m.name, r.id as run_id, r.shared
from memberships s join programs m on m.id = s.holder_id join runs r on r.id = m.live_run_id
where s.member_id = @member_id and m.account_id = @account_id and m.deleted_at is null and m.kind <> 'model'
order by r.created_at desc, r.id limit @most;
