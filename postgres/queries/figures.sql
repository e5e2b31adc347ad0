-- name: RunsWithoutFigures :many
-- Complete runs of models whose figures are missing or were computed by other
-- formulas, by id.
select r.id from runs r join models m on m.id = r.program_id
where r.status = 'complete' and r.id > @after::text
    and not exists (select from figures f where f.run_id = r.id and f.version = @version)
order by r.id limit @most;

-- name: FiguresOfRuns :many
-- As JSON objects from column to value.
select run_id, to_jsonb(f)::jsonb as figures from figures f where run_id = any(@run_ids::text[]) and version > 0;
