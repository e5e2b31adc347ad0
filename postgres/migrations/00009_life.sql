-- +goose Up
-- A model in the Trash is visible only in the Trash, and its symbol is free for other
-- models of the account.
alter table models
    add column deleted_at timestamptz,
    add column purge_at   timestamptz,
    -- A name or symbol that the owner gave stays when the script of the first build
    -- arrives.
    add column own_name   boolean not null default false,
    add column own_symbol boolean not null default false,
    add constraint models_trashed check ((deleted_at is null) = (purge_at is null)),
    drop constraint models_symbol_unique;
create unique index models_symbol_unique on models (account_id, symbol) where deleted_at is null;
create index models_trash on models (account_id, deleted_at desc, id desc) where deleted_at is not null;
create index models_to_purge on models (purge_at) where purge_at is not null;

-- All that remains of a purged model, until it expires.
create table deletion_receipts (
    model_id   text primary key,
    account_id text not null references accounts on delete cascade,
    deleted_at timestamptz not null,
    purged_at  timestamptz not null,
    expires_at timestamptz not null
);
create index deletion_receipts_to_expire on deletion_receipts (expires_at);

-- Manual runs on an account's latest day. Deleted runs count too.
create table manual_runs (
    account_id text primary key references accounts on delete cascade,
    day        date not null,
    started    integer not null check (started > 0)
);
insert into manual_runs (account_id, day, started)
select account_id, (now() at time zone 'utc')::date, count(*)::integer from runs
where source = 'manual' and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
group by account_id;

-- +goose Down
drop table manual_runs;
drop table deletion_receipts;
delete from memberships where member_id in (select id from models where deleted_at is not null);
delete from models where deleted_at is not null;
drop index models_to_purge, models_trash, models_symbol_unique;
alter table models
    drop constraint models_trashed,
    drop column deleted_at, drop column purge_at, drop column own_name, drop column own_symbol,
    add constraint models_symbol_unique unique (account_id, symbol);
