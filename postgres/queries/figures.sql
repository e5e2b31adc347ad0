-- name: RunsWithoutFigures :many
-- Complete runs of models whose figures are missing or were computed by other
-- formulas, by id.
select r.id from runs r join models m on m.id = r.program_id
where r.status = 'complete' and r.id > @after::text
    and not exists (select from figures f where f.run_id = r.id and f.version = @version)
order by r.id limit @most;

-- name: RunsWithFigures :many
-- Complete runs of models with figures of the given formulas, by id.
select f.run_id from figures f join runs r on r.id = f.run_id
where r.status = 'complete' and f.run_id > @after::text and f.version = @version
order by f.run_id limit @most;

-- name: FigureFaults :many
-- Rows that contradict their run or model, and served runs without a row.
select f.run_id::text as run_id, 'has figures but is not complete'::text as message, true as stray
from figures f join runs r on r.id = f.run_id where r.status <> 'complete'
union all
select f.run_id, case
        when f.program_id <> r.program_id or f.account_id <> p.account_id or f.created_at <> p.created_at then 'has figures with another model, account or time'
        when f.live then 'has figures that are marked as served, but its model does not serve it'
        else 'is served, but its figures are not marked as served'
    end, false
from figures f join runs r on r.id = f.run_id join programs p on p.id = r.program_id
where r.status = 'complete' and (f.program_id <> r.program_id or f.account_id <> p.account_id or f.created_at <> p.created_at
    or f.live <> (p.live_run_id is not distinct from r.id and p.deleted_at is null))
union all
select r.id, 'is served, but has no row in the table of figures, so lists leave its model out of sorts and filters', false
from models m join programs p on p.id = m.id join runs r on r.id = p.live_run_id
where r.status = 'complete' and not exists (select from figures f where f.run_id = r.id)
order by 1, 2;

-- name: DropStrayFigures :exec
delete from figures f using runs r where r.id = f.run_id and r.status <> 'complete';
