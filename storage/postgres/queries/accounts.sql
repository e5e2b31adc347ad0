-- name: InsertAccount :exec
insert into accounts (id, name, email, plan, role, grant_cents, created_at)
values ($1, $2, $3, $4, $5, $6, $7);

-- name: Account :one
select * from accounts where id = $1;

-- name: AccountByName :one
select * from accounts where name = $1;

-- name: Accounts :many
select * from accounts order by created_at desc, id desc;

-- name: CountCollections :one
select
    (select count(*) from models m where m.account_id = @account_id and m.deleted_at is null) as models,
    (select count(*) from runs r join models m on m.id = r.program_id
        where r.account_id = @account_id and m.deleted_at is null) as runs,
    (select count(*) from models m where m.account_id = @account_id and m.deleted_at is not null and m.purge_at > @now::timestamptz) as trash;
