-- name: InsertWebhook :exec
insert into webhooks (id, account_id, url, description, events, enabled, secret, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: CountWebhooks :one
select count(*) from webhooks where account_id = $1;

-- name: Webhook :one
select * from webhooks where id = @id and account_id = @account_id;

-- name: LockWebhook :one
select * from webhooks where id = @id and account_id = @account_id for no key update;

-- name: Webhooks :many
select * from webhooks where account_id = @account_id
order by created_at desc, id desc
limit @most offset @skip;

-- name: UpdateWebhook :exec
update webhooks set url = @url, description = @description, events = @events, enabled = @enabled, disabled = @disabled,
    secret = @secret, former = @former, former_until = @former_until, updated_at = @updated_at
where id = @id;

-- name: DeleteWebhook :execrows
delete from webhooks where id = @id and account_id = @account_id;

-- name: Subscribed :many
-- The endpoints of an account that subscribe to any of the kinds.
select w.id, k.kind::text as kind from webhooks w, unnest(@kinds::text[]) as k (kind)
where w.account_id = @account_id and w.enabled and k.kind = any(w.events)
order by w.id;

-- name: InsertDeliveries :exec
insert into deliveries (id, webhook_id, account_id, event_id, kind, program_id, run_id, former_run_id, payload, status, next_attempt, created_at)
select d.delivery_id, d.webhook_id, @account_id, d.event_id, d.kind, d.program_id, d.run_id, d.former_run_id,
    nullif(d.payload, '')::json, 'pending', d.at, d.at
from (
    select unnest(@ids::text[]) as delivery_id, unnest(@webhook_ids::text[]) as webhook_id, unnest(@event_ids::text[]) as event_id,
        unnest(@kinds::text[]) as kind, unnest(@program_ids::text[]) as program_id, unnest(@run_ids::text[]) as run_id,
        unnest(@former_run_ids::text[]) as former_run_id, unnest(@payloads::text[]) as payload, unnest(@times::timestamptz[]) as at
) d;

-- name: Delivery :one
select * from deliveries where id = @id and webhook_id = @webhook_id and account_id = @account_id;

-- name: Deliveries :many
select * from deliveries
where webhook_id = @webhook_id and (@status::text = '' or status = @status)
order by place desc
limit @most offset @skip;

-- name: CountDeliveries :one
select count(*) from deliveries where webhook_id = @webhook_id and (@status::text = '' or status = @status);

-- name: Lines :many
-- The first pending delivery of each program to an endpoint.
select distinct on (program_id) id from deliveries
where webhook_id = @webhook_id and status = 'pending'
order by program_id, place;

-- name: HurryDelivery :exec
-- The worker that claimed it may have died; at worst the delivery arrives twice.
update deliveries set next_attempt = @now, created_at = @now, claimed_until = null where id = @id and status = 'pending';

-- name: RepeatDelivery :execrows
-- The event of an ended delivery is queued again, behind the pending ones.
insert into deliveries (id, webhook_id, account_id, event_id, kind, program_id, run_id, former_run_id, payload, status,
    next_attempt, created_at)
select @id, d.webhook_id, d.account_id, d.event_id, d.kind, d.program_id, d.run_id, d.former_run_id, d.payload, 'pending',
    @now::timestamptz, @now
from deliveries d where d.id = @former_id and d.payload is not null;

-- name: LockEndpoint :one
-- One worker at a time claims deliveries of an endpoint. It reads them in a later
-- statement, which sees what the previous worker has committed.
select w.id from webhooks w where w.id = (select d.webhook_id from deliveries d where d.id = @delivery_id)
for no key update;

-- name: HeadOfLine :one
-- The first pending delivery in the queue of the given one.
select sqlc.embed(d), sqlc.embed(w)
from deliveries own
join webhooks w on w.id = own.webhook_id
join deliveries d on d.webhook_id = own.webhook_id and d.program_id = own.program_id and d.status = 'pending'
where own.id = @id and w.enabled
order by d.place
limit 1;

-- name: ClaimDelivery :exec
update deliveries set claimed_until = @until where id = @id;

-- name: SetPayload :exec
update deliveries set payload = @payload where id = @id;

-- name: DropDelivery :exec
delete from deliveries where id = $1;

-- name: EndDelivery :exec
update deliveries set status = @status, attempts = attempts + 1, next_attempt = null, claimed_until = null,
    last_status = @last_status, last_error = @last_error, ended_at = @now
where id = @id and status = 'pending';

-- name: RetryDelivery :exec
update deliveries set attempts = attempts + 1, next_attempt = @next_attempt, claimed_until = null,
    last_status = @last_status, last_error = @last_error
where id = @id and status = 'pending';

-- name: SwitchWebhookOff :exec
update webhooks w set enabled = false, disabled = @disabled, updated_at = @now
from deliveries d where d.id = @delivery_id and w.id = d.webhook_id;

-- name: DeleteOldDeliveries :exec
delete from deliveries d where d.created_at < @before and (d.status <> 'pending' or exists (
    select from webhooks w where w.id = d.webhook_id and not w.enabled
));

-- name: HoldersToTell :many
-- Models whose live result was computed on one of the assets, if their account
-- subscribes to the event.
select m.account_id, m.id, m.name, m.symbol, (e ->> 'id')::text as asset_id
from programs m join runs r on r.id = m.live_run_id, jsonb_array_elements(r.members) e
where e ->> 'kind' = 'asset' and e ->> 'id' = any(@asset_ids::text[]) and m.deleted_at is null
    and m.account_id in (select w.account_id from webhooks w where w.enabled and @kind::text = any(w.events))
order by m.account_id, asset_id, m.created_at, m.id;
