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
