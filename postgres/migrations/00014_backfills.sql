-- +goose Up
-- An account's choice of the returns before an asset's first bar: one rule per asset. The
-- row names the version in force. A deleted rule is kept for the runs that have read it.
create table backfills (
    id         text primary key check (id ~ '^backfill_[0-9a-f]{32}$'),
    account_id text not null references accounts on delete cascade,
    asset_id   text collate "C" not null references assets,
    version    integer not null check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create unique index backfills_asset_unique on backfills (account_id, asset_id) where deleted_at is null;

-- A version never changes: its sources in order, with the fitted terms.
create table backfill_versions (
    backfill_id text not null references backfills on delete cascade,
    version     integer not null check (version > 0),
    sources     jsonb not null,
    spliced     jsonb not null,
    created_at  timestamptz not null,
    primary key (backfill_id, version)
);

-- +goose Down
drop table backfill_versions;
drop table backfills;
