-- +goose Up
-- What a key may do, and what work started with it may cost in a day (UTC), in cents;
-- null if there is no cap.
alter table keys
    add column scopes text[] not null default '{read,run,write}'
        check (scopes <@ '{read,run,write}' and cardinality(scopes) > 0),
    add column daily_cap_cents bigint check (daily_cap_cents >= 0);

-- What each key with a cap has spent on a day: its holds, without what they released, and
-- its SQL statements. A transaction changes it after the balance of the account.
create table key_spending (
    key_id text not null references keys on delete cascade,
    day    date not null,
    cents  bigint not null check (cents >= 0),
    primary key (key_id, day)
);

-- The key with a cap that a hold counts against; null if none does.
alter table ledger add column key_id text;

-- +goose Down
alter table ledger drop column key_id;
drop table key_spending;
alter table keys drop column daily_cap_cents, drop column scopes;
