-- +goose Up
-- A worker renews its row while it lives; the running jobs of one that does not
-- are taken up by others.
create table workers (
    id         text primary key,
    renewed_at timestamptz not null
);

-- +goose Down
drop table workers;
