-- name: RefreshDue :many
-- The models that refresh automatically and serve a result: whether their bars,
-- backfills or series have changed since, or a failed refresh may be retried, and
-- whether they wait already.
select m.id, m.refresh <> '' as waits,
    ((m.failures > 0 and m.refresh <> '' and (@force::boolean or m.next_retry is null or m.next_retry <= @now::timestamptz)) or exists (
        select from jsonb_array_elements(r.members) e join assets a on a.id = e ->> 'id'
        left join backfills b on b.account_id = m.account_id and b.asset_id = a.id and b.deleted_at is null
        where e ->> 'kind' = 'asset' and (
            a.bars_version > coalesce((e ->> 'bars_version')::bigint, 0)
            or b.id is distinct from e -> 'backfill' ->> 'id' or b.version is distinct from (e -> 'backfill' ->> 'version')::integer
            or exists (
                select from jsonb_array_elements(e -> 'backfill' -> 'bars') p join assets x on x.id = p ->> 'id'
                where x.bars_version > (p ->> 'bars_version')::bigint
            )
        )
    ) or exists (
        select from series_reads x join series s on s.id = x.series_id
        where x.run_id = r.id and case when s.deleted_at is null then s.version > x.version else exists (
            select from series n where n.deleted_at is null and upper(n.name) = upper(s.name) and n.account_id is not distinct from s.account_id
        ) end
    ))::boolean as due
from programs m join runs r on r.id = m.live_run_id join accounts o on o.id = m.account_id
where o.closed_at is null and o.plan = any(@plans::text[]) and m.auto_update and m.deleted_at is null and m.status in ('active', 'updating')
order by m.depth, m.id
for no key update of m;

-- name: LockAboveAll :many
with recursive above (id) as (
    select s.holder_id from memberships s where s.member_id = any(@member_ids::text[])
    union
    select s.holder_id from above a join memberships s on s.member_id = a.id
)
select m.id from programs m where m.id in (select id from above) and m.deleted_at is null
order by m.depth, m.id
for no key update of m;

-- name: NoteUnchanged :exec
update programs set last_run_at = @now, last_outcome = 'unchanged', requested_session = @session
where id = any(@ids::text[]);

-- name: NoteRequested :exec
update programs set requested_session = @session where id = any(@ids::text[]);
