-- name: LockSeriesOf :exec
-- No other series of the account is added, changed or deleted until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('series of ' || @account_id::text, 0));

-- name: CountSeriesOf :one
select count(*) from series where account_id = @account_id::text and deleted_at is null;

-- name: CountReadableSeries :one
select count(*) from series where (account_id = @account_id::text or account_id is null) and deleted_at is null;

-- name: ReadableSeries :many
-- The account's own series and the operator's, by name, without their values.
select s.id, coalesce(s.account_id, '')::text as account_id, s.name, s.created_at, v.version, v.frequency, v.kind, v.lag, v.columns, v.rows, v.first_date, v.last_date, v.added, v.restated, v.created_at as updated_at
from series s join series_versions v on v.series_id = s.id and v.version = s.version
where (s.account_id = @account_id::text or s.account_id is null) and s.deleted_at is null
order by upper(s.name), s.id
limit @most offset @skip;

-- name: SeriesByName :many
-- The account's own series and the operator's of these names, in any case.
select s.id, coalesce(s.account_id, '')::text as account_id, s.name, s.created_at, v.version, v.frequency, v.kind, v.lag, v.columns, v.rows, v.first_date, v.last_date, v.added, v.restated, v.created_at as updated_at
from series s join series_versions v on v.series_id = s.id and v.version = s.version
where (s.account_id = @account_id::text or s.account_id is null) and s.deleted_at is null and upper(s.name) = any(@names::text[]);

-- name: SeriesVersion :one
-- Any version, including those of deleted series.
select s.id, coalesce(s.account_id, '')::text as account_id, s.name, s.created_at, v.version, v.frequency, v.kind, v.lag, v.columns, v.rows, v.first_date, v.last_date, v.added, v.restated, v.created_at as updated_at
from series s join series_versions v on v.series_id = s.id
where s.id = @id and v.version = @version;

-- name: SeriesData :one
select data from series_versions where series_id = @id and version = @version;

-- name: LockSeries :one
select * from series where id = @id and deleted_at is null for update;

-- name: InsertSeries :exec
insert into series (id, account_id, name, version, bytes, created_at, updated_at)
values (@id, sqlc.narg(account_id), @name, 1, 0, @now, @now);

-- name: InsertSeriesVersion :exec
insert into series_versions (series_id, version, frequency, kind, lag, columns, rows, first_date, last_date, added, restated, data, created_at)
values (@series_id, @version, @frequency, @kind, @lag, @columns, @rows, @first_date, @last_date, @added, @restated, @data, @created_at);

-- name: ReviseSeries :exec
update series s set version = @version, updated_at = @now, bytes = (
    select coalesce(sum(octet_length(v.data)), 0) from series_versions v where v.series_id = s.id
)::bigint where s.id = @id;

-- name: DeleteSeries :exec
update series set deleted_at = @now::timestamptz where id = @id;

-- name: ShareSeries :many
-- Series that a publication has read. Nobody changes or deletes them until the
-- transaction ends.
select id, version, (deleted_at is not null)::boolean as deleted from series where id = any(@ids::text[]) order by id for share;

-- name: KeepSeriesReads :exec
insert into series_reads (run_id, series_id, version, keys)
select @run_id, r.series_id, r.version, r.keys
from jsonb_to_recordset(@reads::jsonb) as r(series_id text, version integer, keys text[]);

-- name: SeriesReads :many
select series_id, version, keys from series_reads where run_id = $1 order by series_id;

-- name: SeriesOfBuild :many
-- The series that the runs of a build have read, by name. It tells the account's own
-- from the operator's.
select distinct s.name, (s.account_id is null)::boolean as public
from series_reads x join runs r on r.id = x.run_id join series s on s.id = x.series_id
where r.build_id = @build_id;

-- name: LockSeriesReaders :many
-- The programs that serve a result computed from a series. They must be locked after
-- the series.
select m.id, (m.auto_update and m.status in ('active', 'updating'))::boolean as follows
from programs m where m.deleted_at is null
    and exists (select from series_reads x where x.run_id = m.live_run_id and x.series_id = @series_id)
order by m.depth, m.id
for no key update of m;

-- name: PauseSeriesReaders :exec
-- Pauses programs whose live result was computed from a series that was deleted. They
-- serve that result until the series is back or they are built again.
update programs m set status = 'paused', refresh = '', updated_at = @now::timestamptz
where m.id = any(@ids::text[]) and m.status in ('active', 'updating');

-- name: LockPausedReaders :many
-- The programs that were paused when series of this name were deleted, and that can go
-- on if there is a series of the name again.
select m.id, m.auto_update
from programs m where m.deleted_at is null and m.status = 'paused' and m.failures = 0
    and exists (
        select from series_reads x join series s on s.id = x.series_id
        where x.run_id = m.live_run_id and s.deleted_at is not null and upper(s.name) = upper(@name::text) and s.account_id is not distinct from sqlc.narg(account_id)::text
    )
    and not exists (
        select from series_reads x join series s on s.id = x.series_id
        where x.run_id = m.live_run_id and s.deleted_at is not null and not exists (
            select from series n where n.deleted_at is null and upper(n.name) = upper(s.name) and n.account_id is not distinct from s.account_id
        )
    )
    and not exists (
        select from memberships s join programs p on p.id = s.member_id where s.holder_id = m.id and p.deleted_at is not null
    )
order by m.depth, m.id
for no key update of m;

-- name: ResumeSeriesReaders :exec
update programs set status = 'active', updated_at = @now::timestamptz where id = any(@ids::text[]);

-- name: LostSeries :many
-- The series that a program's live result was computed from, and that were deleted
-- since.
select s.id, s.name from programs m join series_reads x on x.run_id = m.live_run_id join series s on s.id = x.series_id
where m.id = @program_id and s.deleted_at is not null and not exists (
    select from series n where n.deleted_at is null and upper(n.name) = upper(s.name) and n.account_id is not distinct from s.account_id
)
order by s.name;

-- name: PruneSeriesVersions :many
-- Deletes versions that no run has read and that have not been current for some time. A
-- run that is computing may publish what it has read of a version until then.
with gone as (
    delete from series_versions v using series s
    where s.id = v.series_id
        and (s.deleted_at < @before::timestamptz or exists (
            select from series_versions n where n.series_id = v.series_id and n.version > v.version and n.created_at < @before::timestamptz
        ))
        and not exists (select from series_reads x where x.series_id = v.series_id and x.version = v.version)
    returning v.series_id
)
select distinct series_id from gone;

-- name: RecountSeries :exec
update series s set bytes = (
    select coalesce(sum(octet_length(v.data)), 0) from series_versions v where v.series_id = s.id
)::bigint where s.id = any(@ids::text[]);

-- name: DeleteEmptySeries :exec
delete from series s where s.deleted_at is not null and not exists (select from series_versions v where v.series_id = s.id);
