-- name: InsertKey :exec
insert into keys (id, account_id, name, prefix, hash, scopes, daily_cap_cents, created_at)
values (@id, @account_id, @name, @prefix, @hash, @scopes::text[], sqlc.narg(daily_cap_cents), @created_at);

-- name: Keys :many
select * from keys where (@account_id::text = '' or account_id = @account_id) and starts_with(prefix, @prefix)
order by created_at desc, id desc;

-- name: RevokeKey :one
update keys set revoked_at = coalesce(revoked_at, @now)
where id = @id and account_id = @account_id
returning *;

-- name: Identities :many
select k.hash, k.id as key_id, k.name as key_name, k.scopes, k.daily_cap_cents, k.last_used_at,
    a.id as account_id, a.name as account_name, a.email, a.plan, a.role,
    exists (select from backfills b where b.account_id = a.id and b.deleted_at is null)::boolean as backfills
from keys k join accounts a on a.id = k.account_id
where k.hash = any(@hashes::bytea[]) and k.revoked_at is null and a.closed_at is null;

-- name: NoteKeyUse :exec
update keys set last_used_at = @now where id = @id and (last_used_at is null or last_used_at < @now);
