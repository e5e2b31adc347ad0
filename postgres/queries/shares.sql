-- name: LockSharesOf :exec
-- No other share of the account is added until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('shares of ' || @account_id::text, 0));

-- name: CountShares :one
select count(*) from shares where account_id = @account_id
    and (@program_id::text = '' or program_id = @program_id) and (@run_id::text = '' or run_id = @run_id);

-- name: Shares :many
-- Newest first.
select sqlc.embed(s), p.name as program_name, p.kind from shares s join programs p on p.id = s.program_id
where s.account_id = @account_id and (@program_id::text = '' or s.program_id = @program_id) and (@run_id::text = '' or s.run_id = @run_id)
order by s.created_at desc, s.id desc
limit @most offset @skip;

-- name: Share :one
select sqlc.embed(s), p.name as program_name, p.kind, (p.deleted_at is not null)::boolean as trashed
from shares s join programs p on p.id = s.program_id
where s.id = @id and s.account_id = @account_id;

-- name: LockShare :one
select * from shares where id = @id and account_id = @account_id for no key update;

-- name: OpenShare :one
-- By the hash of its token, if it may be viewed now.
select sqlc.embed(s), p.name as program_name, p.kind from shares s join programs p on p.id = s.program_id join accounts a on a.id = s.account_id
where s.hash = @hash and not s.paused and (s.expires_at is null or s.expires_at > @now::timestamptz)
    and p.deleted_at is null and a.closed_at is null;

-- name: InsertShare :exec
insert into shares (id, account_id, program_id, run_id, name, hash, panels, show_script, show_amounts, paused, expires_at, created_at, updated_at)
values (@id, @account_id, @program_id, sqlc.narg(run_id), @name, @hash, @panels::text[], @show_script, @show_amounts, @paused, sqlc.narg(expires_at), @now, @now);

-- name: UpdateShare :exec
update shares set name = @name, panels = @panels::text[], show_script = @show_script, show_amounts = @show_amounts,
    paused = @paused, expires_at = sqlc.narg(expires_at), updated_at = @now
where id = @id;

-- name: DeleteShare :execrows
delete from shares where id = @id and account_id = @account_id;

-- name: PauseSharesOf :exec
-- The shares of a program, when it goes to the Trash. In the order of ids, as CountViews.
update shares set paused = true where id in (
    select s.id from shares s where s.program_id = @program_id and not s.paused order by s.id for no key update
);

-- name: PauseSharesOfAccount :exec
update shares set paused = true where id in (
    select s.id from shares s where s.account_id = @account_id and not s.paused order by s.id for no key update
);

-- name: CountViews :exec
-- In the order of ids, so that two processes do not wait for each other.
with counted as (
    select unnest(@ids::text[]) as id, unnest(@views::bigint[]) as views
), locked as (
    select s.id from shares s where s.id in (select id from counted) order by s.id for no key update
)
update shares s set views = s.views + c.views, last_viewed_at = greatest(s.last_viewed_at, @now::timestamptz)
from counted c join locked l on l.id = c.id where s.id = c.id;
