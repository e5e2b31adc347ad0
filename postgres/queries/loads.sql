-- name: BeginLoad :one
-- No row if another holder has the lease or it is too early.
insert into loads as l (asset_id, holder, lease_until)
values (@asset_id, @holder, now() + make_interval(secs => @lease::float8))
on conflict (asset_id) do update set holder = excluded.holder, lease_until = excluded.lease_until
where (l.lease_until is null or l.lease_until <= now()) and (@force::boolean or l.ask_after is null or l.ask_after <= now())
returning l.provider, l.outcome, l.message, l.quiet,
    coalesce(extract(epoch from now() - l.whole_at), 0)::float8 as whole_age;

-- name: LoadState :one
select provider, outcome, message, quiet,
    (lease_until is not null and lease_until > now())::boolean as leased,
    coalesce(greatest(extract(epoch from ask_after - now()), 0), 0)::float8 as ask_in,
    coalesce(extract(epoch from now() - whole_at), 0)::float8 as whole_age
from loads where asset_id = @asset_id;

-- name: RenewLoad :execrows
update loads set lease_until = now() + make_interval(secs => @lease::float8)
where asset_id = @asset_id and holder = @holder;

-- name: EndLoad :exec
update loads set holder = '', lease_until = null, provider = @provider, outcome = @outcome, message = @message, quiet = @quiet,
    whole_at = case when @whole::boolean then now() else whole_at end, ended_at = now(),
    ask_after = now() + make_interval(secs => @wait::float8)
where asset_id = @asset_id and holder = @holder;

-- name: ForgetUnknown :exec
update loads set ask_after = null where outcome = 'unknown' and ask_after > now();

-- name: HeldAssets :many
-- The assets held by models that refresh automatically.
select distinct a.id, a.symbol, a.type, a.seven_day, a.delisted, a.last_price_date
from programs m join runs r on r.id = m.live_run_id, jsonb_array_elements(r.members) e join assets a on a.id = e ->> 'id'
where m.auto_update and m.deleted_at is null and m.status in ('active', 'updating') and e ->> 'kind' = 'asset'
order by a.symbol;

-- name: HoldersDue :many
-- The models that refresh automatically, serve a result, and hold the asset, or an
-- asset whose backfill uses it, if its bars have changed since that result.
select m.id
from programs m join runs r on r.id = m.live_run_id
where m.auto_update and m.deleted_at is null and m.status in ('active', 'updating') and exists (
    select from jsonb_array_elements(r.members) e, assets a
    where a.id = @asset_id::text and e ->> 'kind' = 'asset' and (
        e ->> 'id' = a.id and a.bars_version > coalesce((e ->> 'bars_version')::bigint, 0)
        or exists (
            select from jsonb_array_elements(e -> 'backfill' -> 'bars') p
            where p ->> 'id' = a.id and a.bars_version > (p ->> 'bars_version')::bigint
        )
    )
)
order by m.depth, m.id
for no key update of m;
