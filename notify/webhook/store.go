package webhook

import (
	"context"
	"encoding/json"
	"time"
)

// Endpoints keeps endpoints.
type Endpoints interface {
	// CreateWebhook adds an endpoint. It returns fault.PlanRequired if the account has
	// used its quota.
	CreateWebhook(ctx context.Context, w *Webhook) error
	// Webhook reads an account's endpoint, or returns fault.NotFound.
	Webhook(ctx context.Context, accountID, webhookID string) (*Webhook, error)
	// Webhooks lists an account's endpoints, newest first, with the total before paging.
	Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*Webhook, int, error)
	// PatchWebhook calls change on an endpoint in one transaction and returns the
	// result. It returns fault.NotFound and the faults of change. While the endpoint is
	// switched off, its pending deliveries wait.
	PatchWebhook(ctx context.Context, accountID, webhookID string, change func(*Webhook) error) (*Webhook, error)
	// DeleteWebhook removes an endpoint and its deliveries, or returns fault.NotFound.
	DeleteWebhook(ctx context.Context, accountID, webhookID string) error
}

// Deliveries keeps the deliveries of endpoints.
type Deliveries interface {
	// QueueDelivery stores a delivery that a caller has requested, and queues it. It
	// returns fault.RateLimited if the account has requested too many in the last minute.
	QueueDelivery(ctx context.Context, d *Delivery, aMinute int) error
	// Delivery reads a delivery of an endpoint, or returns fault.NotFound.
	Delivery(ctx context.Context, accountID, webhookID, deliveryID string) (*Delivery, error)
	// Deliveries lists an endpoint's deliveries, newest first, with the total
	// before paging. An empty status means any.
	Deliveries(ctx context.Context, accountID, webhookID string, status Status, limit, offset int) ([]*Delivery, int, error)
	// Redeliver queues an ended delivery again, behind the pending ones. A delivery that
	// is still pending is tried at once. It returns fault.NotFound or fault.RateLimited.
	Redeliver(ctx context.Context, accountID, webhookID, deliveryID string, aMinute int) (*Delivery, error)
}

// Queue hands out deliveries in their order.
type Queue interface {
	// ClaimDelivery finds the first pending delivery that has the same model and endpoint
	// as the given one, and claims it for the time of the lease. If that delivery is
	// already claimed or not yet due, it returns nil and how long to wait. If none is
	// pending, or the endpoint is switched off, it returns nil and 0.
	ClaimDelivery(ctx context.Context, deliveryID string, lease time.Duration) (*Delivery, *Webhook, time.Duration, error)
	// SetPayload saves the body of a delivery.
	SetPayload(ctx context.Context, deliveryID string, payload json.RawMessage) error
	// DropDelivery removes a delivery whose event turned out not to have happened.
	DropDelivery(ctx context.Context, deliveryID string) error
}

// Outcomes records the results of attempts.
type Outcomes interface {
	// EndDelivery marks a delivery delivered.
	EndDelivery(ctx context.Context, deliveryID string, o Outcome) error
	// RetryDelivery records a failed attempt and schedules the next one.
	RetryDelivery(ctx context.Context, deliveryID string, o Outcome, next time.Time) error
	// GiveUp ends a delivery as failed, switches its endpoint off, and records why.
	GiveUp(ctx context.Context, deliveryID string, o Outcome, why string) error
}
