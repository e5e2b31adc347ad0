-- name: InsertModel :exec
insert into models (id, account_id, name, symbol, slug, status, warning, depth, auto_update, notify_email,
    is_public, is_favorite, labels, labels_lower, description, prompt, failure, build_id, live_run_id, start_date,
    start_rule, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23);

-- name: ModelID :one
-- The owner names a model by id, slug, symbol or exact name, in that order;
-- anybody names a public one by its slug.
select f.id from (
    select m.id, m.created_at,
        case when m.id = @ref::text then 1 when m.slug = @ref then 2 when m.symbol = @ref then 3 else 4 end as rank
    from models m
    where m.account_id = @account_id and (m.id = @ref or m.slug = @ref or m.symbol = @ref or m.name = @ref)
    union all
    select m.id, m.created_at, 5 from models m where m.slug = @ref and m.is_public
) f
order by f.rank, f.created_at, f.id limit 1;

-- name: Model :one
select * from models where id = $1;

-- name: Models :many
select * from models
where account_id = @account_id
    and (@status::text = '' or status = @status::text)
    and (sqlc.narg(favorite)::boolean is null or coalesce(is_favorite, false) = sqlc.narg(favorite)::boolean)
    and (cardinality(@labels::text[]) = 0 or labels_lower && @labels::text[])
order by created_at desc, id desc
limit @most offset @skip;

-- name: CountModels :one
select count(*) from models
where account_id = @account_id
    and (@status::text = '' or status = @status::text)
    and (sqlc.narg(favorite)::boolean is null or coalesce(is_favorite, false) = sqlc.narg(favorite)::boolean)
    and (cardinality(@labels::text[]) = 0 or labels_lower && @labels::text[]);

-- name: ModelsByKey :many
select * from models
where account_id = @account_id
    and (id = any(@keys::text[]) or symbol = any(@keys::text[]) or name = any(@keys::text[]))
order by created_at, id;

-- name: SymbolsInUse :many
select symbol from models where account_id = @account_id and symbol = any(@symbols::text[]);

-- name: LockModel :one
select * from models where id = $1 for no key update;

-- name: LockMembers :many
-- Members before what holds them, so that publications never wait in a circle.
select id, live_run_id from models where id = any(@ids::text[]) order by depth, id for share;

-- name: SetModelUpdating :exec
update models set status = 'updating', updated_at = @now where id = any(@ids::text[]);

-- name: ServeRun :exec
update models set status = 'active', warning = '', failure = null, depth = @depth, build_id = @build_id,
    live_run_id = @live_run_id, updated_at = @now
where id = @id;

-- name: EndModelWork :exec
update models set status = @status, warning = @warning, failure = @failure, updated_at = @now where id = @id;
