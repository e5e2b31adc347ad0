package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/notify/webhook"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program/jobs"
)

// emit stores the deliveries of one account's events, one per endpoint
// that subscribes to them, in the transaction in which they happen.
func (db *DB) emit(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, events ...webhook.Event) error {
	if len(events) == 0 {
		return nil
	}
	kinds := make([]string, len(events))
	for i, e := range events {
		kinds[i] = string(e.Kind)
	}
	subscribed, err := q.Subscribed(ctx, dbsqlc.SubscribedParams{AccountID: events[0].AccountID, Kinds: kinds})
	if err != nil || len(subscribed) == 0 {
		return err
	}
	var deliveries []*webhook.Delivery
	for _, e := range events {
		var payload json.RawMessage
		if e.Data != nil {
			if payload, err = webhook.Payload(e.Kind, e.At, e.Data); err != nil {
				return err
			}
		}
		for _, s := range subscribed {
			if s.Kind != string(e.Kind) {
				continue
			}
			deliveries = append(deliveries, &webhook.Delivery{
				ID: id.New(id.Delivery), WebhookID: s.ID, AccountID: e.AccountID, EventID: e.ID, Kind: e.Kind, ProgramID: e.ProgramID,
				RunID: e.RunID, FormerRunID: e.FormerRunID, Payload: withoutNul(payload), CreatedAt: e.At,
			})
		}
	}
	return db.insertDeliveries(ctx, tx, q, deliveries)
}

// insertDeliveries stores pending deliveries of one account and queues them.
func (db *DB) insertDeliveries(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, deliveries []*webhook.Delivery) error {
	p := dbsqlc.InsertDeliveriesParams{AccountID: deliveries[0].AccountID}
	for _, d := range deliveries {
		p.Ids, p.WebhookIds, p.EventIds = append(p.Ids, d.ID), append(p.WebhookIds, d.WebhookID), append(p.EventIds, d.EventID)
		p.Kinds, p.ProgramIds = append(p.Kinds, string(d.Kind)), append(p.ProgramIds, d.ProgramID)
		p.RunIds, p.FormerRunIds = append(p.RunIds, d.RunID), append(p.FormerRunIds, d.FormerRunID)
		p.Payloads, p.Times = append(p.Payloads, string(d.Payload)), append(p.Times, stamp(d.CreatedAt))
	}
	if err := q.InsertDeliveries(ctx, p); err != nil {
		return err
	}
	args := make([]jobs.DeliverArgs, len(deliveries))
	for i, d := range deliveries {
		args[i] = jobs.DeliverArgs{DeliveryID: d.ID, WebhookID: d.WebhookID, AccountID: d.AccountID}
	}
	return db.queueDeliveries(ctx, tx, args...)
}

func (db *DB) queueDeliveries(ctx context.Context, tx pgx.Tx, deliveries ...jobs.DeliverArgs) error {
	if len(deliveries) == 0 {
		return nil
	}
	params := make([]river.InsertManyParams, len(deliveries))
	for i, d := range deliveries {
		params[i].Args = d
	}
	_, err := db.queue.InsertManyTx(ctx, tx, params)
	return err
}

// QueueDelivery stores and queues a delivery that a caller has requested.
func (db *DB) QueueDelivery(ctx context.Context, d *webhook.Delivery, aMinute int) error {
	d.CreatedAt = stamp(d.CreatedAt)
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := db.send(ctx, q, d.AccountID, aMinute); err != nil {
			return err
		}
		return db.insertDeliveries(ctx, tx, q, []*webhook.Delivery{d})
	})
	return wrap(err, "queue delivery %s", d.ID)
}

// Delivery reads one delivery of an endpoint.
func (db *DB) Delivery(ctx context.Context, accountID, webhookID, deliveryID string) (*webhook.Delivery, error) {
	return delivery(ctx, db.queries, accountID, webhookID, deliveryID)
}

func delivery(ctx context.Context, q *dbsqlc.Queries, accountID, webhookID, deliveryID string) (*webhook.Delivery, error) {
	row, err := q.Delivery(ctx, dbsqlc.DeliveryParams{ID: deliveryID, WebhookID: webhookID, AccountID: accountID})
	if absent(err) {
		return nil, fault.Missing("delivery", deliveryID)
	}
	if err != nil {
		return nil, wrap(err, "read delivery %s", deliveryID)
	}
	return deliveryOf(row), nil
}

// Deliveries lists an endpoint's deliveries, newest first.
func (db *DB) Deliveries(ctx context.Context, accountID, webhookID string, status webhook.Status, limit, offset int) ([]*webhook.Delivery, int, error) {
	var out []*webhook.Delivery
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		if _, err := q.Webhook(ctx, dbsqlc.WebhookParams{ID: webhookID, AccountID: accountID}); absent(err) {
			return fault.Missing("webhook", webhookID)
		} else if err != nil {
			return err
		}
		rows, err := q.Deliveries(ctx, dbsqlc.DeliveriesParams{WebhookID: webhookID, Status: string(status), Most: int32(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			out = append(out, deliveryOf(r))
		}
		total, err = q.CountDeliveries(ctx, dbsqlc.CountDeliveriesParams{WebhookID: webhookID, Status: string(status)})
		return err
	})
	return out, int(total), wrap(err, "list deliveries of %s", webhookID)
}

// Redeliver sends an event again: a pending delivery at once, a finished one from the start.
func (db *DB) Redeliver(ctx context.Context, accountID, webhookID, deliveryID string, aMinute int) (*webhook.Delivery, error) {
	var d *webhook.Delivery
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if _, err := q.LockWebhook(ctx, dbsqlc.LockWebhookParams{ID: webhookID, AccountID: accountID}); absent(err) {
			return fault.Missing("webhook", webhookID)
		} else if err != nil {
			return err
		}
		former, err := delivery(ctx, q, accountID, webhookID, deliveryID)
		if err != nil {
			return err
		}
		if err := db.send(ctx, q, accountID, aMinute); err != nil {
			return err
		}
		now, again := stamp(db.now()), former.ID
		if former.Status == webhook.Pending {
			err = q.HurryDelivery(ctx, dbsqlc.HurryDeliveryParams{ID: former.ID, Now: &now})
		} else {
			again = id.New(id.Delivery)
			_, err = q.RepeatDelivery(ctx, dbsqlc.RepeatDeliveryParams{ID: again, FormerID: former.ID, Now: now})
		}
		if err != nil {
			return err
		}
		if err := db.queueDeliveries(ctx, tx, jobs.DeliverArgs{DeliveryID: again, WebhookID: webhookID, AccountID: accountID}); err != nil {
			return err
		}
		d, err = delivery(ctx, q, accountID, webhookID, again)
		return err
	})
	return d, wrap(err, "deliver %s again", deliveryID)
}

// ClaimDelivery claims the first delivery in the queue that a delivery is in.
func (db *DB) ClaimDelivery(ctx context.Context, deliveryID string, lease time.Duration) (*webhook.Delivery, *webhook.Webhook, time.Duration, error) {
	var d *webhook.Delivery
	var w *webhook.Webhook
	var wait time.Duration
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		d, w, wait = nil, nil, 0
		if _, err := q.LockEndpoint(ctx, deliveryID); absent(err) {
			return nil
		} else if err != nil {
			return err
		}
		head, err := q.HeadOfLine(ctx, deliveryID)
		if absent(err) {
			return nil
		}
		if err != nil {
			return err
		}
		now := stamp(db.now())
		for _, until := range []*time.Time{head.Delivery.ClaimedUntil, head.Delivery.NextAttempt} {
			if until != nil && until.After(now) {
				wait = max(wait, until.Sub(now))
			}
		}
		if wait > 0 {
			return nil
		}
		until := now.Add(lease)
		if err := q.ClaimDelivery(ctx, dbsqlc.ClaimDeliveryParams{ID: head.Delivery.ID, Until: &until}); err != nil {
			return err
		}
		d, w = deliveryOf(head.Delivery), webhookOf(head.Webhook)
		return nil
	})
	return d, w, wait, wrap(err, "claim the next delivery in the queue of %s", deliveryID)
}

// SetPayload saves the body of a delivery.
func (db *DB) SetPayload(ctx context.Context, deliveryID string, payload json.RawMessage) error {
	return wrap(db.queries.SetPayload(ctx, dbsqlc.SetPayloadParams{ID: deliveryID, Payload: payload}), "save the payload of delivery %s", deliveryID)
}

// DropDelivery removes a delivery of an event that did not happen.
func (db *DB) DropDelivery(ctx context.Context, deliveryID string) error {
	return wrap(db.queries.DropDelivery(ctx, deliveryID), "drop delivery %s", deliveryID)
}

// EndDelivery marks a delivery delivered.
func (db *DB) EndDelivery(ctx context.Context, deliveryID string, o webhook.Outcome) error {
	return wrap(db.queries.EndDelivery(ctx, endOf(deliveryID, webhook.Delivered, o)), "end delivery %s", deliveryID)
}

// RetryDelivery records a failed attempt and schedules the next one.
func (db *DB) RetryDelivery(ctx context.Context, deliveryID string, o webhook.Outcome, next time.Time) error {
	next = stamp(next)
	return wrap(db.queries.RetryDelivery(ctx, dbsqlc.RetryDeliveryParams{
		ID: deliveryID, NextAttempt: &next, LastStatus: small(o.Status), LastError: storable(o.Error),
	}), "retry delivery %s", deliveryID)
}

// GiveUp marks a delivery as failed and disables its endpoint.
func (db *DB) GiveUp(ctx context.Context, deliveryID string, o webhook.Outcome, why string) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if err := q.SwitchWebhookOff(ctx, dbsqlc.SwitchWebhookOffParams{DeliveryID: deliveryID, Disabled: storable(why), Now: stamp(o.Finished)}); err != nil {
			return err
		}
		return q.EndDelivery(ctx, endOf(deliveryID, webhook.Failed, o))
	})
	return wrap(err, "give delivery %s up", deliveryID)
}

func endOf(deliveryID string, s webhook.Status, o webhook.Outcome) dbsqlc.EndDeliveryParams {
	now := stamp(o.Finished)
	return dbsqlc.EndDeliveryParams{ID: deliveryID, Status: string(s), LastStatus: small(o.Status), LastError: storable(o.Error), Now: &now}
}

func deliveryOf(r dbsqlc.Delivery) *webhook.Delivery {
	d := &webhook.Delivery{
		ID: r.ID, WebhookID: r.WebhookID, AccountID: r.AccountID, EventID: r.EventID, Kind: webhook.Kind(r.Kind), ProgramID: r.ProgramID,
		RunID: r.RunID, FormerRunID: r.FormerRunID, Payload: r.Payload, Status: webhook.Status(r.Status), Attempts: int(r.Attempts),
		NextAttempt: utc(r.NextAttempt), LastError: r.LastError, CreatedAt: r.CreatedAt.UTC(), EndedAt: utc(r.EndedAt),
	}
	if r.LastStatus != nil {
		status := int(*r.LastStatus)
		d.LastStatus = &status
	}
	return d
}

func small(n *int) *int32 {
	if n == nil {
		return nil
	}
	v := int32(*n)
	return &v
}
