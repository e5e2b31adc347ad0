-- +goose Up
create table accounts (
    id          text primary key check (id ~ '^account_[0-9a-f]{32}$'),
    name        text not null unique check (name <> ''),
    email       text not null,
    plan        text not null check (plan in ('free', 'pro', 'business')),
    role        text not null check (role in ('member', 'admin')),
    grant_cents bigint not null,
    created_at  timestamptz not null
);

create table keys (
    id           text primary key check (id ~ '^key_[0-9a-f]{32}$'),
    account_id   text not null references accounts on delete cascade,
    name         text not null,
    prefix       text not null,
    hash         bytea not null unique check (octet_length(hash) = 32), -- SHA-256 of the secret
    created_at   timestamptz not null,
    last_used_at timestamptz,
    revoked_at   timestamptz
);

create index keys_of_account on keys (account_id, created_at desc, id desc);

-- +goose Down
drop table keys;
drop table accounts;
