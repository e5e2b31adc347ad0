-- name: AddNotice :many
-- A notice of the run that a model now serves, if its owner wants mails and has an
-- address.
insert into letters (run_id, account_id, model_id, former_run_id, status, created_at)
select @run_id, m.account_id, m.id, @former_run_id, 'pending', @now
from whole_programs m join accounts a on a.id = m.account_id
where m.id = @model_id and m.notify_email and a.email <> ''
on conflict (run_id) do nothing
returning run_id;

-- name: Notice :one
select sqlc.embed(l), a.email, m.name, m.symbol, m.slug, (m.notify_email and m.deleted_at is null)::boolean as wanted
from letters l join whole_programs m on m.id = l.model_id join accounts a on a.id = l.account_id
where l.run_id = $1 and l.status = 'pending';

-- name: EndNotice :exec
update letters set status = @status, last_error = @last_error, attempts = attempts + 1, ended_at = @now
where run_id = @run_id and status = 'pending';

-- name: RetryNotice :exec
update letters set last_error = @last_error, attempts = attempts + 1 where run_id = @run_id and status = 'pending';

-- name: Notified :exec
update models m set last_notified_at = greatest(m.last_notified_at, @now::timestamptz)
from letters l where l.run_id = @run_id and m.id = l.model_id;

-- name: DeleteOldNotices :exec
delete from letters where created_at < @before;
