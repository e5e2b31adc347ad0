-- name: InsertSession :one
insert into sessions (id, account_id, key_id, issuer, subject, hash, idle_seconds, created_at, seen_at, expires_at, ends_at)
values (@id, @account_id, sqlc.narg(key_id), sqlc.narg(issuer), sqlc.narg(subject), @hash, @idle_seconds, now(), now(),
    now() + make_interval(secs => least(@idle_seconds::integer, @most_seconds::integer)), now() + make_interval(secs => @most_seconds::integer))
returning ends_at;

-- name: SessionIdentity :one
select s.id as session_id, s.key_id, a.id as account_id, a.name as account_name, a.email as account_email, a.plan, a.role,
    exists (select from backfills b where b.account_id = a.id and b.deleted_at is null)::boolean as backfills,
    k.scopes, k.daily_cap_cents, i.name as person_name, i.email as person_email, s.ends_at,
    (s.seen_at not between now() - interval '1 minute' and now())::boolean as stale
from sessions s
    join accounts a on a.id = s.account_id
    left join keys k on k.id = s.key_id
    left join identities i on i.issuer = s.issuer and i.subject = s.subject
where s.hash = $1 and s.expires_at > now() and a.closed_at is null and k.revoked_at is null;

-- name: RenewSession :exec
update sessions set seen_at = now(), expires_at = least(ends_at, now() + make_interval(secs => idle_seconds)) where id = $1;

-- name: DeleteSession :many
delete from sessions where hash = $1 returning id, account_id;

-- name: DeleteSessionsOf :exec
delete from sessions where account_id = $1;

-- name: DeleteOldSessions :exec
delete from sessions where expires_at < now();

-- name: InsertSignin :exec
insert into signins (state, browser, return_to, created_at) values (@state, @browser, @return_to, now());

-- name: TakeSignin :one
delete from signins where state = @state
returning browser, return_to, (created_at between now() - interval '10 minutes' and now() + interval '1 minute')::boolean as fresh;

-- name: DeleteOldSignins :exec
delete from signins where created_at < now() - interval '10 minutes';

-- name: LockIdentity :exec
select pg_advisory_xact_lock(hashtextextended(@issuer::text || ' ' || @subject::text, 17));

-- name: IdentityOf :one
select i.account_id, (a.closed_at is not null)::boolean as closed from identities i join accounts a on a.id = i.account_id
where i.issuer = @issuer and i.subject = @subject;

-- name: AccountsByEmail :many
select id from accounts where lower(email) = lower(@email::text) and closed_at is null limit 2;

-- name: PutIdentity :exec
insert into identities (issuer, subject, account_id, email, name, created_at, seen_at)
values (@issuer, @subject, @account_id, @email, @name, now(), now())
on conflict (issuer, subject) do update
set account_id = excluded.account_id, email = excluded.email, name = excluded.name, seen_at = excluded.seen_at;
