-- +goose Up
-- Every strategy that a model has served, and every test of a draft, which may be served
-- later. The state of a revision is that of its build and run.
create table revisions (
    id            text primary key check (id ~ '^revision_[0-9a-f]{32}$'),
    account_id    text not null references accounts on delete cascade,
    model_id      text not null references models on delete cascade,
    number        integer not null check (number > 0),
    label         text not null default '',
    kind          text not null check (kind in ('script', 'prompt', 'inputs')),
    build_id      text not null references builds on delete cascade,
    run_id        text references runs on delete set null, -- the owner may delete the run
    base_hash     text not null default '', -- of the strategy that it was based on, '' for the first
    request_key   text collate "C", -- only for a test
    draft_version integer not null default 0 check (draft_version >= 0),
    warning       text not null default '', -- for readers of its result
    created_at    timestamptz not null,
    applied_at    timestamptz, -- when the model began to serve it
    constraint revisions_number_unique unique (model_id, number),
    constraint revisions_request_key_unique unique (model_id, request_key)
);

create index revisions_of_account on revisions (account_id);
create index revisions_of_build on revisions (build_id);
create index revisions_of_run on revisions (run_id);

-- The owner's unpublished edits of a strategy; null if the value is the strategy's own.
create table drafts (
    model_id   text primary key references models on delete cascade,
    version    integer not null check (version > 0),
    base_hash  text not null,
    script     text,
    prompt     text,
    updated_at timestamptz not null
);

alter table models add column approved_revision_id text,
    add constraint models_approved_revision foreign key (approved_revision_id) references revisions deferrable initially deferred;
create index models_by_approved_revision on models (approved_revision_id);

-- Successful builds were served, one after another.
insert into revisions (id, account_id, model_id, number, kind, build_id, run_id, base_hash, created_at, applied_at)
select 'revision_' || right(b.id, 32), b.account_id, b.program_id,
    row_number() over served, case when b.generator <> '' then 'prompt' else 'script' end, b.id,
    (select r.id from runs r where r.build_id = b.id and r.status = 'complete' and r.publishes and not r.superseded
        order by r.finished_at, r.id limit 1),
    coalesce(lag(b.script_hash) over served, ''), coalesce(b.finished_at, b.created_at), coalesce(b.finished_at, b.created_at)
from builds b join models m on m.id = b.program_id
where b.status = 'complete' and m.live_run_id is not null
window served as (partition by b.program_id order by coalesce(b.finished_at, b.created_at), b.id);

update models m set approved_revision_id = (
    select v.id from revisions v where v.model_id = m.id and v.build_id = m.build_id
);

-- +goose Down
alter table models drop column approved_revision_id;
drop table drafts;
drop table revisions;
