-- +goose Up
-- The balance of each account in the ledger's four accounts. The row is the last that a
-- transaction locks, after models and runs.
create table balances (
    account_id   text primary key references accounts on delete cascade,
    spendable    bigint not null check (spendable >= 0),
    held         bigint not null check (held >= 0), -- for work in progress
    spent        bigint not null check (spent >= 0),
    granted      bigint not null, -- negative: the source of credit
    signup_grant bigint not null,
    opened_at    timestamptz not null,
    check (spendable + held + spent + granted = 0)
);

-- The entries of the ledger, each of which adds up to zero. An event is posted once:
-- signup, credit:KEY, hold:RUN, end:RUN. Entries with a charge_id are the items of the
-- billing history; they outlive the models that they name.
create table ledger (
    account_id text not null references accounts on delete cascade,
    event      text not null,
    kind       text not null check (kind in ('hold', 'release', 'build', 'run', 'test', 'credit', 'adjustment')),
    at         timestamptz not null,
    spendable  bigint not null default 0,
    held       bigint not null default 0,
    spent      bigint not null default 0,
    granted    bigint not null default 0,
    charge_id  text check (charge_id ~ '^charge_[0-9a-f]{32}$'),
    activity   text not null default '',
    program_id text not null default '',
    run_id     text not null default '',
    build_id   text not null default '',
    units      integer not null default 0,
    base       integer not null default 0,
    tokens     integer not null default 0,
    seconds    integer not null default 0,
    cap_rule   text,
    cap_cents  bigint,
    billed     boolean not null default true,
    identified boolean not null default true,
    primary key (account_id, event),
    check (spendable + held + spent + granted = 0),
    check ((cap_rule is null) = (cap_cents is null)),
    check ((kind in ('hold', 'release')) = (charge_id is null))
);
create index ledger_charges on ledger (account_id, at desc, charge_id desc) where charge_id is not null;

-- The hold for a run until its end; null if nothing was held.
alter table runs add column hold_cents bigint check (hold_cents >= 0);
create index runs_running on runs (account_id) where status = 'running';

-- Sandbox seconds of the live run, from which the next hold is projected.
alter table models add column run_seconds integer not null default 0;
update models m set run_seconds = coalesce((r.usage ->> 'seconds')::integer, 0) from runs r where r.id = m.live_run_id;

-- A closed account keeps its rows, and its name becomes free.
alter table accounts add column closed_at timestamptz, drop constraint accounts_name_key;
create unique index accounts_name_key on accounts (name) where closed_at is null;

-- +goose Down
drop index accounts_name_key;
delete from accounts where closed_at is not null;
alter table accounts drop column closed_at, add constraint accounts_name_key unique (name);
alter table models drop column run_seconds;
drop index runs_running;
alter table runs drop column hold_cents;
drop table ledger;
drop table balances;
