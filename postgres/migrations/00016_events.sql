-- +goose Up
-- Endpoints to which an account's events are sent.
create table webhooks (
    id           text primary key check (id ~ '^webhook_[0-9a-f]{32}$'),
    account_id   text not null references accounts on delete cascade,
    url          text not null,
    description  text not null default '',
    events       text[] not null check (cardinality(events) > 0),
    enabled      boolean not null,
    disabled     text not null default '', -- why the service has disabled it
    secret       text not null,
    former       text not null default '',
    former_until timestamptz,
    created_at   timestamptz not null,
    updated_at   timestamptz not null
);
create index webhooks_newest on webhooks (account_id, created_at desc, id desc);

-- One delivery of an event to an endpoint. The deliveries of one program to one endpoint
-- are sent in the order of place.
create table deliveries (
    id            text primary key check (id ~ '^delivery_[0-9a-f]{32}$'),
    place         bigint generated always as identity,
    webhook_id    text not null references webhooks on delete cascade,
    account_id    text not null references accounts on delete cascade,
    event_id      text not null,
    kind          text not null,
    program_id    text not null,
    run_id        text not null default '',
    former_run_id text not null default '',
    payload       json, -- json, not jsonb: these bytes are signed
    status        text not null check (status in ('pending', 'delivered', 'failed')),
    attempts      integer not null default 0,
    next_attempt  timestamptz,
    claimed_until timestamptz,
    last_status   integer,
    last_error    text not null default '',
    created_at    timestamptz not null,
    ended_at      timestamptz,
    check ((status = 'pending') = (ended_at is null))
);
create index deliveries_in_line on deliveries (webhook_id, program_id, place) where status = 'pending';
create index deliveries_newest on deliveries (webhook_id, place desc);
create index deliveries_of_account on deliveries (account_id);

-- Mails about allocations that may have changed, at most one per run.
create table letters (
    run_id        text primary key,
    account_id    text not null references accounts on delete cascade,
    model_id      text not null references models on delete cascade,
    former_run_id text not null,
    status        text not null check (status in ('pending', 'sent', 'unchanged', 'failed')),
    attempts      integer not null default 0,
    last_error    text not null default '',
    created_at    timestamptz not null,
    ended_at      timestamptz,
    check ((status = 'pending') = (ended_at is null))
);
create index letters_of_model on letters (model_id);
create index letters_of_account on letters (account_id);

alter table models add column last_notified_at timestamptz;

-- +goose Down
alter table models drop column last_notified_at;
drop table letters;
drop table deliveries;
drop table webhooks;
