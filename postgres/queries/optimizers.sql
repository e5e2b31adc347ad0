-- name: LockOptimizersOf :exec
-- No other optimizer of the account changes until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('optimizers of ' || @account_id::text, 0));

-- name: CountOptimizers :one
select count(*) from optimizers where account_id = @account_id and deleted_at is null;

-- name: Optimizers :many
-- By name, in their current versions.
select o.id, o.account_id, o.name, v.version, v.definition, o.created_at, v.created_at as updated_at
from optimizers o join optimizer_versions v on v.optimizer_id = o.id and v.version = o.version
where o.account_id = @account_id and o.deleted_at is null
order by upper(o.name), o.id
limit @most offset @skip;

-- name: OptimizersByName :many
-- By upper-case name, in their current versions.
select o.id, o.account_id, o.name, v.version, v.definition, o.created_at, v.created_at as updated_at
from optimizers o join optimizer_versions v on v.optimizer_id = o.id and v.version = o.version
where o.account_id = @account_id and o.deleted_at is null and upper(o.name) = any(@names::text[]);

-- name: OptimizerByID :one
select o.id, o.account_id, o.name, v.version, v.definition, o.created_at, v.created_at as updated_at
from optimizers o join optimizer_versions v on v.optimizer_id = o.id and v.version = o.version
where o.account_id = @account_id and o.deleted_at is null and o.id = @id;

-- name: OptimizerVersions :many
-- Newest first.
select o.id, o.account_id, o.name, v.version, v.definition, o.created_at, v.created_at as updated_at
from optimizers o join optimizer_versions v on v.optimizer_id = o.id
where o.id = @id
order by v.version desc
limit @most offset @skip;

-- name: OptimizerVersion :one
-- Any version, of a deleted optimizer too.
select o.id, o.account_id, o.name, v.version, v.definition, o.created_at, v.created_at as updated_at
from optimizers o join optimizer_versions v on v.optimizer_id = o.id
where o.id = @id and v.version = @version;

-- name: OptimizerNames :many
select name from optimizers where account_id = @account_id and deleted_at is null order by upper(name);

-- name: InsertOptimizer :exec
insert into optimizers (id, account_id, name, version, bytes, created_at, updated_at)
values (@id, @account_id, @name, 1, 0, @now, @now);

-- name: InsertOptimizerVersion :exec
insert into optimizer_versions (optimizer_id, version, definition, created_at) values (@optimizer_id, @version, @definition, @created_at);

-- name: ReviseOptimizer :exec
update optimizers o set name = @name, version = @version, updated_at = @now, bytes = (
    select coalesce(sum(octet_length(v.definition::text)), 0) from optimizer_versions v where v.optimizer_id = o.id
)::bigint where o.id = @id;

-- name: DeleteOptimizer :exec
update optimizers set deleted_at = @now::timestamptz where id = @id;

-- name: OptimizerUsers :many
-- The programs whose served script, or a script that is being built, names an optimizer.
select distinct p.id, p.name, p.symbol
from programs p join builds b on b.program_id = p.id
where p.account_id = @account_id and p.deleted_at is null
    and exists (select from json_array_elements_text(b.validation -> 'optimizers') n where upper(n.value) = upper(@name::text))
    and (b.id = p.build_id or b.status in ('queued', 'running'))
order by p.name, p.id
limit @most;

-- name: OptimizerHolders :many
-- The programs that refresh automatically and whose live run has used an optimizer.
select m.id
from programs m join runs r on r.id = m.live_run_id
where m.account_id = @account_id and m.auto_update and m.deleted_at is null and m.status in ('active', 'updating')
    and r.summary -> 'optimizers' @> jsonb_build_array(jsonb_build_object('id', @optimizer_id::text))
order by m.depth, m.id;

-- name: OptimizersInForce :many
-- The current versions of some optimizers that are not deleted.
select id, version from optimizers where id = any(@ids::text[]) and deleted_at is null;
