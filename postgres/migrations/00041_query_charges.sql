-- +goose Up
-- SQL statements are charged for the processor time that they took.
alter table ledger drop constraint ledger_kind_check,
    add constraint ledger_kind_check check (kind in ('hold', 'release', 'build', 'run', 'test', 'query', 'credit', 'adjustment'));

-- +goose Down
-- Charges of statements stay: the balances contain them.
alter table ledger drop constraint ledger_kind_check,
    add constraint ledger_kind_check check (kind in ('hold', 'release', 'build', 'run', 'test', 'credit', 'adjustment')) not valid;
