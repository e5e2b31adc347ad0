-- name: ClaimIdempotencyKey :execrows
insert into idempotency_keys (account_id, key, request, claimed_at)
values (@account_id, @key, @request, now())
on conflict (account_id, key) do update
set request = excluded.request, claimed_at = excluded.claimed_at, status = null, content_type = null, body = null
where idempotency_keys.claimed_at < now() - interval '24 hours'
   or (idempotency_keys.status is null and idempotency_keys.claimed_at < now() - interval '5 minutes');

-- name: IdempotencyKey :one
select request, status, content_type, body from idempotency_keys
where account_id = @account_id and key = @key;

-- name: KeepIdempotencyKey :exec
update idempotency_keys set status = @status::integer, content_type = @content_type::text, body = @body::bytea
where account_id = @account_id and key = @key;

-- name: DropIdempotencyKey :exec
delete from idempotency_keys where account_id = @account_id and key = @key and status is null;

-- name: DeleteOldIdempotencyKeys :execrows
delete from idempotency_keys where claimed_at < now() - interval '24 hours';
