-- name: BarAssetsAfter :many
select id, symbol, bar_rows from assets
where bar_rows > 0 and symbol > @symbol::text
    and (cardinality(@symbols::text[]) = 0 or symbol = any(@symbols::text[]))
order by symbol limit @most;

-- name: CountBarRows :one
select coalesce(sum(bar_rows), 0)::bigint from assets
where cardinality(@symbols::text[]) = 0 or symbol = any(@symbols::text[]);

-- name: RunsAfter :many
select sqlc.embed(r), m.name as program_name, b.inputs_schema, m.live_run_id is not distinct from r.id as live
from runs r join programs m on m.id = r.program_id join builds b on b.id = r.build_id
where r.account_id = @account_id and m.deleted_at is null
    and (cardinality(@program_ids::text[]) = 0 or r.program_id = any(@program_ids::text[]))
    and (@status::text = '' or r.status = @status::text)
    and (@source::text = '' or r.source = @source::text)
    and (not @updates_only::boolean or r.source in ('refresh', 'cascade'))
    and (@id::text = '' or (r.created_at, r.id) < (@created_at::timestamptz, @id::text))
order by r.created_at desc, r.id desc
limit @most;

-- name: LiveRunsAfter :many
select m.id, m.live_run_id::text as run_id, m.symbol, m.name from programs m
where m.account_id = @account_id and m.kind = 'model' and m.deleted_at is null and m.live_run_id is not null and m.id > @id::text
order by m.id limit @most;
