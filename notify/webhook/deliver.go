package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Changes compares the allocations of two runs. It returns the data of the event, and
// whether the allocation has changed.
type Changes func(ctx context.Context, formerRunID, runID string) (data any, changed bool, err error)

// Deliverer sends pending deliveries.
type Deliverer struct {
	Queue    Queue
	Outcomes Outcomes
	Sender   *Sender
	Changes  Changes
	Logger   *slog.Logger
	Now      func() time.Time
}

// mostAtOnce limits how many deliveries of one model one call sends, so that other
// models get their turn.
const mostAtOnce = 100

// Deliver sends the pending deliveries of the given delivery's model to its endpoint, in
// order, until none is left or the first one must wait. It returns how long to wait
// before the next call, or 0 if nothing is left to do.
func (d *Deliverer) Deliver(ctx context.Context, deliveryID string) (time.Duration, error) {
	for range mostAtOnce {
		head, hook, wait, err := d.Queue.ClaimDelivery(ctx, deliveryID, lease)
		if err != nil || head == nil {
			return wait, err
		}
		if err := d.attempt(ctx, head, hook); err != nil {
			return 0, err
		}
	}
	return time.Second, nil
}

// attempt sends one delivery and records the outcome.
func (d *Deliverer) attempt(ctx context.Context, head *Delivery, hook *Webhook) error {
	if head.Payload == nil {
		changed, err := d.prepare(ctx, head)
		if err != nil {
			return err
		}
		if !changed {
			return d.Queue.DropDelivery(ctx, head.ID)
		}
	}
	outcome := d.Sender.Send(ctx, hook, head.EventID, head.Payload)
	log := d.Logger.With("webhook_id", hook.ID, "delivery_id", head.ID, "event", head.Kind, "attempt", head.Attempts+1)
	if outcome.Error == "" {
		log.InfoContext(ctx, "event delivered")
		return d.Outcomes.EndDelivery(ctx, head.ID, outcome)
	}
	if ctx.Err() != nil {
		return ctx.Err() // the service is stopping; the lease expires by itself
	}
	log.InfoContext(ctx, "event not delivered", "reason", outcome.Error)
	next := outcome.Finished.Add(wait(head.Attempts+1, outcome.Retry))
	switch {
	case outcome.Gone:
		return d.Outcomes.GiveUp(ctx, head.ID, outcome, "The endpoint responded with 410 Gone.")
	case next.After(head.CreatedAt.Add(Patience)):
		return d.Outcomes.GiveUp(ctx, head.ID, outcome, fmt.Sprintf("A delivery failed for three days. The last error was: %s.", outcome.Error))
	}
	return d.Outcomes.RetryDelivery(ctx, head.ID, outcome, next)
}

// prepare fills in the payload of an allocation.changed delivery. It returns false if
// the allocation has not changed.
func (d *Deliverer) prepare(ctx context.Context, head *Delivery) (bool, error) {
	data, changed, err := d.Changes(ctx, head.FormerRunID, head.RunID)
	if err != nil || !changed {
		return false, err
	}
	payload, err := Payload(head.Kind, head.CreatedAt, data)
	if err != nil {
		return false, err
	}
	head.Payload = payload
	return true, d.Queue.SetPayload(ctx, head.ID, payload)
}
