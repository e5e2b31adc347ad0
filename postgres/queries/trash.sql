-- name: FailQueuedRuns :many
-- Ends the runs of a model that have not started and publish nothing.
update runs set status = 'failed', failure = @failure, progress_step = 'done', finished_at = @now
where program_id = @program_id and status = 'queued' and not publishes
returning id;

-- name: UnendedRuns :many
select id, source, status from runs where program_id = $1 and status in ('queued', 'running') order by id;

-- name: UnshareRuns :exec
update runs set shared = false where program_id = $1 and shared;

-- name: MoveToTrash :exec
with unlisted as (
    update figures f set live = false where f.program_id = @id and f.live
)
update programs set deleted_at = @now::timestamptz, purge_at = @purge_at::timestamptz, is_public = false,
    auto_update = false, refresh = '', failures = 0, next_retry = null, updated_at = @now::timestamptz
where id = @id;

-- name: PauseReaders :exec
-- Pauses what reads a member that has moved to the Trash: simulations and the like,
-- which serve their last result. They must be locked.
update programs h set status = 'paused', refresh = '', updated_at = @now::timestamptz
where h.id = any(@ids::text[]) and h.kind <> 'model' and h.status = 'active';

-- name: ResumeReaders :exec
-- Ends that pause when the last such member is back, unless a series was deleted too.
update programs h set status = 'active', updated_at = @now::timestamptz
where h.id = any(@ids::text[]) and h.kind <> 'model' and h.status = 'paused' and h.failures = 0 and not exists (
    select from memberships s join programs m on m.id = s.member_id where s.holder_id = h.id and m.deleted_at is not null
) and not exists (
    select from series_reads x join series s on s.id = x.series_id where x.run_id = h.live_run_id and s.deleted_at is not null
);

-- name: Trash :many
select * from whole_programs
where account_id = @account_id and kind = @kind and deleted_at is not null and purge_at > @now::timestamptz
order by deleted_at desc, id desc
limit @most offset @skip;

-- name: CountTrash :one
select count(*) from programs where account_id = @account_id and kind = @kind and deleted_at is not null and purge_at > @now::timestamptz;

-- name: LockMembersOf :many
-- Members before their holders, in the Trash or not.
select m.id, m.name, m.symbol, (m.deleted_at is not null and m.purge_at > @now::timestamptz)::boolean as trashed
from programs m
where m.id in (select s.member_id from memberships s where s.holder_id = @holder_id)
order by m.depth, m.id
for share of m;

-- name: LockTrashed :one
select id, symbol from programs
where id = @id and account_id = @account_id and deleted_at is not null and purge_at > @now::timestamptz
for update;

-- name: RestoreModel :exec
with restored as (
    update programs p set deleted_at = null, purge_at = null, updated_at = @now,
        status = case when p.live_run_id is null then 'failed' else 'active' end
    where p.id = @id
    returning p.live_run_id
)
update figures f set live = true from restored r where f.run_id = r.live_run_id;

-- name: LockExpired :many
select id from programs where deleted_at is not null and purge_at <= @now::timestamptz
order by purge_at, id limit @most
for update skip locked;

-- name: DeleteMembershipsOf :exec
delete from memberships where member_id = any(@ids::text[]);

-- name: PurgeModels :exec
-- Builds and runs are deleted with their models; a receipt stays.
with gone as (
    delete from programs where id = any(@ids::text[]) returning id, account_id, deleted_at
)
insert into deletion_receipts (program_id, account_id, deleted_at, purged_at, expires_at)
select id, account_id, coalesce(deleted_at, @now::timestamptz), @now, @expires_at::timestamptz from gone
on conflict (program_id) do nothing;

-- name: Receipt :one
select * from deletion_receipts where program_id = @program_id and account_id = @account_id and expires_at > @now::timestamptz;

-- name: DeleteExpiredReceipts :exec
delete from deletion_receipts where expires_at <= @now::timestamptz;
