-- +goose Up
-- The versions of series that runs have read, whatever kind their program is. A version
-- that a run has read stays, so that the run can be computed again.
create table series_reads (
    run_id    text not null references runs on delete cascade,
    series_id text not null,
    version   integer not null,
    keys      text[] not null check (cardinality(keys) > 0),
    primary key (run_id, series_id),
    -- Deferred, because deleting an account deletes both sides in one statement.
    foreign key (series_id, version) references series_versions deferrable initially deferred
);
create index series_reads_by_version on series_reads (series_id, version);

-- +goose Down
drop table series_reads;
