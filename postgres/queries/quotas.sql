-- name: LockStored :one
-- Other checks of the account's quotas wait until the transaction ends.
select bytes from stored where account_id = @account_id for update;

-- name: BeginStored :exec
insert into stored (account_id, bytes) values (@account_id, 0) on conflict (account_id) do nothing;

-- name: StoredChanges :one
-- The sum of changes not yet in the row of LockStored.
select coalesce(sum(bytes), 0)::bigint as bytes, count(*) as changes from stored_changes where account_id = @account_id;

-- name: FoldStored :exec
-- Adds the changes of an account to its row, which LockStored has locked.
with gone as (
    delete from stored_changes c where c.account_id = @account_id returning c.bytes
)
update stored s set bytes = s.bytes + (select coalesce(sum(bytes), 0) from gone)::bigint where s.account_id = @account_id;

-- name: CountKept :one
-- How many of each kind an account has, including those in the Trash.
select
    (select count(*) from programs m where m.account_id = @account_id) as models,
    (select count(*) from drafts d where d.account_id = @account_id) as drafts,
    (select count(*) from keys k where k.account_id = @account_id and k.revoked_at is null) as keys,
    (select count(*) from webhooks w where w.account_id = @account_id) as webhooks,
    (select count(*) from backfills b where b.account_id = @account_id and b.deleted_at is null) as backfills,
    (coalesce((select s.bytes from stored s where s.account_id = @account_id), 0)
        + (select coalesce(sum(c.bytes), 0) from stored_changes c where c.account_id = @account_id))::bigint as stored_bytes;

-- name: CountOfKind :one
-- How many of one kind an account has.
select case @kind::text
    when 'models' then (select count(*) from programs m where m.account_id = @account_id)
    when 'drafts' then (select count(*) from drafts d where d.account_id = @account_id)
    when 'keys' then (select count(*) from keys k where k.account_id = @account_id and k.revoked_at is null)
    when 'webhooks' then (select count(*) from webhooks w where w.account_id = @account_id)
    when 'backfills' then (select count(*) from backfills b where b.account_id = @account_id and b.deleted_at is null)
    else 0 end::bigint;

-- name: CountUse :one
-- Counts one more use in the period with the given beginning, and returns the total.
insert into uses as u (account_id, kind, starts, used) values (@account_id, @kind, @starts, 1)
on conflict (account_id, kind) do update
set used = case when u.starts = excluded.starts then u.used + 1 else 1 end, starts = excluded.starts
returning used;

-- name: Uses :many
select kind, used from uses where account_id = @account_id and starts = @starts;

-- name: PlanNow :one
select plan from accounts where id = @id;

-- name: StoredFaults :many
-- Accounts whose recorded storage differs from the size of their rows.
select coalesce(n.account_id, r.account_id)::text as account_id, coalesce(n.bytes, 0)::bigint as counted, coalesce(r.bytes, 0)::bigint as kept
from (
    select account_id, sum(bytes)::bigint as bytes
    from (select account_id, bytes from stored union all select account_id, bytes from stored_changes) a group by account_id
) n full join stored_rows r on r.account_id = n.account_id
where coalesce(n.bytes, 0) <> coalesce(r.bytes, 0)
order by 1 limit 1000;

-- name: LockStoredTables :exec
-- No other transaction adds a change until this one has recounted.
lock table stored, stored_changes in exclusive mode;

-- name: DropStored :exec
delete from stored;

-- name: DropStoredChanges :exec
delete from stored_changes;

-- name: CountStored :exec
insert into stored (account_id, bytes) select account_id, bytes from stored_rows;

-- name: EndOldestSessions :exec
-- Deletes all but the most recently used sessions of an account.
delete from sessions where id in (
    select s.id from sessions s where s.account_id = @account_id order by s.seen_at desc, s.id desc offset @most
);
