-- +goose Up
-- The trials of a model. A trial is a strategy (a script without the defaults of its
-- inputs) with inputs, and counts once however often it is refreshed. Deleting runs does
-- not delete their trials.
create table trials (
    program_id text not null references models on delete cascade,
    strategy   text not null, -- SHA-256; of the whole script for runs from before this table
    inputs     text not null, -- MD5 of the inputs except the initial cash
    ended_at   timestamptz not null, -- of the first run
    sharpe     double precision, -- annual, of the whole result; null if undefined or unknown
    primary key (program_id, strategy, inputs)
);

insert into trials (program_id, strategy, inputs, ended_at)
select program_id, script_hash, md5((inputs - 'initial_cash')::text), min(finished_at)
from runs where status = 'complete' group by 1, 2, 3;

-- +goose Down
drop table trials;
