-- name: InsertProgram :exec
insert into programs (id, kind, account_id, name, symbol, slug, status, warning, depth, auto_update,
    is_public, is_favorite, labels, labels_lower, description, prompt, failure, build_id, live_run_id,
    created_at, updated_at, own_name, own_symbol)
values (@id, @kind, @account_id, @name, @symbol, @slug, @status, @warning, @depth, @auto_update,
    @is_public, @is_favorite, @labels, @labels_lower, @description, @prompt, @failure, @build_id, @live_run_id,
    @created_at, @updated_at, @own_name, @own_symbol);

-- name: InsertModel :exec
-- The columns that only models have.
insert into models (id, notify_email, start_date, start_rule) values (@id, @notify_email, @start_date, @start_rule);

-- name: ProgramIDs :many
-- The owner may refer to a program of a kind by id, slug, symbol, exact name or symbol
-- in another case, in that order; others refer to a public one by its slug. Only names
-- are not unique. The index on symbols leaves out empty ones.
select f.id, f.rank::integer as rank from (
    select m.id, m.created_at,
        case when m.id = @ref::text then 1 when m.slug = @ref then 2 when m.symbol = @ref then 3 when m.name = @ref then 4 else 5 end as rank
    from programs m
    where m.account_id = @account_id and m.kind = @kind and m.deleted_at is null
        and (m.id = @ref or m.slug = @ref or m.name = @ref or m.symbol <> '' and (m.symbol = @ref or m.symbol = upper(@ref)))
    union all
    select m.id, m.created_at, 6 from programs m where m.slug = @ref and m.kind = @kind and m.is_public and m.deleted_at is null
) f
order by f.rank, f.created_at, f.id limit @most;

-- name: Program :one
select * from whole_programs where id = $1 and deleted_at is null;

-- name: ProgramsByID :many
select * from whole_programs where id = any(@ids::text[]) and deleted_at is null;

-- name: ModelsByKey :many
-- One index lookup per key and kind of reference, since an account may have thousands
-- of models. The inner select hides the number of keys from the planner, so that it
-- keeps its plan. The index on symbols leaves out empty ones.
select * from whole_programs m
where m.id in (
    select k.id from unnest((select @keys::text[])) as u (key) cross join lateral (
        select i.id from programs i where i.id = u.key and i.account_id = @account_id and i.kind = 'model' and i.deleted_at is null
        union all
        select s.id from programs s where s.account_id = @account_id and s.symbol = u.key and s.symbol <> '' and s.kind = 'model' and s.deleted_at is null
        union all
        select n.id from programs n where n.account_id = @account_id and n.name = u.key and n.kind = 'model' and n.deleted_at is null
    ) k
)
order by m.created_at, m.id;

-- name: PublicModels :many
select id from programs where id = any(@ids::text[]) and is_public and deleted_at is null;

-- name: SymbolsInUse :many
select symbol, id from programs
where account_id = @account_id and symbol = any(@symbols::text[]) and symbol <> '' and deleted_at is null;

-- name: LockProgram :one
-- The next statement reads the current row.
select id from programs where id = $1 and deleted_at is null for no key update;

-- name: LockMembers :many
-- Members before their holders, so that publications cannot deadlock.
select id, live_run_id, depth from programs where id = any(@ids::text[]) and deleted_at is null order by depth, id for share;

-- name: SetModelUpdating :exec
update programs set status = 'updating', updated_at = @now where id = any(@ids::text[]) and status <> 'building';

-- name: MarkWaiting :exec
update programs set refresh = 'waiting' where id = any(@ids::text[]) and refresh = '';

-- name: MarkDue :exec
update programs set refresh = 'due' where id = any(@ids::text[]);

-- name: RestModels :exec
-- Models whose members have all finished without a change. They count as refreshed
-- without a change, except one that still has an error of its own to report.
update programs set refresh = '',
    last_run_at = case when failures = 0 then @now else last_run_at end,
    last_outcome = case when failures = 0 then 'unchanged' else last_outcome end
where id = any(@ids::text[]);

-- name: ServeRun :exec
-- A build may change the name, symbol and description, but takes no symbol that
-- another model has taken meanwhile. The model stays updating while a default run of
-- the former implementation or a promotion is in flight.
with rule as (
    update models o set start_rule = @start_rule::text where o.id = @id and @start_rule::text <> ''
), listed as (
    update figures f set live = f.run_id = @live_run_id::text
    where f.program_id = @id and f.live <> (f.run_id = @live_run_id::text)
)
update programs m set
    status = case when exists (
        select from runs r where r.program_id = m.id and r.publishes and r.id <> @live_run_id::text
            and r.status in ('queued', 'running') and r.source not in ('create', 'rebuild', 'apply')
    ) then 'updating' else 'active' end,
    warning = @warning, failure = null, depth = @depth, build_id = @build_id, live_run_id = @live_run_id::text,
    run_seconds = @run_seconds, name = coalesce(nullif(@name::text, ''), m.name),
    symbol = coalesce(nullif(@symbol::text, ''), m.symbol),
    description = case when @is_build::boolean then @description::text else m.description end,
    prompt = coalesce(nullif(@prompt::text, ''), m.prompt),
    refresh = '', failures = 0, next_retry = null, last_error = '',
    last_run_at = case when @is_routine::boolean then @now else m.last_run_at end,
    last_outcome = case
        when not @is_routine then m.last_outcome
        when exists (select from runs f where f.id = m.live_run_id and f.result_hash = @result_hash::text) then 'unchanged'
        else 'updated' end,
    updated_at = @now
where m.id = @id;

-- name: EndModelWork :exec
-- Sets a model's state after work on it has ended without a result.
update programs m set
    status = case
        when m.live_run_id is null then 'failed'
        when m.status = 'paused' then 'paused'
        when exists (
            select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running')
                and r.source not in ('create', 'rebuild', 'apply')
        ) then 'updating'
        when m.failures >= @most::integer then 'paused' -- a run of its owner's has failed, too
        else 'active' end,
    warning = @warning, failure = @failure, updated_at = @now
where m.id = @id;

-- name: FailRefresh :exec
-- A default run of a model that serves a result has failed. Too many failed refreshes
-- in a row pause the recurring work until the owner resumes it. Refreshes that failed
-- for lack of credit do not count.
update programs m set
    failures = case when @unfunded::boolean then greatest(m.failures, 1) else m.failures + 1 end,
    refresh = case when m.refresh = '' then 'due' else m.refresh end,
    auto_update = m.auto_update and (@unfunded or m.failures + 1 < @most::integer),
    status = case
        when not @unfunded and m.failures + 1 >= @most then 'paused'
        when exists (
            select from runs r where r.program_id = m.id and r.publishes and r.status in ('queued', 'running')
                and r.source not in ('create', 'rebuild', 'apply')
        ) then 'updating'
        else 'active' end,
    warning = @warning, next_retry = @next_retry, last_error = @last_error, last_run_at = @now, last_outcome = 'failed',
    updated_at = @now
where m.id = @id;

-- name: NameBuilding :exec
-- Takes the name and symbol of a model that serves nothing yet from its generated
-- script, except those that the owner has given.
with named as (
    update programs p set
        name = case when own_name then name else @name::text end,
        symbol = case when own_symbol then symbol else @symbol::text end,
        description = @description, updated_at = @now
    where p.id = @id and p.live_run_id is null and p.build_id = @build_id
    returning p.id
)
update models m set start_rule = @start_rule from named n where m.id = n.id;

-- name: BuildAgain :exec
-- A model that serves nothing yet is building again; one that serves a result
-- continues to serve it.
update programs set
    status = case when live_run_id is null then 'building' else status end,
    build_id = case when live_run_id is null then @build_id else build_id end,
    failure = case when live_run_id is null then null else failure end,
    updated_at = @now
where id = @id;

-- name: PatchModel :exec
with program as (
    update programs p set name = @name, symbol = @symbol, own_name = own_name or @named::boolean,
        own_symbol = own_symbol or @symboled::boolean, is_favorite = @is_favorite, labels = @labels,
        labels_lower = @labels_lower, is_public = @is_public, auto_update = @auto_update, status = @status,
        failures = @failures, next_retry = @next_retry, updated_at = @now
    where p.id = @id
    returning p.id
)
update models m set notify_email = @notify_email, start_date = @start_date, start_rule = @start_rule
from program where m.id = program.id;
