-- name: InsertBuild :exec
insert into builds (id, account_id, program_id, kind, status, script, script_hash, inputs_schema, prompt,
    generator, validation, entries, failure, usage, created_at, finished_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- name: Build :one
select b.* from builds b join programs m on m.id = b.program_id where b.id = $1 and m.deleted_at is null;

-- name: BuildsByID :many
select * from builds where id = any(@ids::text[]);

-- name: Builds :many
select id, account_id, program_id, kind, status, script_hash, inputs_schema, prompt, generator, validation,
    failure, usage, causality, created_at, finished_at
from builds where program_id = @program_id
order by created_at desc, id desc
limit @most offset @skip;

-- name: CountBuilds :one
select count(*) from builds where program_id = $1;

-- name: EndBuild :exec
update builds set status = @status, failure = @failure, usage = @usage,
    causality = coalesce(@causality, causality), finished_at = @now
where id = @id and status in ('queued', 'running');

-- name: KeepScript :one
-- Stores the script that was generated for a build, unless it has one.
update builds set script = @script, script_hash = @script_hash, inputs_schema = @inputs_schema,
    validation = @validation, entries = @entries, generator = @generator, usage = @usage
where id = @id and script = '' and status in ('queued', 'running')
returning program_id;

-- name: KeepEntries :exec
update builds set entries = @entries where id = @id and entries is null;

-- name: SetRunScript :exec
update runs set inputs = @inputs, script_hash = @script_hash
where build_id = @build_id and status in ('queued', 'running');
