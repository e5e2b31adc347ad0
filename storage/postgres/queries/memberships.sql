-- name: DeleteMemberships :exec
delete from memberships where holder_id = $1;

-- name: InsertMemberships :exec
insert into memberships (holder_id, member_id)
select distinct @holder_id::text, unnest(@member_ids::text[]);

-- name: Holders :many
select s.member_id, m.id, m.name, m.symbol
from memberships s join models m on m.id = s.holder_id
where s.member_id = any(@member_ids::text[])
order by m.created_at, m.id;

-- name: LockIdleHolders :many
-- Those with a run in flight read the new result, or are superseded.
select m.id, m.account_id, m.live_run_id
from models m
where m.id in (select holder_id from memberships where member_id = @member_id)
    and m.live_run_id is not null
    and not exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running'))
order by m.depth, m.id
for no key update;
