-- +goose Up
-- An account's optimizers: rules for weights that scripts name. The row names the current
-- version. A deleted optimizer is kept for the runs that have used it.
create table optimizers (
    id         text primary key check (id ~ '^optimizer_[0-9a-f]{32}$'),
    account_id text not null references accounts on delete cascade,
    name       text collate "C" not null,
    version    integer not null check (version > 0),
    bytes      bigint not null check (bytes >= 0), -- of all versions
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create unique index optimizers_name_unique on optimizers (account_id, upper(name)) where deleted_at is null;

-- A version never changes.
create table optimizer_versions (
    optimizer_id text not null references optimizers on delete cascade,
    version      integer not null check (version > 0),
    definition   jsonb not null,
    created_at   timestamptz not null,
    primary key (optimizer_id, version)
);

create function stored_bytes(r optimizers) returns bigint language sql stable as $$
    select 1024 + r.bytes
$$;
create trigger optimizers_stored_added after insert on optimizers
    for each row execute function note_stored();
create trigger optimizers_stored_changed after update of bytes on optimizers
    for each row execute function note_stored();
create trigger optimizers_stored_removed after delete on optimizers
    for each row execute function note_stored();
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
        select account_id, stored_bytes(r) from optimizers r union all
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
        select account_id, stored_bytes(r) from idempotency_keys r union all
        select account_id, stored_bytes(r) from series r where r.account_id is not null
    ) a group by account_id;
drop table optimizer_versions;
drop trigger optimizers_stored_added on optimizers;
drop trigger optimizers_stored_changed on optimizers;
drop trigger optimizers_stored_removed on optimizers;
drop function stored_bytes(optimizers);
drop table optimizers;
delete from stored;
delete from stored_changes;
insert into stored (account_id, bytes) select account_id, bytes from stored_rows;
