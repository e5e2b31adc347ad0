-- +goose Up
-- What was tried on a model: a strategy, which is a script but for the defaults
-- of its inputs, at inputs, each once however often it is refreshed. Runs are
-- deleted; what was tried stays tried.
create table trials (
    program_id text not null references models on delete cascade,
    strategy   text not null, -- SHA-256; of runs before this table, of the whole script
    inputs     text not null, -- MD5 of the inputs but the cash to begin with
    ended_at   timestamptz not null, -- of the first run
    sharpe     double precision, -- annual, of its whole result; null where it has none or is not known
    primary key (program_id, strategy, inputs)
);

insert into trials (program_id, strategy, inputs, ended_at)
select program_id, script_hash, md5((inputs - 'initial_cash')::text), min(finished_at)
from runs where status = 'complete' group by 1, 2, 3;

-- +goose Down
drop table trials;
