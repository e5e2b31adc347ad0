-- +goose Up
-- First responses to requests with an Idempotency-Key, kept for a day. A row without a
-- status is a claim: its request is in progress, or its process has died.
create table idempotency_keys (
    account_id   text not null references accounts (id) on delete cascade,
    key          text not null,
    request      bytea not null,
    claimed_at   timestamptz not null,
    status       integer,
    content_type text,
    body         bytea,
    primary key (account_id, key)
);

create index idempotency_keys_claimed_at on idempotency_keys (claimed_at);

-- +goose Down
drop table idempotency_keys;
