-- +goose Up
-- People who have signed in through an issuer. The issuer's subject identifies a person,
-- whatever their name and address; an account has at most one person per issuer.
create table identities (
    issuer     text not null,
    subject    text not null,
    account_id text not null references accounts on delete cascade,
    email      text not null,
    name       text not null,
    created_at timestamptz not null,
    seen_at    timestamptz not null,
    primary key (issuer, subject)
);
create unique index identities_of_account on identities (account_id, issuer);
create index accounts_by_email on accounts (lower(email)) where closed_at is null and email <> '';

-- Browser sessions, which belong to a key or an identity and end with it. All times are
-- those of the database.
create table sessions (
    id           text primary key check (id ~ '^session_[0-9a-f]{32}$'),
    account_id   text not null references accounts on delete cascade,
    key_id       text references keys on delete cascade,
    issuer       text,
    subject      text,
    hash         bytea not null unique check (octet_length(hash) = 32), -- SHA-256 of the cookie
    idle_seconds integer not null,
    created_at   timestamptz not null,
    seen_at      timestamptz not null,
    expires_at   timestamptz not null, -- extended with use, up to ends_at
    ends_at      timestamptz not null,
    foreign key (issuer, subject) references identities on delete cascade,
    check ((key_id is null) <> (subject is null)),
    check ((issuer is null) = (subject is null))
);
create index sessions_of_account on sessions (account_id);
create index sessions_by_expiry on sessions (expires_at);

-- Sign-ins in progress; each is taken once.
create table signins (
    state      bytea primary key check (octet_length(state) = 32),
    browser    bytea not null check (octet_length(browser) = 32),
    return_to  text not null,
    created_at timestamptz not null
);
create index signins_by_age on signins (created_at);

-- Who changed what. The entries outlive accounts and their data.
create table audit (
    id         text primary key check (id ~ '^audit_[0-9a-f]{32}$'),
    at         timestamptz not null,
    account_id text not null, -- the owner of the changed things, '' if there is none
    actor      text not null check (actor in ('key', 'session', 'operator', 'visitor')),
    actor_id   text not null,
    address    text not null,
    request_id text not null,
    operation  text not null,
    targets    text[] not null,
    before     jsonb,
    after      jsonb
);
create index audit_of_account on audit (account_id, at desc, id desc);
create index audit_by_time on audit (at desc, id desc);

-- +goose StatementBegin
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and current_setting('ballast.audit_retention', true) = 'on' then
        return old;
    end if;
    raise exception 'the audit log is append-only';
end $$;
-- +goose StatementEnd
create trigger audit_append_only before update or delete on audit
    for each row execute function audit_is_append_only();
create trigger audit_no_truncate before truncate on audit
    for each statement execute function audit_is_append_only();

-- +goose Down
drop table audit;
drop function audit_is_append_only;
drop table signins;
drop table sessions;
drop index accounts_by_email;
drop table identities;
