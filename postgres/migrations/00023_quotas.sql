-- +goose Up
-- The bytes that accounts store: the sum of a row here and of its changes. Every
-- transaction adds changes without waiting for another. A transaction that needs the sum
-- for a decision locks the row, and adds the changes to it.
create table stored (
    account_id text primary key,
    bytes      bigint not null
);
create table stored_changes (
    account_id text not null,
    bytes      bigint not null
);
create index stored_changes_of_account on stored_changes (account_id);

-- How often an account has used each kind of quota in its current period.
create table uses (
    account_id text not null references accounts on delete cascade,
    kind       text not null,
    starts     timestamptz not null,
    used       integer not null check (used > 0),
    primary key (account_id, kind)
);

-- The owner of a draft's model, needed when the model is deleted first.
alter table drafts add column account_id text;
update drafts d set account_id = m.account_id from models m where m.id = d.model_id;
alter table drafts alter column account_id set not null;
create index drafts_of_account on drafts (account_id);

-- The size of a row: what the account has sent or computed, and an allowance for the row
-- itself. Routine refreshes count as nothing, because an account cannot prevent them.
create function stored_bytes(r models) returns bigint language sql stable as $$
    select 1024 + octet_length(r.name) + octet_length(r.symbol) + octet_length(r.description) + octet_length(r.prompt)
        + 2 * octet_length(array_to_string(r.labels, ' '))::bigint
$$;
create function stored_bytes(r builds) returns bigint language sql stable as $$
    select 1024 + octet_length(r.script) + octet_length(r.prompt) + octet_length(r.inputs_schema::text)
        + coalesce(octet_length(r.validation::text), 0) + coalesce(octet_length(r.failure::text), 0)
        + coalesce(octet_length(r.causality::text), 0)::bigint
$$;
create function stored_bytes(r runs) returns bigint language sql stable as $$
    select case when r.source in ('refresh', 'cascade') then 0 else 1024 + r.daily_bytes + r.ledger_bytes + octet_length(r.label)
        + octet_length(r.inputs::text) + coalesce(octet_length(r.members::text), 0) + coalesce(octet_length(r.summary::text), 0)
        + coalesce(octet_length(r.failure::text), 0) end::bigint
$$;
create function stored_bytes(r revisions) returns bigint language sql stable as $$
    select 512 + octet_length(r.label)::bigint
$$;
create function stored_bytes(r drafts) returns bigint language sql stable as $$
    select 512 + coalesce(octet_length(r.script), 0) + coalesce(octet_length(r.prompt), 0)::bigint
$$;
create function stored_bytes(r backfills) returns bigint language sql stable as $$
    select 512 + 1024 * r.version::bigint -- a kilobyte a version
$$;
create function stored_bytes(r webhooks) returns bigint language sql stable as $$
    select 1024 + octet_length(r.url) + octet_length(r.description)::bigint
$$;
create function stored_bytes(r deliveries) returns bigint language sql stable as $$
    select 512 + coalesce(octet_length(r.payload::text), 0)::bigint
$$;
create function stored_bytes(r idempotency_keys) returns bigint language sql stable as $$
    select 512 + octet_length(r.key) + coalesce(octet_length(r.body), 0)::bigint
$$;

-- +goose StatementBegin
create function note_stored() returns trigger language plpgsql as $$
declare
    change bigint := 0;
    whose  text;
begin
    if tg_op <> 'DELETE' then
        change := stored_bytes(new);
        whose := new.account_id;
    end if;
    if tg_op <> 'INSERT' then
        change := change - stored_bytes(old);
        whose := old.account_id;
    end if;
    if change <> 0 then
        insert into stored_changes (account_id, bytes) values (whose, change);
    end if;
    return null;
end $$;
-- +goose StatementEnd

create trigger models_stored after insert or delete or update of name, symbol, description, prompt, labels on models
    for each row execute function note_stored();
create trigger builds_stored after insert or delete or update of script, prompt, inputs_schema, validation, failure, causality on builds
    for each row execute function note_stored();
create trigger runs_stored after insert or delete
    or update of source, daily_bytes, ledger_bytes, label, inputs, members, summary, failure on runs
    for each row execute function note_stored();
create trigger revisions_stored after insert or delete or update of label on revisions
    for each row execute function note_stored();
create trigger drafts_stored after insert or delete or update of script, prompt on drafts
    for each row execute function note_stored();
create trigger backfills_stored after insert or delete or update of version on backfills
    for each row execute function note_stored();
create trigger webhooks_stored after insert or delete or update of url, description on webhooks
    for each row execute function note_stored();
create trigger deliveries_stored after insert or delete or update of payload on deliveries
    for each row execute function note_stored();
create trigger idempotency_keys_stored after insert or delete or update of key, body on idempotency_keys
    for each row execute function note_stored();

-- The storage of every account computed from its rows; it equals stored plus
-- stored_changes.
create view stored_rows as
    select account_id, sum(bytes)::bigint as bytes from (
        select account_id, stored_bytes(r) as bytes from models r union all
        select account_id, stored_bytes(r) from builds r union all
        select account_id, stored_bytes(r) from runs r union all
        select account_id, stored_bytes(r) from revisions r union all
        select account_id, stored_bytes(r) from drafts r union all
        select account_id, stored_bytes(r) from backfills r union all
        select account_id, stored_bytes(r) from webhooks r union all
        select account_id, stored_bytes(r) from deliveries r union all
        select account_id, stored_bytes(r) from idempotency_keys r
    ) a group by account_id;
insert into stored (account_id, bytes) select account_id, bytes from stored_rows;

-- +goose Down
drop view stored_rows;
drop trigger idempotency_keys_stored on idempotency_keys;
drop trigger deliveries_stored on deliveries;
drop trigger webhooks_stored on webhooks;
drop trigger backfills_stored on backfills;
drop trigger drafts_stored on drafts;
drop trigger revisions_stored on revisions;
drop trigger runs_stored on runs;
drop trigger builds_stored on builds;
drop trigger models_stored on models;
drop function note_stored();
drop function stored_bytes(idempotency_keys), stored_bytes(deliveries), stored_bytes(webhooks), stored_bytes(backfills), stored_bytes(drafts),
    stored_bytes(revisions), stored_bytes(runs), stored_bytes(builds), stored_bytes(models);
drop index drafts_of_account;
alter table drafts drop column account_id;
drop table uses;
drop table stored_changes;
drop table stored;
