-- +goose Up
create table models (
    id           text primary key check (id ~ '^model_[0-9a-f]{32}$'),
    account_id   text not null references accounts on delete cascade,
    name         text not null check (name <> ''),
    symbol       text collate "C" not null check (symbol <> ''),
    slug         text collate "C" not null unique,
    status       text not null check (status in ('building', 'active', 'updating', 'paused', 'failed')),
    warning      text not null default '',
    depth        integer not null default 0 check (depth >= 0),
    auto_update  boolean not null,
    notify_email boolean not null,
    is_public    boolean not null default false,
    is_favorite  boolean,
    labels       text[] not null default '{}',
    labels_lower text[] not null default '{}', -- for lookups
    description  text not null default '',
    prompt       text not null default '',
    failure      jsonb,
    build_id     text not null,
    live_run_id  text,
    start_date   date,
    start_rule   text not null,
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    constraint models_symbol_unique unique (account_id, symbol)
);

create index models_by_name on models (account_id, name);
create index models_newest on models (account_id, created_at desc, id desc);

create table builds (
    id            text primary key check (id ~ '^build_[0-9a-f]{32}$'),
    account_id    text not null references accounts on delete cascade,
    program_id    text not null references models on delete cascade,
    kind          text not null check (kind in ('create', 'rebuild', 'revision')),
    status        text not null check (status in ('queued', 'running', 'complete', 'failed')),
    script        text not null,
    script_hash   text not null,
    inputs_schema json not null, -- json, not jsonb: the order of its keys is the order of declaration
    prompt        text not null default '',
    generator     text not null default '',
    validation    jsonb,
    failure       jsonb,
    usage         jsonb,
    created_at    timestamptz not null,
    finished_at   timestamptz
);

create index builds_newest on builds (program_id, created_at desc, id desc);
create index builds_of_account on builds (account_id);

create table runs (
    id              text primary key check (id ~ '^run_[0-9a-f]{32}$'),
    account_id      text not null references accounts on delete cascade,
    program_id      text not null references models on delete cascade,
    build_id        text not null references builds on delete cascade,
    status          text not null check (status in ('queued', 'running', 'complete', 'failed')),
    publishes       boolean not null,
    source          text not null check (source in ('create', 'rebuild', 'manual', 'refresh', 'cascade', 'promote', 'draft_test', 'apply')),
    intent          text not null default '' check (intent in ('', 'test', 'refresh')),
    label           text not null default '',
    shared          boolean not null default false,
    inputs          jsonb not null,
    script_hash     text not null,
    harness_version text not null,
    data_version    text not null default '',
    members         jsonb,
    summary         jsonb,
    usage           jsonb,
    result_hash     text not null default '',
    daily_object    text collate "C" not null default '',
    ledger_object   text collate "C" not null default '',
    daily_bytes     bigint not null default 0,
    ledger_bytes    bigint not null default 0,
    base            date,
    first_date      date,
    last_date       date,
    superseded      boolean not null default false,
    progress_step   text not null default 'queued',
    progress_done   integer not null default 0,
    progress_total  integer not null default 0,
    failure         jsonb,
    created_at      timestamptz not null,
    started_at      timestamptz,
    finished_at     timestamptz,
    check (status <> 'complete' or (summary is not null and daily_object <> '' and ledger_object <> '')),
    check ((status in ('complete', 'failed')) = (finished_at is not null))
);

create index runs_newest on runs (program_id, created_at desc, id desc);
create index runs_of_account on runs (account_id, created_at desc);
create index runs_of_build on runs (build_id);
create index runs_by_daily on runs (daily_object) where daily_object <> '';
create index runs_by_ledger on runs (ledger_object) where ledger_object <> '';
-- Only one run at a time may produce a model's live result.
create unique index runs_in_flight on runs (program_id) where publishes and status in ('queued', 'running');

-- A model and its build refer to each other, and a model to its live run: these
-- references are checked when the transaction that writes them ends.
alter table models
    add constraint models_build foreign key (build_id) references builds deferrable initially deferred,
    add constraint models_live_run foreign key (live_run_id) references runs deferrable initially deferred;
create index models_by_build on models (build_id);
create index models_by_live_run on models (live_run_id);

-- The models that a model's live run holds.
create table memberships (
    holder_id text not null references models on delete cascade,
    member_id text not null references models,
    primary key (holder_id, member_id)
);

create index memberships_of_member on memberships (member_id);

-- +goose Down
drop table memberships;
alter table models drop constraint models_build, drop constraint models_live_run;
drop table runs;
drop table builds;
drop table models;
