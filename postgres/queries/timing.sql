-- name: InsertReport :exec
insert into timing_reports (id, account_id, run_id, program_id, build_id, activity, began_at)
values (@id, @account_id, @run_id, @program_id, @build_id, @activity, @began_at);

-- name: HoldReport :exec
update timing_reports set hold_cents = @cents::bigint where id = @id;

-- name: EndReport :one
-- Ends a report, once, and returns whether the account has webhooks that listen for
-- events.
delete from timing_reports r where r.id = $1
returning sqlc.embed(r), exists (select from webhooks w where w.account_id = r.account_id and w.enabled)::boolean as listened;

-- name: ReleaseReports :many
-- Ends a report, those of an account, or those that began before a time, and
-- releases what they hold. Returns the reports that held something.
with ended as (
    delete from timing_reports r
    where r.id = sqlc.narg(id)::text or r.account_id = sqlc.narg(account_id)::text or r.began_at < sqlc.narg(began_before)::timestamptz
    returning r.id, r.account_id, r.hold_cents
), posted as (
    insert into ledger (account_id, event, kind, at, run_id, spendable, held)
    select e.account_id, 'end:' || e.id, 'release', @now::timestamptz, e.id, e.hold_cents, -e.hold_cents
    from ended e where e.hold_cents is not null
    on conflict (account_id, event) do nothing
    returning account_id, run_id, spendable
), changed as (
    update balances b set spendable = b.spendable + e.cents, held = b.held - e.cents
    from (select account_id, sum(spendable)::bigint as cents from posted group by account_id) e
    where b.account_id = e.account_id
)
select account_id, run_id as report_id from posted order by account_id;
