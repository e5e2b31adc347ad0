-- +goose Up
-- The evidence that a build's result does not depend on the future. The type json keeps
-- the order of keys in the findings of the static checks.
alter table builds add column causality jsonb, alter column validation type json;

-- A model continues to serve its implementation, and may be refreshed with it, while
-- another is built: one build and one default run at a time.
drop index runs_in_flight;
create unique index runs_default_in_flight on runs (program_id)
    where publishes and status in ('queued', 'running') and source not in ('create', 'rebuild', 'promote', 'apply');
create unique index runs_build_in_flight on runs (program_id)
    where publishes and status in ('queued', 'running') and source in ('create', 'rebuild', 'promote', 'apply');

-- +goose Down
drop index runs_build_in_flight;
drop index runs_default_in_flight;
create unique index runs_in_flight on runs (program_id) where publishes and status in ('queued', 'running');
alter table builds drop column causality, alter column validation type jsonb;
