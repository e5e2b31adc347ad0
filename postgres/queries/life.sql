-- name: LifeFaults :many
-- Violations of the invariants of models, builds and runs. A sound database has none at
-- any moment.
select f.id::text as id, f.message::text as message from (
    select m.id, 'serves a run that does not exist, belongs to another model, does not publish or is not complete' as message
    from programs m left join runs r on r.id = m.live_run_id
    where m.live_run_id is not null and (r.id is null or r.program_id <> m.id or r.status <> 'complete' or not r.publishes)
    union all
    select m.id, 'serves a build other than the one of its current revision'
    from whole_programs m left join revisions v on v.id = m.approved_revision_id
    where m.kind = 'model' and m.live_run_id is not null and (v.id is null or v.build_id <> m.build_id or v.model_id <> m.id or v.applied_at is null)
    union all
    select m.id, 'serves a run of a build other than its own'
    from programs m join runs r on r.id = m.live_run_id where r.build_id <> m.build_id
    union all
    select m.id, 'is ' || m.status || ' without a result, but ' || case when w.some then 'a run is' else 'no run is' end || ' in progress'
    from programs m, lateral (
        select exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running')) as some
    ) w
    where m.live_run_id is null and m.deleted_at is null and m.status <> case when w.some then 'building' else 'failed' end
    union all
    select m.id, 'is ' || m.status || ' with a result' from programs m
    where m.live_run_id is not null and m.deleted_at is null and m.status not in ('active', 'updating', 'paused')
    union all
    select m.id, case m.status when 'updating' then 'is updating, but no default run is in progress' else 'is ' || m.status || ', but a default run is in progress' end from programs m
    where m.deleted_at is null and (m.status = 'updating') <> exists (
        select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running') and r.source not in ('create', 'rebuild', 'apply'))
    union all
    select r.program_id, 'has more than one ' || case when r.source in ('create', 'rebuild', 'promote', 'apply') then 'build' else 'default run' end || ' in progress'
    from runs r where r.publishes and r.status in ('queued', 'running')
    group by r.program_id, r.source in ('create', 'rebuild', 'promote', 'apply'),
        case when r.source in ('create', 'rebuild', 'promote', 'apply') then 'build' else 'default run' end
    having count(*) > 1
    union all
    select m.id, 'waits to be refreshed, but no run in progress would wake it' from programs m
    where m.deleted_at is null and m.refresh <> '' and m.failures = 0 and m.live_run_id is not null and m.status <> 'paused'
        and not exists (select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running'))
        and not exists (
            select from memberships s join programs o on o.id = s.member_id
            where s.holder_id = m.id and (o.refresh <> '' and o.failures = 0 or exists (
                select from runs r where r.program_id = o.id and r.publishes and r.status in ('queued', 'running'))))
    union all
    select m.id, 'is in the Trash, but ' || h.id || ', which is not, holds it'
    from memberships s join programs h on h.id = s.holder_id join programs m on m.id = s.member_id
    where h.deleted_at is null and m.deleted_at is not null and h.kind = 'model'
    union all
    select m.id, 'is in the Trash, but is shared, updates automatically or waits to be refreshed' from programs m
    where m.deleted_at is not null and (m.is_public or m.auto_update or m.refresh <> '')
    union all
    select r.id, 'belongs to a model in the Trash, but is shared or in progress' from runs r join programs m on m.id = r.program_id
    where m.deleted_at is not null and (r.shared or r.status in ('queued', 'running'))
    union all
    select m.id, 'does not hold ' || (e.value ->> 'id') || ', but its live run was computed from it'
    from programs m join runs r on r.id = m.live_run_id cross join jsonb_array_elements(r.members) e
    where exists (select from programs p where p.id = e.value ->> 'id')
        and not exists (select from memberships s where s.holder_id = m.id and s.member_id = e.value ->> 'id')
    union all
    select s.holder_id, 'holds ' || s.member_id || ', but its live run was not computed from the recorded run of it'
    from memberships s join programs m on m.id = s.holder_id left join runs r on r.id = m.live_run_id
    where not coalesce(r.members @> jsonb_build_array(jsonb_build_object('id', s.member_id, 'run_id', s.run_id)), false)
    union all
    select m.id, 'serves a result computed from run ' || (e.value ->> 'run_id') || ', which no longer exists'
    from programs m join runs r on r.id = m.live_run_id cross join jsonb_array_elements(r.members) e
    where exists (select from programs p where p.id = e.value ->> 'id') and not exists (select from runs p where p.id = e.value ->> 'run_id')
    union all
    select b.id, 'is ' || b.status || ', but none of its runs is in progress' from builds b
    where b.status in ('queued', 'running') and not exists (select from runs r where r.build_id = b.id and r.status in ('queued', 'running'))
    union all
    select v.id, 'has a build that is ' || b.status || ', but its run is ' || r.status
    from revisions v join builds b on b.id = v.build_id join runs r on r.id = v.run_id
    where v.request_key is not null and b.status <> r.status
) f
order by f.id, f.message limit 1000;
