-- name: RenewWorker :exec
insert into workers (id, renewed_at, run_slots, generation_slots) values (@id, now(), @run_slots, @generation_slots)
on conflict (id) do update set renewed_at = excluded.renewed_at;

-- name: DeleteDeadWorkers :exec
delete from workers where renewed_at < now() - make_interval(secs => @seconds::float8);
