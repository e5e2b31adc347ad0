-- +goose Up
-- Links under which anybody may see the result that a model serves, or that of one run.
-- Of a link's token only the hash is stored.
create table shares (
    id             text primary key,
    account_id     text not null references accounts on delete cascade,
    program_id     text not null references programs on delete cascade,
    run_id         text references runs on delete cascade, -- null: the run that the model serves
    name           text not null,
    hash           bytea not null unique check (octet_length(hash) = 32),
    panels         text[] not null, -- empty: all
    show_script    boolean not null,
    show_amounts   boolean not null,
    paused         boolean not null,
    expires_at     timestamptz,
    views          bigint not null default 0,
    last_viewed_at timestamptz,
    created_at     timestamptz not null,
    updated_at     timestamptz not null
);
create index shares_newest on shares (account_id, created_at desc, id desc);
create index shares_program on shares (program_id);
create index shares_run on shares (run_id) where run_id is not null;

-- +goose Down
drop table shares;
