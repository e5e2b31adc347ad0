-- name: OpenBalance :one
-- Opens an account's balance. No row if it is open already.
insert into balances (account_id, spendable, held, spent, granted, signup_grant, opened_at)
values (@account_id, 0, 0, 0, 0, @signup_grant, @now)
on conflict (account_id) do nothing
returning account_id;

-- name: CreditBalance :execrows
-- Adds credit to an account, or removes at most what remains. An event counts once.
with changed as (
    update balances b set spendable = b.spendable + @cents::bigint, granted = b.granted - @cents::bigint
    where b.account_id = @account_id and b.spendable + @cents::bigint >= 0
        and not exists (select from ledger l where l.account_id = @account_id and l.event = @event::text)
    returning b.account_id
)
insert into ledger (account_id, event, kind, at, spendable, granted, charge_id, activity)
select c.account_id, @event::text, @kind::text, @now::timestamptz, @cents::bigint, 0 - (@cents::bigint), @charge_id::text, @activity::text
from changed c;

-- name: Balance :one
select * from balances where account_id = $1;

-- name: LockBalance :one
select * from balances where account_id = $1 for update;

-- name: Balances :many
select * from balances;

-- name: HoldFunds :one
-- Takes a hold if enough credit remains.
with taken as (
    update balances b set spendable = b.spendable - @cents::bigint, held = b.held + @cents::bigint
    where b.account_id = @account_id and b.spendable >= @cents::bigint
    returning b.account_id, b.spendable
), posted as (
    insert into ledger (account_id, event, kind, at, run_id, spendable, held, key_id)
    select t.account_id, 'hold:' || @run_id::text, 'hold', @now::timestamptz, @run_id::text, 0 - (@cents::bigint), @cents::bigint,
        sqlc.narg(key_id)::text
    from taken t
), marked as (
    update runs set hold_cents = @cents::bigint where id = @run_id::text and exists (select from taken)
)
select t.spendable from taken t;

-- name: SettleRun :one
-- Turns the hold of a run or a report into its charge, and releases the rest.
with ended as (
    insert into ledger (account_id, event, kind, at, spendable, held, spent, charge_id, activity, program_id, run_id,
        build_id, units, base, tokens, seconds, cap_rule, cap_cents, billed)
    select @account_id::text, 'end:' || @work_id::text, @kind::text, @now::timestamptz, @released::bigint,
        0 - (@hold::bigint), @charged::bigint, @charge_id::text, @activity::text, @program_id::text,
        @run_id::text, @build_id::text, @units::integer, @base::integer, @tokens::integer, @seconds::integer,
        sqlc.narg(cap_rule)::text, sqlc.narg(cap_cents)::bigint, @billed::boolean
    on conflict (account_id, event) do nothing
    returning account_id, spendable, held, spent
)
update balances b set spendable = b.spendable + e.spendable, held = b.held + e.held, spent = b.spent + e.spent
from ended e where b.account_id = e.account_id and e.held <> 0
returning b.spendable, b.held, exists (
    select from ledger h where h.account_id = b.account_id and h.event = 'hold:' || @work_id::text and h.key_id is not null
)::boolean as capped;

-- name: ChargeQuery :one
-- Charges an SQL statement, at most what the account can spend and at most @most, and
-- returns what is left and whether the account has webhooks that listen for events.
with before as (
    select account_id, least(spendable, @cents::bigint, @most::bigint) as charged from balances where account_id = @account_id::text for update
), posted as (
    insert into ledger (account_id, event, kind, at, spendable, spent, charge_id, activity, units, seconds, cap_rule, cap_cents)
    select f.account_id, 'query:' || @charge_id::text, 'query', @now::timestamptz, 0 - f.charged, f.charged, @charge_id::text, 'SQL statement',
        @seconds::integer, @seconds::integer,
        case when f.charged < @cents::bigint then @cap_rule::text end, case when f.charged < @cents::bigint then f.charged end
    from before f
)
update balances b set spendable = b.spendable - f.charged, spent = b.spent + f.charged
from before f where b.account_id = f.account_id
returning b.spendable, b.held, f.charged::bigint as charged,
    exists (select from webhooks w where w.account_id = b.account_id and w.enabled)::boolean as listened;

-- name: ReleaseRuns :exec
-- Releases the holds of runs for which nothing is charged.
with ended as (
    insert into ledger (account_id, event, kind, at, run_id, spendable, held)
    select r.account_id, 'end:' || r.id, 'release', @now::timestamptz, r.id, r.hold_cents, -r.hold_cents
    from runs r where r.id = any(@ids::text[]) and r.hold_cents is not null
    on conflict (account_id, event) do nothing
    returning account_id, spendable
)
update balances b set spendable = b.spendable + e.cents, held = b.held - e.cents
from (select account_id, sum(spendable)::bigint as cents from ended group by account_id) e
where b.account_id = e.account_id;

-- name: SpendWithKey :execrows
-- Counts a hold against the cap of a key for a day, or counts nothing if that would exceed
-- it. Nothing is counted for a hold that is larger than the cap.
insert into key_spending (key_id, day, cents)
select @key_id, @day, @cents::bigint where @cents::bigint <= @cap_cents::bigint
on conflict (key_id, day) do update set cents = key_spending.cents + excluded.cents
where key_spending.cents + excluded.cents <= @cap_cents::bigint;

-- name: KeySpending :one
select coalesce(sum(cents), 0)::bigint from key_spending where key_id = @key_id and day = @day;

-- name: LockKeySpending :one
-- Returns what a key has spent on a day, and lets others wait until it is changed.
insert into key_spending (key_id, day, cents) values (@key_id, @day, 0)
on conflict (key_id, day) do update set cents = key_spending.cents
returning cents;

-- name: AddKeySpending :exec
update key_spending set cents = cents + @cents::bigint where key_id = @key_id and day = @day;

-- name: ReturnToKeys :exec
-- Takes what the ends of some work released off the days on which its holds were counted.
update key_spending s set cents = s.cents - r.cents
from (
    select h.key_id, (h.at at time zone 'UTC')::date as day, sum(e.spendable)::bigint as cents
    from ledger h join ledger e on e.account_id = h.account_id and e.event = 'end:' || h.run_id
    where h.account_id = @account_id and h.event = any(@holds::text[]) and h.key_id is not null
    group by h.key_id, day
) r
where s.key_id = r.key_id and s.day = r.day;

-- name: DeleteOldKeySpending :exec
delete from key_spending where day < @before;

-- name: Charges :many
-- Includes amounts that were not billed, and credits, but not holds.
select * from ledger
where account_id = @account_id and charge_id is not null
    and (sqlc.narg(since)::timestamptz is null or at >= sqlc.narg(since)::timestamptz)
    and (sqlc.narg(until)::timestamptz is null or at < sqlc.narg(until)::timestamptz)
order by at desc, charge_id desc
limit @most offset @skip;

-- name: CountCharges :one
select count(*) from ledger
where account_id = @account_id and charge_id is not null
    and (sqlc.narg(since)::timestamptz is null or at >= sqlc.narg(since)::timestamptz)
    and (sqlc.narg(until)::timestamptz is null or at < sqlc.narg(until)::timestamptz);

-- name: LedgerFaults :many
with sums as (
    select account_id, sum(spendable)::bigint as spendable, sum(held)::bigint as held, sum(spent)::bigint as spent,
        sum(granted)::bigint as granted
    from ledger group by account_id
), working as (
    select id, account_id, hold_cents from runs where status in ('queued', 'running')
    union all
    select id, account_id, hold_cents from timing_reports
), unended as (
    select account_id, sum(hold_cents)::bigint as held from working where hold_cents is not null group by account_id
)
select f.account_id::text as account_id, f.message::text as message from (
    select coalesce(b.account_id, s.account_id) as account_id, format(
        'the balance (spendable %s, held %s, spent %s, granted %s) is not what the entries add up to (%s, %s, %s, %s)',
        b.spendable, b.held, b.spent, b.granted, s.spendable, s.held, s.spent, s.granted) as message
    from balances b full join sums s on s.account_id = b.account_id
    where (coalesce(b.spendable, 0), coalesce(b.held, 0), coalesce(b.spent, 0), coalesce(b.granted, 0))
        is distinct from (coalesce(s.spendable, 0), coalesce(s.held, 0), coalesce(s.spent, 0), coalesce(s.granted, 0))
    union all
    select account_id, format('the entry %s adds up to %s cents, not to zero', event, spendable + held + spent + granted)
    from ledger where spendable + held + spent + granted <> 0
    union all
    select coalesce(b.account_id, u.account_id), format('%s cents are held, and the work in flight holds %s', coalesce(b.held, 0), coalesce(u.held, 0))
    from balances b full join unended u on u.account_id = b.account_id where coalesce(b.held, 0) <> coalesce(u.held, 0)
    union all
    select h.account_id, format('the hold of %s was never settled, and the work is not in flight', h.run_id)
    from ledger h
    where h.kind = 'hold'
        and not exists (select from ledger e where e.account_id = h.account_id and e.event = 'end:' || h.run_id)
        and not exists (select from working w where w.id = h.run_id)
    union all
    select e.account_id, format('%s was settled by %s cents, and %s were held', substr(e.event, 5), -e.held, coalesce(h.held, 0))
    from ledger e left join ledger h on h.account_id = e.account_id and h.event = 'hold:' || substr(e.event, 5)
    where e.event like 'end:%' and -e.held <> coalesce(h.held, 0)
) f
order by f.account_id, f.message limit 1000;
