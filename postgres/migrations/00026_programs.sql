-- +goose Up
-- Programs of every kind share one table; the columns that only models have are in
-- models.
alter table models rename to programs;
alter table programs add column kind text not null default 'model' check (kind ~ '^[a-z]+$');
alter table programs alter column kind drop default;
alter table programs drop constraint models_id_check, drop constraint models_symbol_check;
alter table programs
    add constraint programs_id_check check (id ~ ('^' || kind || '_[0-9a-f]{32}$')),
    add constraint programs_symbol_check check (symbol <> '' or kind <> 'model');

alter index models_pkey rename to programs_pkey;
alter index models_by_name rename to programs_by_name;
alter index models_newest rename to programs_newest;
alter index models_by_build rename to programs_by_build;
alter index models_by_live_run rename to programs_by_live_run;
alter index models_to_refresh rename to programs_to_refresh;
alter index models_trash rename to programs_trash;
alter index models_to_purge rename to programs_to_purge;
alter table programs rename constraint models_slug_key to programs_slug_key;
alter table programs rename constraint models_account_id_fkey to programs_account_id_fkey;
alter table programs rename constraint models_name_check to programs_name_check;
alter table programs rename constraint models_status_check to programs_status_check;
alter table programs rename constraint models_depth_check to programs_depth_check;
alter table programs rename constraint models_refresh_check to programs_refresh_check;
alter table programs rename constraint models_failures_check to programs_failures_check;
alter table programs rename constraint models_trashed to programs_trashed;
alter table programs rename constraint models_build to programs_build;
alter table programs rename constraint models_live_run to programs_live_run;
drop index models_symbol_unique;
create unique index programs_symbol_unique on programs (account_id, symbol) where deleted_at is null and symbol <> '';
alter trigger models_stored on programs rename to programs_stored;

create table models (
    id                   text primary key references programs on delete cascade,
    start_date           date,
    start_rule           text not null,
    notify_email         boolean not null,
    last_notified_at     timestamptz,
    approved_revision_id text
);
insert into models (id, start_date, start_rule, notify_email, last_notified_at, approved_revision_id)
select id, start_date, start_rule, notify_email, last_notified_at, approved_revision_id from programs;
alter table programs
    drop column start_date, drop column start_rule, drop column notify_email, drop column last_notified_at,
    drop column approved_revision_id;
alter table models add constraint models_approved_revision foreign key (approved_revision_id) references revisions deferrable initially deferred;
create index models_by_approved_revision on models (approved_revision_id);

-- A program with all its columns; for other kinds those of models are empty. A
-- transaction that writes a row of models has locked the program's row.
create view whole_programs as
    select p.*, m.start_date, coalesce(m.start_rule, '') as start_rule, coalesce(m.notify_email, false) as notify_email,
        m.last_notified_at, m.approved_revision_id
    from programs p left join models m on m.id = p.id;

alter table revisions drop constraint revisions_model_id_fkey,
    add constraint revisions_model_id_fkey foreign key (model_id) references models on delete cascade;
alter table drafts drop constraint drafts_model_id_fkey,
    add constraint drafts_model_id_fkey foreign key (model_id) references models on delete cascade;
alter table letters drop constraint letters_model_id_fkey,
    add constraint letters_model_id_fkey foreign key (model_id) references models on delete cascade;
-- Only models can be held by others.
alter table memberships drop constraint memberships_member_id_fkey,
    add constraint memberships_member_id_fkey foreign key (member_id) references models;

-- A result has as many tables as its kind: an object from the name of each to {object,
-- bytes}.
alter table runs
    add column tables       jsonb not null default '{}',
    add column tables_bytes bigint not null default 0 check (tables_bytes >= 0);
update runs set tables_bytes = daily_bytes + ledger_bytes, tables = jsonb_build_object(
    'daily', jsonb_build_object('object', daily_object, 'bytes', daily_bytes),
    'ledger', jsonb_build_object('object', ledger_object, 'bytes', ledger_bytes))
where daily_object <> '';
drop trigger runs_stored on runs;
drop view stored_rows;
create or replace function stored_bytes(r runs) returns bigint language sql stable as $$
    select case when r.source in ('refresh', 'cascade') then 0 else 1024 + r.tables_bytes + octet_length(r.label)
        + octet_length(r.inputs::text) + coalesce(octet_length(r.members::text), 0) + coalesce(octet_length(r.summary::text), 0)
        + coalesce(octet_length(r.failure::text), 0) end::bigint
$$;
alter table runs drop column daily_object, drop column ledger_object, drop column daily_bytes, drop column ledger_bytes,
    add constraint runs_complete check (status <> 'complete' or (summary is not null and tables <> '{}'));
create trigger runs_stored after insert or delete
    or update of source, tables_bytes, label, inputs, members, summary, failure on runs
    for each row execute function note_stored();
create view stored_rows as
    select account_id, sum(bytes)::bigint as bytes from (
        select account_id, stored_bytes(r) as bytes from programs r union all
        select account_id, stored_bytes(r) from builds r union all
        select account_id, stored_bytes(r) from runs r union all
        select account_id, stored_bytes(r) from revisions r union all
        select account_id, stored_bytes(r) from drafts r union all
        select account_id, stored_bytes(r) from backfills r union all
        select account_id, stored_bytes(r) from webhooks r union all
        select account_id, stored_bytes(r) from deliveries r union all
        select account_id, stored_bytes(r) from idempotency_keys r
    ) a group by account_id;

-- The purged program of a receipt can be of any kind.
alter table deletion_receipts rename column model_id to program_id;

-- +goose Down
alter table deletion_receipts rename column program_id to model_id;
drop trigger runs_stored on runs;
drop view stored_rows;
alter table runs
    add column daily_object  text collate "C" not null default '',
    add column ledger_object text collate "C" not null default '',
    add column daily_bytes   bigint not null default 0,
    add column ledger_bytes  bigint not null default 0,
    drop constraint runs_complete;
delete from programs where kind <> 'model';
update runs set daily_object = tables -> 'daily' ->> 'object', daily_bytes = (tables -> 'daily' ->> 'bytes')::bigint,
    ledger_object = tables -> 'ledger' ->> 'object', ledger_bytes = (tables -> 'ledger' ->> 'bytes')::bigint
where tables <> '{}';
create or replace function stored_bytes(r runs) returns bigint language sql stable as $$
    select case when r.source in ('refresh', 'cascade') then 0 else 1024 + r.daily_bytes + r.ledger_bytes + octet_length(r.label)
        + octet_length(r.inputs::text) + coalesce(octet_length(r.members::text), 0) + coalesce(octet_length(r.summary::text), 0)
        + coalesce(octet_length(r.failure::text), 0) end::bigint
$$;
alter table runs drop column tables, drop column tables_bytes,
    add constraint runs_check check (status <> 'complete' or (summary is not null and daily_object <> '' and ledger_object <> ''));
create index runs_by_daily on runs (daily_object) where daily_object <> '';
create index runs_by_ledger on runs (ledger_object) where ledger_object <> '';
create trigger runs_stored after insert or delete
    or update of source, daily_bytes, ledger_bytes, label, inputs, members, summary, failure on runs
    for each row execute function note_stored();
drop view whole_programs;
alter table memberships drop constraint memberships_member_id_fkey;
alter table letters drop constraint letters_model_id_fkey;
alter table drafts drop constraint drafts_model_id_fkey;
alter table revisions drop constraint revisions_model_id_fkey;
alter table programs
    add column start_date           date,
    add column start_rule           text not null default '',
    add column notify_email         boolean not null default true,
    add column last_notified_at     timestamptz,
    add column approved_revision_id text;
update programs p set start_date = m.start_date, start_rule = m.start_rule, notify_email = m.notify_email,
    last_notified_at = m.last_notified_at, approved_revision_id = m.approved_revision_id
from models m where m.id = p.id;
alter table programs alter column start_rule drop default, alter column notify_email drop default;
drop table models;
drop index programs_symbol_unique;
alter table programs rename to models;
alter table models drop constraint programs_id_check, drop constraint programs_symbol_check, drop column kind,
    add constraint models_id_check check (id ~ '^model_[0-9a-f]{32}$'),
    add constraint models_symbol_check check (symbol <> ''),
    add constraint models_approved_revision foreign key (approved_revision_id) references revisions deferrable initially deferred;
create index models_by_approved_revision on models (approved_revision_id);
create unique index models_symbol_unique on models (account_id, symbol) where deleted_at is null;
alter trigger programs_stored on models rename to models_stored;
alter index programs_pkey rename to models_pkey;
alter index programs_by_name rename to models_by_name;
alter index programs_newest rename to models_newest;
alter index programs_by_build rename to models_by_build;
alter index programs_by_live_run rename to models_by_live_run;
alter index programs_to_refresh rename to models_to_refresh;
alter index programs_trash rename to models_trash;
alter index programs_to_purge rename to models_to_purge;
alter table models rename constraint programs_slug_key to models_slug_key;
alter table models rename constraint programs_account_id_fkey to models_account_id_fkey;
alter table models rename constraint programs_name_check to models_name_check;
alter table models rename constraint programs_status_check to models_status_check;
alter table models rename constraint programs_depth_check to models_depth_check;
alter table models rename constraint programs_refresh_check to models_refresh_check;
alter table models rename constraint programs_failures_check to models_failures_check;
alter table models rename constraint programs_trashed to models_trashed;
alter table models rename constraint programs_build to models_build;
alter table models rename constraint programs_live_run to models_live_run;
alter table memberships add constraint memberships_member_id_fkey foreign key (member_id) references models;
alter table letters add constraint letters_model_id_fkey foreign key (model_id) references models on delete cascade;
alter table drafts add constraint drafts_model_id_fkey foreign key (model_id) references models on delete cascade;
alter table revisions add constraint revisions_model_id_fkey foreign key (model_id) references models on delete cascade;
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
