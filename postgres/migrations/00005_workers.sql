-- +goose Up
-- A worker renews its row while it lives. If it stops, others take over its running jobs.
create table workers (
    id         text primary key,
    renewed_at timestamptz not null
);

-- +goose Down
drop table workers;
