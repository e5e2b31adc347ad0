package webhook

import (
	"context"
	"encoding/json"
	"time"
)

// Endpoints keeps endpoints.
type Endpoints interface {
	// CreateWebhook adds an endpoint; fault.PlanRequired past the account's quota.
	CreateWebhook(ctx context.Context, w *Webhook) error
	// Webhook reads an account's endpoint; fault.NotFound.
	Webhook(ctx context.Context, accountID, webhookID string) (*Webhook, error)
	// Webhooks lists an account's endpoints, newest first, with the total before paging.
	Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*Webhook, int, error)
	// PatchWebhook changes an endpoint as change does, in one transaction, and
	// returns it; fault.NotFound, and the faults of change. The endpoint's pending
	// deliveries wait while it is switched off.
	PatchWebhook(ctx context.Context, accountID, webhookID string, change func(*Webhook) error) (*Webhook, error)
	// DeleteWebhook removes an endpoint with its deliveries; fault.NotFound.
	DeleteWebhook(ctx context.Context, accountID, webhookID string) error
}

// Deliveries keeps what endpoints are told.
type Deliveries interface {
	// QueueDelivery stores a delivery that a caller has asked for, and queues it;
	// fault.RateLimited for more than an account may send in a minute.
	QueueDelivery(ctx context.Context, d *Delivery, aMinute int) error
	// Delivery reads one of an endpoint; fault.NotFound.
	Delivery(ctx context.Context, accountID, webhookID, deliveryID string) (*Delivery, error)
	// Deliveries lists an endpoint's deliveries, newest first, with the total
	// before paging. An empty status is any.
	Deliveries(ctx context.Context, accountID, webhookID string, status Status, limit, offset int) ([]*Delivery, int, error)
	// Redeliver queues an ended delivery again, behind those that are pending;
	// fault.NotFound, fault.RateLimited. One that is pending is tried at once.
	Redeliver(ctx context.Context, accountID, webhookID, deliveryID string, aMinute int) (*Delivery, error)
}

// Queue gives deliveries their turn.
type Queue interface {
	// ClaimDelivery takes, for as long as the lease, the first pending delivery of the
	// given one's model to the given one's endpoint. It returns nil, and how long to
	// wait, where that one is claimed or not due yet; nil and 0 where none is
	// pending or the endpoint is switched off.
	ClaimDelivery(ctx context.Context, deliveryID string, lease time.Duration) (*Delivery, *Webhook, time.Duration, error)
	// SetPayload saves the body of a delivery.
	SetPayload(ctx context.Context, deliveryID string, payload json.RawMessage) error
	// DropDelivery removes a delivery of an event that did not happen.
	DropDelivery(ctx context.Context, deliveryID string) error
}

// Outcomes notes what has come of attempts.
type Outcomes interface {
	// EndDelivery marks a delivery delivered.
	EndDelivery(ctx context.Context, deliveryID string, o Outcome) error
	// RetryDelivery records a failed attempt and schedules the next one.
	RetryDelivery(ctx context.Context, deliveryID string, o Outcome, next time.Time) error
	// GiveUp ends a delivery as failed and switches its endpoint off, which it says why.
	GiveUp(ctx context.Context, deliveryID string, o Outcome, why string) error
}
