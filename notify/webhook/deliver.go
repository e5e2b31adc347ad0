package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Changes tells how an allocation has changed from one run to another: what an
// event says of it, and whether it has changed at all.
type Changes func(ctx context.Context, formerRunID, runID string) (data any, changed bool, err error)

// Deliverer sends what is pending.
type Deliverer struct {
	Queue    Queue
	Outcomes Outcomes
	Sender   *Sender
	Changes  Changes
	Logger   *slog.Logger
	Now      func() time.Time
}

// mostAtOnce bounds how many deliveries of one model one call sends, so that
// others get their turn.
const mostAtOnce = 100

// Deliver sends what stands in line where a delivery stands, in order, until the
// line is empty or cannot go on. It returns how long to wait before it is called
// again for the same delivery, 0 where that has ended.
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

// attempt sends one delivery and notes what became of it.
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
		return ctx.Err() // stopped with the service: the lease ends by itself
	}
	log.InfoContext(ctx, "event not delivered", "reason", outcome.Error)
	next := outcome.Finished.Add(wait(head.Attempts+1, outcome.Retry))
	switch {
	case outcome.Gone:
		return d.Outcomes.GiveUp(ctx, head.ID, outcome, "The endpoint answered 410 Gone.")
	case next.After(head.CreatedAt.Add(Patience)):
		return d.Outcomes.GiveUp(ctx, head.ID, outcome, fmt.Sprintf("A delivery failed for three days. The last error was: %s.", outcome.Error))
	}
	return d.Outcomes.RetryDelivery(ctx, head.ID, outcome, next)
}

// prepare finds what a delivery of a changed allocation says; it reports whether
// there is anything to say.
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
