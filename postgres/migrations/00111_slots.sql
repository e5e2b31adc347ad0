-- +goose Up
-- How many runs each process executes at a time, so that the queue holds little more than
-- all of them together. The defaults are those of a program that does not say.
alter table workers add column run_slots integer not null default 6;
alter table workers add column generation_slots integer not null default 16;

-- +goose Down
alter table workers drop column run_slots;
alter table workers drop column generation_slots;
