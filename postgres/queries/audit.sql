-- name: InsertAudit :exec
insert into audit (id, at, account_id, actor, actor_id, address, request_id, operation, targets, before, after)
values (@id, now(), @account_id, @actor, @actor_id, @address, @request_id, @operation, @targets, @before, @after);

-- name: AuditEntries :many
select * from audit
where (@anybody::boolean or account_id = @account_id)
    and (sqlc.narg(since)::timestamptz is null or at >= sqlc.narg(since))
    and (sqlc.narg(until)::timestamptz is null or at < sqlc.narg(until))
order by at desc, id desc limit @most offset @skip;

-- name: CountAuditEntries :one
select count(*) from audit
where (@anybody::boolean or account_id = @account_id)
    and (sqlc.narg(since)::timestamptz is null or at >= sqlc.narg(since))
    and (sqlc.narg(until)::timestamptz is null or at < sqlc.narg(until));

-- name: AllowAuditRetention :exec
select set_config('ballast.audit_retention', 'on', true);

-- name: DeleteOldAudit :exec
delete from audit where at < now() - make_interval(secs => @seconds::float8);
