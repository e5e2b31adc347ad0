-- +goose Up
-- Timing reports in progress, with their holds. A row is deleted with its report. Ledger
-- entries of a report have its id in place of a run's.
create table timing_reports (
    id         text primary key check (id ~ '^report_[0-9a-f]{32}$'),
    account_id text not null references accounts on delete cascade,
    run_id     text not null,
    program_id text not null,
    build_id   text not null,
    activity   text not null,
    hold_cents bigint check (hold_cents >= 0), -- null if nothing was held
    began_at   timestamptz not null
);
create index timing_reports_account on timing_reports (account_id);

-- +goose Down
drop table timing_reports;
