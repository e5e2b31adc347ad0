-- name: InsertAccount :exec
insert into accounts (id, name, email, plan, role, grant_cents, created_at)
values ($1, $2, $3, $4, $5, $6, $7);

-- name: Account :one
select * from accounts where id = $1;

-- name: AccountByName :one
select * from accounts where name = $1 and closed_at is null;

-- name: SetPlan :execrows
update accounts set plan = @plan where id = @id and closed_at is null;

-- name: PlanOf :one
select plan from accounts where id = @id and closed_at is null for update;

-- name: RoleOf :one
select role from accounts where id = @id and closed_at is null for update;

-- name: SetRole :exec
update accounts set role = @role where id = @id;

-- name: CloseAccount :execrows
update accounts set closed_at = coalesce(closed_at, @now::timestamptz) where id = @id;

-- name: RevokeKeys :exec
update keys set revoked_at = coalesce(revoked_at, @now::timestamptz) where account_id = @account_id;

-- name: LockModelsOf :exec
-- Members before their holders, the usual order of locks.
select id from programs where account_id = @account_id order by depth, id for update;

-- name: FailRunsOf :many
update runs set status = 'failed', failure = @failure, progress_step = 'done', finished_at = @now
where account_id = @account_id and status in ('queued', 'running')
returning id;

-- name: FailBuildsOf :exec
update builds set status = 'failed', failure = @failure, finished_at = @now
where account_id = @account_id and status in ('queued', 'running');

-- name: UnshareRunsOf :exec
update runs set shared = false where account_id = @account_id and shared;

-- name: TrashModelsOf :exec
with unlisted as (
    update figures f set live = false where f.account_id = @account_id and f.live
)
update programs set deleted_at = @now::timestamptz, purge_at = @purge_at::timestamptz, is_public = false,
    auto_update = false, refresh = '', failures = 0, next_retry = null, updated_at = @now::timestamptz,
    status = case when live_run_id is null then 'failed' else 'active' end
where programs.account_id = @account_id and deleted_at is null;

-- name: Accounts :many
select * from accounts order by created_at desc, id desc;

-- name: CountCollections :one
select
    (select count(*) from programs m where m.account_id = @account_id and m.kind = 'model' and m.deleted_at is null) as models,
    (select count(*) from programs m where m.account_id = @account_id and m.kind = 'simulation' and m.deleted_at is null) as simulations,
    (select count(*) from programs m where m.account_id = @account_id and m.kind = 'analysis' and m.deleted_at is null) as analyses,
    (select count(*) from runs r join programs m on m.id = r.program_id
        where r.account_id = @account_id and m.deleted_at is null) as runs,
    (select count(*) from backfills b where b.account_id = @account_id and b.deleted_at is null) as backfills,
    (select count(*) from optimizers o where o.account_id = @account_id and o.deleted_at is null) as optimizers,
    (select count(*) from webhooks w where w.account_id = @account_id) as webhooks,
    (select count(*) from shares s where s.account_id = @account_id) as shares,
    (select count(*) from programs m where m.account_id = @account_id and m.deleted_at is not null and m.purge_at > @now::timestamptz) as trash;
