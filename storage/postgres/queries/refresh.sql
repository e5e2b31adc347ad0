-- name: RefreshDue :many
-- The models that refresh themselves and serve a result: whether bars of theirs
-- have moved since, or a try has failed that may be made again; and whether they
-- wait already.
select m.id, m.refresh <> '' as waits,
    ((m.failures > 0 and m.refresh <> '' and (@force::boolean or m.next_retry is null or m.next_retry <= @now::timestamptz)) or exists (
        select from jsonb_array_elements(r.members) e join assets a on a.id = e ->> 'id'
        where e ->> 'kind' = 'asset' and a.bars_version > coalesce((e ->> 'bars_version')::bigint, 0)
    ))::boolean as due
from models m join runs r on r.id = m.live_run_id join accounts o on o.id = m.account_id
where o.closed_at is null and o.plan = any(@plans::text[]) and m.auto_update and m.deleted_at is null and m.status in ('active', 'updating')
order by m.depth, m.id
for no key update of m;

-- name: LockAboveAll :many
with recursive above (id) as (
    select s.holder_id from memberships s where s.member_id = any(@member_ids::text[])
    union
    select s.holder_id from above a join memberships s on s.member_id = a.id
)
select m.id from models m where m.id in (select id from above) and m.deleted_at is null
order by m.depth, m.id
for no key update of m;

-- name: NoteUnchanged :exec
update models set last_run_at = @now, last_outcome = 'unchanged', requested_session = @session
where id = any(@ids::text[]);

-- name: NoteRequested :exec
update models set requested_session = @session where id = any(@ids::text[]);
