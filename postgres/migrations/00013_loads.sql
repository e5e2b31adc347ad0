-- +goose Up
-- The loads of bars from providers. The process that loads an asset holds its lease and
-- renews it; anybody may take over an expired lease.
create table loads (
    asset_id    text collate "C" primary key references assets on delete cascade,
    holder      text not null default '',
    lease_until timestamptz,
    provider    text not null default '', -- that supplied the whole stored history
    whole_at    timestamptz,
    outcome     text not null default '' check (outcome in ('', 'loaded', 'unchanged', 'unknown', 'failed')),
    message     text not null default '',
    quiet       integer not null default 0 check (quiet >= 0), -- loads in a row that brought nothing
    ended_at    timestamptz,
    ask_after   timestamptz
);

-- +goose Down
drop table loads;
