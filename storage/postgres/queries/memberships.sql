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

-- name: LockHolders :many
select m.id from models m
where m.id in (select s.holder_id from memberships s where s.member_id = @member_id)
order by m.depth, m.id
for no key update;

-- name: IdleModels :many
-- Those without a run in flight. A statement sees what was there when it began:
-- this one begins with the models locked.
select m.id, m.live_run_id from models m
where m.id = any(@ids::text[]) and m.live_run_id is not null
    and not exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running'))
order by m.depth, m.id;

-- name: MembershipsBelow :many
-- The graph from some models down, an edge a row.
with recursive below (id) as (
    select unnest(@ids::text[])
    union
    select s.member_id from memberships s join below b on s.holder_id = b.id
)
select s.holder_id, s.member_id, m.name from memberships s
join below b on b.id = s.holder_id join models m on m.id = s.member_id;
