-- name: InsertBackfill :exec
insert into backfills (id, account_id, asset_id, version, created_at, updated_at)
values (@id, @account_id, @asset_id, @version, @created_at, @created_at);

-- name: InsertBackfillVersion :exec
insert into backfill_versions (backfill_id, version, sources, spliced, created_at)
values (@backfill_id, @version, @sources, @spliced, @created_at);

-- name: LockBackfill :one
select * from backfills where id = @id and account_id = @account_id and deleted_at is null for update;

-- name: ReviseBackfill :exec
update backfills set version = @version, updated_at = @now where id = @id;

-- name: DeleteBackfill :exec
update backfills set deleted_at = @now::timestamptz where id = @id;

-- name: Backfills :many
select b.id, b.account_id, b.asset_id, a.symbol, v.version, v.sources, v.spliced, b.created_at, v.created_at as updated_at
from backfills b join backfill_versions v on v.backfill_id = b.id and v.version = b.version join assets a on a.id = b.asset_id
where b.account_id = @account_id and b.deleted_at is null
order by b.created_at desc, b.id desc
limit @most offset @skip;

-- name: CountBackfills :one
select count(*) from backfills where account_id = @account_id and deleted_at is null;

-- name: BackfillsOf :many
select b.id, b.account_id, b.asset_id, a.symbol, v.version, v.sources, v.spliced, b.created_at, v.created_at as updated_at
from backfills b join backfill_versions v on v.backfill_id = b.id and v.version = b.version join assets a on a.id = b.asset_id
where b.account_id = @account_id and b.deleted_at is null and b.asset_id = any((select @asset_ids::text[])::text[]);

-- name: BackfillsInForce :many
-- The version of each asset's backfill that is in force for an account.
select id, asset_id, version from backfills
where account_id = @account_id and deleted_at is null and asset_id = any(@asset_ids::text[]);

-- name: BackfillVersion :one
-- Any version, including those of deleted backfills.
select b.id, b.account_id, b.asset_id, a.symbol, v.version, v.sources, v.spliced, b.created_at, v.created_at as updated_at
from backfill_versions v join backfills b on b.id = v.backfill_id join assets a on a.id = b.asset_id
where v.backfill_id = @id and v.version = @version;

-- name: LockBackfills :exec
-- No other backfill of the account changes until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('backfills of ' || @account_id::text, 0));

-- name: LockAccountModels :many
-- Members before their holders. A run that is being published finishes first; a later
-- one sees what this transaction has written.
select id from programs where account_id = @account_id and deleted_at is null order by depth, id for no key update;

-- name: BackfillHolders :many
-- The models that refresh automatically and whose live run holds an asset.
select m.id
from programs m join runs r on r.id = m.live_run_id
where m.account_id = @account_id and m.auto_update and m.deleted_at is null and m.status in ('active', 'updating')
    and r.members @> jsonb_build_array(jsonb_build_object('kind', 'asset', 'id', @asset_id::text))
order by m.depth, m.id;

-- name: MembersBelow :many
-- The members of the live runs of the given models and of all models below them.
with recursive below (id) as (
    select unnest(@ids::text[])
    union
    select s.member_id from memberships s join below b on s.holder_id = b.id
)
select m.id as holder_id, (e ->> 'id')::text as member_id, (e ->> 'symbol')::text as symbol
from below b join programs m on m.id = b.id join runs r on r.id = m.live_run_id, jsonb_array_elements(r.members) e
where m.account_id = @account_id and m.deleted_at is null;

-- name: BackfillsReadingModel :many
select b.id, a.symbol
from backfills b join backfill_versions v on v.backfill_id = b.id and v.version = b.version join assets a on a.id = b.asset_id
where b.account_id = @account_id and b.deleted_at is null
    and v.sources @> jsonb_build_array(jsonb_build_object('kind', 'model', 'id', @model_id::text))
order by a.symbol;

-- name: BackfillsReadingRun :many
select b.id, a.symbol
from backfills b join backfill_versions v on v.backfill_id = b.id and v.version = b.version join assets a on a.id = b.asset_id
where b.account_id = @account_id and b.deleted_at is null
    and v.sources @> jsonb_build_array(jsonb_build_object('kind', 'model', 'run_id', @run_id::text))
order by a.symbol;

-- name: BarsVersions :many
select id, bars_version from assets where id = any((select @ids::text[])::text[]);
