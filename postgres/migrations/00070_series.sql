-- +goose Up
-- Series that callers and operators bring: factors, inflation, a riskless rate, an index.
-- A series without an account is the operator's, and every account reads it. The row
-- names the current version. A deleted series is kept for the runs that have read it.
create table series (
    id         text primary key check (id ~ '^series_[0-9a-f]{32}$'),
    account_id text references accounts on delete cascade,
    name       text collate "C" not null,
    version    integer not null check (version > 0),
    bytes      bigint not null check (bytes >= 0), -- of all versions that are kept
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create unique index series_name_unique on series (coalesce(account_id, ''), upper(name)) where deleted_at is null;

-- A version never changes. Its values are one Parquet file in the column data, which is
-- small enough for a row, and so is written, read, backed up and deleted with it.
create table series_versions (
    series_id  text not null references series on delete cascade,
    version    integer not null check (version > 0),
    frequency  text not null check (frequency in ('daily', 'monthly')),
    kind       text not null check (kind in ('return', 'rate', 'index')),
    lag        integer not null check (lag >= 0),
    columns    jsonb not null, -- key, first and last date, number of values and of missing ones
    rows       integer not null check (rows > 0),
    first_date date not null,
    last_date  date not null,
    added      integer not null,
    restated   integer not null,
    data       bytea not null,
    created_at timestamptz not null,
    primary key (series_id, version)
);
alter table series_versions alter column data set storage external; -- it is compressed already

create function stored_bytes(r series) returns bigint language sql stable as $$
    select 1024 + r.bytes
$$;
create trigger series_stored_added after insert on series
    for each row when (new.account_id is not null) execute function note_stored();
create trigger series_stored_changed after update of bytes on series
    for each row when (new.account_id is not null) execute function note_stored();
create trigger series_stored_removed after delete on series
    for each row when (old.account_id is not null) execute function note_stored();
create or replace view stored_rows as
    select account_id, sum(bytes)::bigint as bytes from (
        select account_id, stored_bytes(r) as bytes from programs r union all
        select account_id, stored_bytes(r) from builds r union all
        select account_id, stored_bytes(r) from runs r union all
        select account_id, stored_bytes(r) from revisions r union all
        select account_id, stored_bytes(r) from drafts r union all
        select account_id, stored_bytes(r) from backfills r union all
        select account_id, stored_bytes(r) from webhooks r union all
        select account_id, stored_bytes(r) from deliveries r union all
        select account_id, stored_bytes(r) from idempotency_keys r union all
        select account_id, stored_bytes(r) from series r where r.account_id is not null
    ) a group by account_id;

-- +goose Down
create or replace view stored_rows as
    select account_id, sum(bytes)::bigint as bytes from (
        select account_id, stored_bytes(r) as bytes from programs r union all
        select account_id, stored_bytes(r) from builds r union all
        select account_id, stored_bytes(r) from runs r union all
        select account_id, stored_bytes(r) from revisions r union all
        select account_id, stored_bytes(r) from drafts r union all
        select account_id, stored_bytes(r) from backfills r union all
        select account_id, stored_bytes(r) from webhooks r union all
        select account_id, stored_bytes(r) from deliveries r union all
        select account_id, stored_bytes(r) from idempotency_keys r
    ) a group by account_id;
drop table series_versions;
drop trigger series_stored_added on series;
drop trigger series_stored_changed on series;
drop trigger series_stored_removed on series;
drop function stored_bytes(series);
drop table series;
delete from stored;
delete from stored_changes;
insert into stored (account_id, bytes) select account_id, bytes from stored_rows;
