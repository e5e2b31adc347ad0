-- +goose Up
-- The member's run that the holder's live run has read.
alter table memberships add column run_id text not null default '';
update memberships s set run_id = coalesce((
    select e ->> 'run_id' from models h join runs r on r.id = h.live_run_id, jsonb_array_elements(r.members) e
    where h.id = s.holder_id and e ->> 'id' = s.member_id limit 1
), '');

-- refresh says why a model is due. waiting: it waits for its members, and runs if one of
-- them has moved on. due: it waits for its members, and runs in any case. failures counts
-- the failed refreshes in a row; a model with failures delays no other model until it has
-- succeeded again.
alter table models
    add column refresh      text not null default '' check (refresh in ('', 'waiting', 'due')),
    add column failures     integer not null default 0 check (failures >= 0),
    add column next_retry   timestamptz,
    add column last_run_at  timestamptz,
    add column last_outcome text not null default '',
    add column last_error   text not null default '',
    add column requested_session date;
create index models_to_refresh on models (id) where refresh <> '';

-- +goose Down
drop index models_to_refresh;
alter table models drop column refresh, drop column failures, drop column next_retry, drop column last_run_at,
    drop column last_outcome, drop column last_error, drop column requested_session;
alter table memberships drop column run_id;
