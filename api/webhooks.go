package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"ballast/internal/fault"
	"ballast/notify/webhook"
)

// WebhookBody is a webhook without its secret.
type WebhookBody struct {
	ID             string     `json:"id"`
	URL            string     `json:"url"`
	Description    *string    `json:"description"`
	Events         []string   `json:"events"`
	Enabled        bool       `json:"enabled"`
	DisabledReason *string    `json:"disabled_reason" doc:"Why the service switched the webhook off; null if it did not"`
	OverlapUntil   *time.Time `json:"overlap_until" doc:"Until when the previous secret also signs; null if it does not"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
}

// newWebhookBody is a webhook with its secret, which is shown only once.
type newWebhookBody struct {
	WebhookBody
	Secret *string `json:"secret" doc:"The signing secret, shown only on creation and with rotate_secret; otherwise null"`
}

// DeliveryBody is one event on its way to one webhook.
type DeliveryBody struct {
	ID          string          `json:"id"`
	WebhookID   string          `json:"webhook_id"`
	EventID     string          `json:"event_id" doc:"Sent as webhook-id; it stays the same when the event is sent again"`
	Event       string          `json:"event"`
	ModelID     *string         `json:"model_id"`
	Status      string          `json:"status" enum:"pending,delivered,failed"`
	Attempts    int             `json:"attempts"`
	NextAttempt *time.Time      `json:"next_attempt_at"`
	LastStatus  *int            `json:"last_status" doc:"HTTP status of the last response; null if there was none"`
	LastError   *string         `json:"last_error"`
	Payload     json.RawMessage `json:"payload" doc:"The body that is sent; null until it is known"`
	CreatedAt   time.Time       `json:"created_at"`
	EndedAt     *time.Time      `json:"ended_at"`
}

type createWebhookInput struct {
	Body createWebhookFields `nameHint:"WebhookCreate"`
}

type createWebhookFields struct {
	URL         string   `json:"url" minLength:"1" maxLength:"2048" doc:"An https address of a public host" example:"https://example.com/hooks/ballast"`
	Description string   `json:"description,omitempty" maxLength:"200"`
	Events      []string `json:"events" minItems:"1" maxItems:"20" doc:"model.active, model.failed, allocation.changed, run.complete, run.failed, revision.completed, asset.restated, billing.low" example:"[\"allocation.changed\"]"`
	Enabled     *bool    `json:"enabled,omitempty" doc:"Defaults to true"`
}

// WebhookParameter names a webhook.
type WebhookParameter struct {
	WebhookID string `path:"webhook_id" minLength:"1" doc:"Webhook id"`
}

type patchWebhookInput struct {
	WebhookParameter
	Body patchWebhookFields `nameHint:"WebhookPatch"`
}

type patchWebhookFields struct {
	URL          field[string]   `json:"url,omitempty" minLength:"1" maxLength:"2048"`
	Description  field[string]   `json:"description,omitempty" nullable:"true" maxLength:"200"`
	Events       field[[]string] `json:"events,omitempty" minItems:"1" maxItems:"20"`
	Enabled      field[bool]     `json:"enabled,omitempty" doc:"Switching it on sends the events that have waited"`
	RotateSecret field[bool]     `json:"rotate_secret,omitempty" doc:"Create a new secret, which this response shows; the previous one also signs for 24 hours"`
}

type webhookOutput struct{ Body WebhookBody }

type newWebhookOutput struct{ Body newWebhookBody }

type webhooksInput struct{ PageParameters }

type webhooksOutput struct{ Body pageBody[WebhookBody] }

type deliveriesInput struct {
	WebhookParameter
	PageParameters
	Status string `query:"status" enum:"pending,delivered,failed" doc:"Only deliveries with this status"`
}

type deliveriesOutput struct{ Body pageBody[DeliveryBody] }

type deliveryInput struct {
	WebhookParameter
	DeliveryID string `path:"delivery_id" minLength:"1" doc:"Delivery id"`
}

type deliveryOutput struct{ Body DeliveryBody }

func (s *Server) registerWebhooks() {
	if s.Webhooks == nil {
		return
	}
	register(s, route{
		method: http.MethodPost, path: "/v1/webhooks", id: "create-webhook", tag: tagEvents, status: http.StatusCreated,
		summary:     "Create a webhook",
		description: "Returns the secret once. Redirects are not followed, and connections to addresses of private networks are refused.",
	}, s.createWebhook)
	register(s, route{
		method: http.MethodGet, path: "/v1/webhooks", id: "list-webhooks", tag: tagEvents, status: http.StatusOK,
		summary: "List webhooks", description: "Lists webhooks, newest first.",
	}, s.listWebhooks)
	register(s, route{
		method: http.MethodGet, path: "/v1/webhooks/{webhook_id}", id: "get-webhook", tag: tagEvents, status: http.StatusOK,
		summary: "Read a webhook", faults: []fault.Type{fault.NotFound},
	}, s.getWebhook)
	register(s, route{
		method: http.MethodPatch, path: "/v1/webhooks/{webhook_id}", id: "patch-webhook", tag: tagEvents, status: http.StatusOK,
		summary:     "Change a webhook",
		description: "Changes the given fields; the others stay the same. Set enabled to switch a webhook on again after the service switched it off.",
		faults:      []fault.Type{fault.NotFound},
	}, s.patchWebhook)
	register(s, route{
		method: http.MethodDelete, path: "/v1/webhooks/{webhook_id}", id: "delete-webhook", tag: tagEvents, status: http.StatusOK,
		summary: "Delete a webhook", description: "Deletes the webhook and its deliveries; nothing more is sent.", faults: []fault.Type{fault.NotFound},
	}, s.deleteWebhook)
	register(s, route{
		method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/test", id: "test-webhook", tag: tagEvents, status: http.StatusAccepted,
		summary: "Test a webhook", description: "Sends a webhook.test event. Poll the delivery to see the result.",
		faults: []fault.Type{fault.NotFound, fault.NotReady},
	}, s.testWebhook)
	register(s, route{
		method: http.MethodGet, path: "/v1/webhooks/{webhook_id}/deliveries", id: "list-deliveries", tag: tagEvents, status: http.StatusOK,
		summary: "List deliveries", description: "Lists the deliveries of the last 30 days, newest first.", faults: []fault.Type{fault.NotFound},
	}, s.listDeliveries)
	register(s, route{
		method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", id: "redeliver", tag: tagEvents,
		status: http.StatusAccepted, summary: "Deliver again",
		description: "Sends the event of a finished delivery again, as a new delivery with the same event id. A pending delivery is tried at once.",
		faults:      []fault.Type{fault.NotFound, fault.NotReady},
	}, s.redeliver)
}

func (s *Server) createWebhook(ctx context.Context, in *createWebhookInput) (*newWebhookOutput, error) {
	events := eventKinds(in.Body.Events)
	w, err := s.Webhooks.Create(ctx, accountOf(ctx), webhook.Patch{
		URL: &in.Body.URL, Description: &in.Body.Description, Events: &events, Enabled: in.Body.Enabled,
	})
	if err != nil {
		return nil, err
	}
	return &newWebhookOutput{newWebhookBody{webhookBodyOf(w), &w.Secret}}, nil
}

func (s *Server) listWebhooks(ctx context.Context, in *webhooksInput) (*webhooksOutput, error) {
	hooks, total, err := s.Webhooks.Webhooks(ctx, accountOf(ctx), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &webhooksOutput{pageOf(hooks, total, webhookBodyOf)}, nil
}

func (s *Server) getWebhook(ctx context.Context, in *WebhookParameter) (*webhookOutput, error) {
	w, err := s.Webhooks.Webhook(ctx, accountOf(ctx), in.WebhookID)
	if err != nil {
		return nil, err
	}
	return &webhookOutput{webhookBodyOf(w)}, nil
}

func (s *Server) patchWebhook(ctx context.Context, in *patchWebhookInput) (*newWebhookOutput, error) {
	b := in.Body
	p := webhook.Patch{URL: b.URL.Value, Enabled: b.Enabled.Value, Rotate: b.RotateSecret.Value != nil && *b.RotateSecret.Value}
	if b.Description.Given {
		if p.Description = b.Description.Value; p.Description == nil {
			p.Description = new(string)
		}
	}
	if b.Events.Value != nil {
		events := eventKinds(*b.Events.Value)
		p.Events = &events
	}
	w, err := s.Webhooks.Patch(ctx, accountOf(ctx), in.WebhookID, p)
	if err != nil {
		return nil, err
	}
	out := &newWebhookOutput{newWebhookBody{WebhookBody: webhookBodyOf(w)}}
	if p.Rotate {
		out.Body.Secret = &w.Secret
	}
	return out, nil
}

func (s *Server) deleteWebhook(ctx context.Context, in *WebhookParameter) (*deletedOutput, error) {
	webhookID, err := s.Webhooks.Delete(ctx, accountOf(ctx), in.WebhookID)
	if err != nil {
		return nil, err
	}
	return &deletedOutput{deletedBody{ID: webhookID, Deleted: true}}, nil
}

func (s *Server) testWebhook(ctx context.Context, in *WebhookParameter) (*deliveryOutput, error) {
	d, err := s.Deliveries.Test(ctx, accountOf(ctx), in.WebhookID)
	if err != nil {
		return nil, err
	}
	return &deliveryOutput{deliveryBodyOf(d)}, nil
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesInput) (*deliveriesOutput, error) {
	deliveries, total, err := s.Deliveries.Deliveries(ctx, accountOf(ctx), in.WebhookID, webhook.Status(in.Status), in.Limit, in.Offset)
	if err != nil {
		return nil, err
	}
	return &deliveriesOutput{pageOf(deliveries, total, deliveryBodyOf)}, nil
}

func (s *Server) redeliver(ctx context.Context, in *deliveryInput) (*deliveryOutput, error) {
	d, err := s.Deliveries.Redeliver(ctx, accountOf(ctx), in.WebhookID, in.DeliveryID)
	if err != nil {
		return nil, err
	}
	return &deliveryOutput{deliveryBodyOf(d)}, nil
}

func eventKinds(names []string) []webhook.Kind {
	kinds := make([]webhook.Kind, len(names))
	for i, n := range names {
		kinds[i] = webhook.Kind(n)
	}
	return kinds
}

func webhookBodyOf(w *webhook.Webhook) WebhookBody {
	b := WebhookBody{
		ID: w.ID, URL: w.URL, Description: textOrNull(w.Description), Events: make([]string, len(w.Events)), Enabled: w.Enabled,
		DisabledReason: textOrNull(w.Disabled), CreatedAt: w.CreatedAt.UTC(), UpdatedAt: w.UpdatedAt.UTC(),
	}
	for i, k := range w.Events {
		b.Events[i] = string(k)
	}
	if w.Former != "" {
		b.OverlapUntil = utc(w.FormerUntil)
	}
	return b
}

func deliveryBodyOf(d *webhook.Delivery) DeliveryBody {
	b := DeliveryBody{
		ID: d.ID, WebhookID: d.WebhookID, EventID: d.EventID, Event: string(d.Kind), Status: string(d.Status), Attempts: d.Attempts,
		NextAttempt: utc(d.NextAttempt), LastStatus: d.LastStatus, LastError: textOrNull(d.LastError), Payload: d.Payload,
		CreatedAt: d.CreatedAt.UTC(), EndedAt: utc(d.EndedAt),
	}
	if strings.HasPrefix(d.ProgramID, "model_") {
		b.ModelID = &d.ProgramID
	}
	return b
}
