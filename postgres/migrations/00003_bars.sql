-- +goose Up
create table bar_versions (
    version bigint primary key check (version > 0),
    kind    text not null check (kind in ('import', 'compaction')),
    file    text not null,
    sha256  text not null check (sha256 = '' or sha256 ~ '^[0-9a-f]{64}$'),
    rows    bigint not null,
    report  jsonb,
    at      timestamptz not null
);

-- A segment is contiguous rows of one asset inside one row group of one object.
create table bar_segments (
    object     text collate "C" not null,
    row_group  integer not null check (row_group >= 0),
    row_offset bigint not null check (row_offset >= 0),
    asset_id   text collate "C" not null references assets,
    rows       bigint not null check (rows > 0),
    first_date date not null,
    last_date  date not null check (last_date >= first_date),
    added_in   bigint not null references bar_versions,
    removed_in bigint references bar_versions check (removed_in > added_in),
    primary key (object, row_group, row_offset)
);

create index bar_segments_of_asset on bar_segments (asset_id, first_date);
create index bar_segments_current on bar_segments (asset_id, first_date) where removed_in is null;

-- +goose Down
drop table bar_segments;
drop table bar_versions;
