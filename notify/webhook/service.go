package webhook

import (
	"context"
	"time"

	"ballast/internal/fault"
	"ballast/internal/id"
)

// Service keeps the endpoints of accounts.
type Service struct {
	endpoints  Endpoints
	deliveries Deliveries
	rules      Rules
	now        func() time.Time
}

// NewService creates a Service.
func NewService(endpoints Endpoints, deliveries Deliveries, rules Rules, now func() time.Time) *Service {
	return &Service{endpoints: endpoints, deliveries: deliveries, rules: rules, now: now}
}

// Create adds an endpoint. The interface shows its secret only in the response to this.
func (s *Service) Create(ctx context.Context, accountID string, p Patch) (*Webhook, error) {
	now := s.now()
	w := &Webhook{ID: id.New(id.Webhook), AccountID: accountID, Enabled: true, Secret: NewSecret(), CreatedAt: now}
	p.Rotate = false
	if err := p.Apply(w, s.rules, now); err != nil {
		return nil, err
	}
	if err := s.endpoints.CreateWebhook(ctx, w); err != nil {
		return nil, err
	}
	return w, nil
}

// Webhook reads one of the account's endpoints.
func (s *Service) Webhook(ctx context.Context, accountID, ref string) (*Webhook, error) {
	webhookID, err := parse(id.Webhook, "webhook", ref)
	if err != nil {
		return nil, err
	}
	return s.endpoints.Webhook(ctx, accountID, webhookID)
}

// Webhooks lists the account's endpoints, newest first.
func (s *Service) Webhooks(ctx context.Context, accountID string, limit, offset int) ([]*Webhook, int, error) {
	return s.endpoints.Webhooks(ctx, accountID, limit, offset)
}

// Patch changes one of the account's endpoints. The interface shows a new secret only in
// the response to this.
func (s *Service) Patch(ctx context.Context, accountID, ref string, p Patch) (*Webhook, error) {
	webhookID, err := parse(id.Webhook, "webhook", ref)
	if err != nil {
		return nil, err
	}
	return s.endpoints.PatchWebhook(ctx, accountID, webhookID, func(w *Webhook) error { return p.Apply(w, s.rules, s.now()) })
}

// Delete removes an endpoint and its deliveries, and returns its id.
func (s *Service) Delete(ctx context.Context, accountID, ref string) (string, error) {
	webhookID, err := parse(id.Webhook, "webhook", ref)
	if err != nil {
		return "", err
	}
	return webhookID, s.endpoints.DeleteWebhook(ctx, accountID, webhookID)
}

// Test queues an empty test event to an endpoint.
func (s *Service) Test(ctx context.Context, accountID, ref string) (*Delivery, error) {
	w, err := s.Webhook(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if !w.Enabled {
		return nil, disabled()
	}
	now := s.now()
	payload, err := Payload(Test, now, map[string]string{"webhook_id": w.ID})
	if err != nil {
		return nil, err
	}
	// The test event has a program id of its own, so that it does not wait behind
	// deliveries that fail.
	d := &Delivery{
		ID: id.New(id.Delivery), WebhookID: w.ID, AccountID: accountID, EventID: id.New(id.Event), Kind: Test, Payload: payload,
		Status: Pending, NextAttempt: &now, CreatedAt: now,
	}
	d.ProgramID = d.ID
	return d, s.deliveries.QueueDelivery(ctx, d, AMinute)
}

// Deliveries lists an endpoint's deliveries, newest first.
func (s *Service) Deliveries(ctx context.Context, accountID, ref string, status Status, limit, offset int) ([]*Delivery, int, error) {
	webhookID, err := parse(id.Webhook, "webhook", ref)
	if err != nil {
		return nil, 0, err
	}
	return s.deliveries.Deliveries(ctx, accountID, webhookID, status, limit, offset)
}

// Redeliver sends a delivery again. The event keeps its id, so the receiver can recognise
// it.
func (s *Service) Redeliver(ctx context.Context, accountID, ref, deliveryRef string) (*Delivery, error) {
	w, err := s.Webhook(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	deliveryID, err := parse(id.Delivery, "delivery", deliveryRef)
	if err != nil {
		return nil, err
	}
	if !w.Enabled {
		if _, err := s.deliveries.Delivery(ctx, accountID, w.ID, deliveryID); err != nil {
			return nil, err
		}
		return nil, disabled()
	}
	return s.deliveries.Redeliver(ctx, accountID, w.ID, deliveryID, AMinute)
}

func disabled() error {
	return fault.New(fault.NotReady, "The webhook is switched off. Set enabled to true first.")
}

func parse(kind id.Kind, what, ref string) (string, error) {
	parsed, ok := id.Parse(kind, ref)
	if !ok {
		return "", fault.Missing(what, ref)
	}
	return parsed, nil
}
