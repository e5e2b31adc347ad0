-- name: RenewWorker :exec
insert into workers (id, renewed_at) values (@id, now())
on conflict (id) do update set renewed_at = excluded.renewed_at;

-- name: DeleteDeadWorkers :exec
delete from workers where renewed_at < now() - make_interval(secs => @seconds::float8);
