-- +goose Up
-- Files with the results of many runs of an account as long tables. They are derived from
-- the runs' own files, so a backup leaves these tables out.
create table segments (
    id         text primary key check (id ~ '^segment_[0-9a-f]{32}$'),
    account_id text not null references accounts on delete cascade,
    tables     jsonb not null, -- {object, bytes} from the name of each table
    added_at   timestamptz not null,
    dropped_at timestamptz -- null while it is current; a dropped one keeps its files for queries in progress
);
create index segments_of_account on segments (account_id);
create index segments_dropped on segments (dropped_at) where dropped_at is not null;

-- The runs in the current segments. Each run is in at most one, so that no query counts
-- it twice.
create table segment_runs (
    run_id     text primary key,
    program_id text not null,
    segment_id text not null references segments on delete cascade
);
create index segment_runs_of_segment on segment_runs (segment_id);

-- Counts the changes of an account's segments.
create table segment_generations (
    account_id text primary key references accounts on delete cascade,
    generation bigint not null
);

-- +goose Down
drop table segment_generations;
drop table segment_runs;
drop table segments;
