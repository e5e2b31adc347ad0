-- name: Draft :one
select * from drafts where model_id = $1;

-- name: SaveDraft :exec
insert into drafts (model_id, account_id, version, base_hash, script, prompt, updated_at)
values (@model_id, @account_id, @version, @base_hash, @script, @prompt, @updated_at)
on conflict (model_id) do update set version = excluded.version, base_hash = excluded.base_hash,
    script = excluded.script, prompt = excluded.prompt, updated_at = excluded.updated_at;

-- name: EmptyDraft :exec
-- A draft that became the served strategy has no edits left.
update drafts set version = version + 1, base_hash = @base_hash, script = null, prompt = null, updated_at = @now
where model_id = @model_id and version = @version;

-- name: Strategy :one
-- What a model serves. No row if it serves nothing.
select b.script_hash, b.script, m.prompt from programs m join builds b on b.id = m.build_id
where m.id = $1 and m.live_run_id is not null and m.deleted_at is null;
